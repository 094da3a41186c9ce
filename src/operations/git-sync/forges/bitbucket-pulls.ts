import type { ForgeAnswer } from './forge-answer.js';
import { unlessRefused, type Paging } from './forge-http.js';
import { REFUSALS, STATUS_NAME, type ForgePull, type ForgeStatus, type NewPull, type PullTexts } from './forge.js';
import { inPath } from './github.js';
import { PullsClient } from './pulls-client.js';

const STATES = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED' } as const;
/** The longest key of a status. */
const MAX_KEY = 40;

/** The pull requests of a repository of Bitbucket Cloud, by version 2.0 of its API. */
export class BitbucketPulls extends PullsClient {
  protected readonly paging: Paging = { size: 50, name: 'pagelen', items: 'values' };

  private get base(): string {
    return `/repositories/${inPath(this.repository)}`;
  }

  protected get pulls(): string {
    return `${this.base}/pullrequests`;
  }

  async mergeBase({ head }: ForgePull, commit: string): Promise<string | undefined> {
    return (await this.http.find(`${this.base}/merge-base/${commit}..${head}`))?.text('hash');
  }

  async setStatus(oid: string, { state, description, url }: ForgeStatus): Promise<void> {
    const key = STATUS_NAME.slice(0, MAX_KEY);
    const status = { key, name: STATUS_NAME, state: STATES[state], description, url };
    await this.http.post(`${this.base}/commit/${oid}/statuses/build`, status);
  }

  async rename(number: number, { title, text }: PullTexts): Promise<void> {
    await this.http.put(`${this.pulls}/${number}`, { title, description: text });
  }

  /** Bitbucket merges whatever the last commit is by then; that is looked at right before. */
  async merge(number: number, head: string): Promise<boolean> {
    if ((await this.pull(number))?.head !== head) return false;
    const merged = this.http.post(`${this.pulls}/${number}/merge`, { merge_strategy: 'merge_commit' });
    return (await unlessRefused(merged, REFUSALS)) !== undefined;
  }

  async close(number: number): Promise<void> {
    await this.http.post(`${this.pulls}/${number}/decline`);
  }

  /** Pull requests name commits by their first letters. */
  protected override async complete(pull: ForgePull): Promise<ForgePull> {
    const [head, mergedAs] = [await this.whole(pull.head), pull.mergedAs && (await this.whole(pull.mergedAs))];
    return { ...pull, head: head ?? pull.head, mergedAs };
  }

  protected openQuery(): string {
    return 'state=OPEN';
  }

  protected commentsPath(number: number): string {
    return `${this.pulls}/${number}/comments`;
  }

  protected bodyOfComment(text: string): object {
    return { content: { raw: text } };
  }

  protected textOfComment(answer: ForgeAnswer): string | undefined {
    return answer.at('deleted').isTrue() ? undefined : answer.text('content', 'raw');
  }

  protected changeComment(number: number, id: string, body: object): Promise<ForgeAnswer> {
    return this.http.put(`${this.commentsPath(number)}/${id}`, body);
  }

  protected bodyOfPull({ source, target, title, text }: NewPull): object {
    return {
      title,
      description: text,
      source: { branch: { name: source } },
      destination: { branch: { name: target } },
    };
  }

  protected pullOf(answer: ForgeAnswer): ForgePull {
    const state = answer.text('state');
    const isHere = answer.text('source', 'repository', 'full_name') === this.repository;
    const source = isHere ? answer.text('source', 'branch', 'name') : undefined;
    return {
      number: answer.whole('id'),
      title: answer.text('title') ?? '',
      description: answer.text('summary', 'raw') ?? '',
      author: answer.text('author', 'nickname') ?? answer.text('author', 'display_name') ?? '',
      url: answer.text('links', 'html', 'href'),
      state: state === 'OPEN' ? 'open' : state === 'MERGED' ? 'merged' : 'closed',
      head: answer.text('source', 'commit', 'hash') ?? '',
      ref: isHere ? `refs/heads/${source ?? ''}` : undefined,
      source,
      target: answer.text('destination', 'branch', 'name') ?? '',
      mergeBase: undefined,
      mergedAs: answer.text('merge_commit', 'hash'),
    };
  }

  private async whole(oid: string): Promise<string | undefined> {
    return (await this.http.find(`${this.base}/commit/${oid}`))?.text('hash');
  }
}
