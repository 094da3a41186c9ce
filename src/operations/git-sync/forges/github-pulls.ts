import type { ForgeAnswer } from './forge-answer.js';
import { unlessRefused, type Paging } from './forge-http.js';
import { REFUSALS, STATUS_NAME, type ForgePull, type ForgeStatus, type NewPull, type PullTexts } from './forge.js';
import { inPath } from './github.js';
import { PullsClient } from './pulls-client.js';

/** The pull requests of a repository of GitHub, and what Gitea does in the same way. */
export class GitHubPulls extends PullsClient {
  protected readonly paging: Paging = { size: 100, name: 'per_page' };

  protected get base(): string {
    return `/repos/${inPath(this.repository)}`;
  }

  protected get pulls(): string {
    return `${this.base}/pulls`;
  }

  async mergeBase({ head }: ForgePull, commit: string): Promise<string | undefined> {
    const found = await this.http.find(`${this.base}/compare/${commit}...${head}?per_page=1`);
    return found?.text('merge_base_commit', 'sha');
  }

  async setStatus(oid: string, { state, description, url }: ForgeStatus): Promise<void> {
    await this.http.post(`${this.base}/statuses/${oid}`, {
      state,
      description,
      target_url: url,
      context: STATUS_NAME,
    });
  }

  async rename(number: number, { title, text }: PullTexts): Promise<void> {
    await this.http.patch(`${this.pulls}/${number}`, { title, body: text });
  }

  async merge(number: number, head: string): Promise<boolean> {
    // A repository may allow one of them only.
    for (const method of ['merge', 'squash']) {
      const merged = this.http.put(`${this.pulls}/${number}/merge`, { sha: head, merge_method: method });
      if ((await unlessRefused(merged, REFUSALS)) !== undefined) return true;
    }
    return false;
  }

  async close(number: number): Promise<void> {
    await this.http.patch(`${this.pulls}/${number}`, { state: 'closed' });
  }

  protected openQuery(branch: string): string {
    return new URLSearchParams({ state: 'open', base: branch }).toString();
  }

  protected commentsPath(number: number): string {
    return `${this.base}/issues/${number}/comments`;
  }

  protected bodyOfComment(text: string): object {
    return { body: text };
  }

  protected textOfComment(answer: ForgeAnswer): string | undefined {
    return answer.text('body');
  }

  protected changeComment(_number: number, id: string, body: object): Promise<ForgeAnswer> {
    return this.http.patch(`${this.base}/issues/comments/${id}`, body);
  }

  protected bodyOfPull({ source, target, title, text }: NewPull): object {
    return { head: source, base: target, title, body: text };
  }

  protected pullOf(answer: ForgeAnswer): ForgePull {
    const number = answer.whole('number');
    const isMerged = answer.text('merged_at') !== undefined;
    const [from, to] = ['head', 'base'].map((side) => answer.text(side, 'repo', 'full_name'));
    return {
      number,
      title: answer.text('title') ?? '',
      description: answer.text('body') ?? '',
      author: answer.text('user', 'login') ?? '',
      url: answer.text('html_url'),
      state: isMerged ? 'merged' : answer.text('state') === 'open' ? 'open' : 'closed',
      head: answer.text('head', 'sha') ?? '',
      ref: `refs/pull/${number}/head`,
      source: from !== undefined && from === to ? answer.text('head', 'ref') : undefined,
      target: answer.text('base', 'ref') ?? '',
      mergeBase: answer.text('merge_base'),
      mergedAs: isMerged ? answer.text('merge_commit_sha') : undefined,
    };
  }
}
