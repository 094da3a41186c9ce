import { unlessRefused, type Paging } from './forge-http.js';
import { REFUSALS, type ForgePull } from './forge.js';
import { GitHubPulls } from './github-pulls.js';

/** The pull requests of a repository of Gitea or Forgejo, by version 1 of their API. */
export class GiteaPulls extends GitHubPulls {
  protected override readonly paging: Paging = { size: 50, name: 'limit' };

  /** A pull request tells it itself. */
  override async mergeBase({ mergeBase }: ForgePull): Promise<string | undefined> {
    return mergeBase;
  }

  override async merge(number: number, head: string): Promise<boolean> {
    const merged = this.http.post(`${this.pulls}/${number}/merge`, { Do: 'merge', head_commit_id: head });
    return (await unlessRefused(merged, REFUSALS)) !== undefined;
  }
}
