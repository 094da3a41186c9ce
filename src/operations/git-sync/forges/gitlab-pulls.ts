import type { ForgeAnswer } from './forge-answer.js';
import { unlessRefused, type Paging } from './forge-http.js';
import { REFUSALS, STATUS_NAME, type ForgePull, type ForgeStatus, type NewPull, type PullTexts } from './forge.js';
import { PullsClient } from './pulls-client.js';

const STATES = { pending: 'pending', success: 'success', failure: 'failed' } as const;
/** Answered where the status is what it should be already. */
const SAME_STATUS = [400];

/** The merge requests of a project of GitLab. */
export class GitLabPulls extends PullsClient {
  protected readonly paging: Paging = { size: 100, name: 'per_page' };

  private get base(): string {
    return `/projects/${encodeURIComponent(this.repository)}`;
  }

  protected get pulls(): string {
    return `${this.base}/merge_requests`;
  }

  async mergeBase({ head }: ForgePull, commit: string): Promise<string | undefined> {
    const query = [commit, head].map((oid) => `refs[]=${encodeURIComponent(oid)}`).join('&');
    return (await this.http.find(`${this.base}/repository/merge_base?${query}`))?.text('id');
  }

  async setStatus(oid: string, { state, description, url }: ForgeStatus): Promise<void> {
    const status = { state: STATES[state], name: STATUS_NAME, description, target_url: url };
    await unlessRefused(this.http.post(`${this.base}/statuses/${oid}`, status), SAME_STATUS);
  }

  async rename(number: number, { title, text }: PullTexts): Promise<void> {
    await this.http.put(`${this.pulls}/${number}`, { title, description: text });
  }

  async merge(number: number, head: string): Promise<boolean> {
    const merged = this.http.put(`${this.pulls}/${number}/merge`, { sha: head });
    return (await unlessRefused(merged, REFUSALS)) !== undefined;
  }

  async close(number: number): Promise<void> {
    await this.http.put(`${this.pulls}/${number}`, { state_event: 'close' });
  }

  protected openQuery(branch: string): string {
    return new URLSearchParams({ state: 'opened', target_branch: branch }).toString();
  }

  protected commentsPath(number: number): string {
    return `${this.pulls}/${number}/notes`;
  }

  protected bodyOfComment(text: string): object {
    return { body: text };
  }

  protected textOfComment(answer: ForgeAnswer): string | undefined {
    return answer.text('body');
  }

  protected changeComment(number: number, id: string, body: object): Promise<ForgeAnswer> {
    return this.http.put(`${this.commentsPath(number)}/${id}`, body);
  }

  protected bodyOfPull({ source, target, title, text }: NewPull): object {
    return { source_branch: source, target_branch: target, title, description: text };
  }

  protected pullOf(answer: ForgeAnswer): ForgePull {
    const number = answer.whole('iid');
    const state = answer.text('state');
    const isHere = answer.whole('source_project_id') === answer.whole('target_project_id');
    return {
      number,
      title: answer.text('title') ?? '',
      description: answer.text('description') ?? '',
      author: answer.text('author', 'username') ?? '',
      url: answer.text('web_url'),
      state: state === 'merged' ? 'merged' : state === 'closed' ? 'closed' : 'open',
      head: answer.text('sha') ?? '',
      ref: `refs/merge-requests/${number}/head`,
      source: isHere ? answer.text('source_branch') : undefined,
      target: answer.text('target_branch') ?? '',
      mergeBase: undefined,
      mergedAs: answer.text('merge_commit_sha') ?? answer.text('squash_commit_sha'),
    };
  }
}
