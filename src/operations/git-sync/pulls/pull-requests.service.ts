import { Injectable } from '@nestjs/common';
import { isActive } from '../../../authoring/content/domain/request-status.js';
import type { RequestHead } from '../../../authoring/content/request-lines.js';
import { DomainError } from '../../../kernel/common/errors.js';
import type { GitProvider } from '../../../workspace/spaces/git-sync.schema.js';
import type { ActiveRun } from '../../imports/active-run.js';
import type { GitSyncOrder } from '../../imports/imports.points.js';
import { ForgeError } from '../forges/forge-error.js';
import type { ForgePulls } from '../forges/forge.js';
import { Forges } from '../forges/forges.service.js';
import type { GitInstallation } from '../git-installation.entity.js';
import { GitSyncStates } from '../git-sync-states.js';
import type { SyncSides } from '../git-sync-sides.js';
import { BranchRefused } from '../branch-refused.js';
import { PullRequestCommits } from './pull-request-commits.js';
import { PullRequestContents } from './pull-request-contents.js';
import { PullRequestReports } from './pull-request-reports.js';
import { PullRequestRows, type FollowedPull } from './pull-request-rows.js';
import { PullRequestSpaces } from './pull-request-spaces.js';
import { RequestPulls } from './request-pulls.js';
import type { PullWork } from './pull-work.js';

/** Keeps change requests equal with the pull requests against the branch of a space. */
@Injectable()
export class PullRequests {
  constructor(
    private readonly forges: Forges,
    private readonly states: GitSyncStates,
    private readonly rows: PullRequestRows,
    private readonly commits: PullRequestCommits,
    private readonly spaces: PullRequestSpaces,
    private readonly contents: PullRequestContents,
    private readonly reports: PullRequestReports,
    private readonly own: RequestPulls,
  ) {}

  /**
   * Keeps change requests equal with their branches, and follows the pull requests of a space that says what its branch says. True
   * where one was merged, after which both have to be looked at anew. Throws the first error of one after all others were followed;
   * `asked` is the change request that somebody waits for.
   */
  async follow(run: ActiveRun, order: GitSyncOrder, sides: SyncSides, asked: string | null): Promise<boolean> {
    const { agreed, installation } = sides;
    if (!agreed) return false;
    const failed = await this.own.keep({ run, order, agreed }, await this.forgeOf(installation, order), asked);
    const work = await this.workOf(run, order, sides);
    for (const followed of work ? await this.rows.refresh(work) : []) {
      await run.checkpoint();
      try {
        if (work && (await this.step(work, followed))) return true;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        failed.push(new DomainError(error.code, `Pull request #${followed.pull.number}: ${error.message}`));
      }
    }
    const [first] = failed;
    if (first) throw failed.find((each) => each instanceof BranchRefused) ?? first;
    return false;
  }

  /**
   * Merges the change request of a pull request that the forge has merged, where the branch has moved and the space has not: it
   * keeps its ids and what people have changed in it. True where there was one.
   */
  async absorb(run: ActiveRun, order: GitSyncOrder, sides: SyncSides): Promise<boolean> {
    const work = await this.workOf(run, order, sides);
    const { head } = sides;
    if (!work || head === undefined) return false;
    for (const followed of await this.rows.refresh(work)) {
      if (followed.pull.state !== 'merged' || followed.row.state === 'merged') continue;
      const request = await this.contents.requestOf(work, followed);
      if (!request || !isActive(request.status) || followed.row.importedRevision === null) continue;
      await this.contents.absorb(work, followed, request.id, head);
      await this.reports.tell(work, followed);
      return true;
    }
    return false;
  }

  /**
   * Merges the pull requests whose change requests were merged here, in all spaces that they concern, where the forge lets us;
   * otherwise the space is committed as any other change. True where the branch has got one, and needs no commit with it.
   */
  async answer(run: ActiveRun, order: GitSyncOrder, sides: SyncSides): Promise<boolean> {
    const work = await this.workOf(run, order, sides);
    if (!work) return false;
    const met = sides.installation.mergedOid ?? work.agreed.oid;
    const mayChange = sides.head === met;
    for (const known of await this.rows.mergedHere(work)) {
      const row = mayChange ? await this.own.finish(work, known) : known;
      const before = await work.forge.pull(row.number);
      const head = row.importedOid;
      if (!before || head === null) continue;
      // A forge may not have seen yet what was pushed right now.
      if (before.head !== head && head === known.importedOid) continue;
      const mayMerge = before.state === 'open' && mayChange && (await this.spaces.areMerged(work, row.number));
      if (mayMerge && !(await work.forge.merge(row.number, head))) continue;
      const pull = mayMerge ? await work.forge.pull(row.number) : before;
      if (pull?.state !== 'merged') continue;
      await this.rows.update(row, { state: 'merged' });
      await this.reports.tell(work, { pull });
      const merged = await this.commits.mergedAs(work, { ...pull, head }, met);
      if (merged === undefined) continue;
      await this.states.merged(order.installation, merged);
      return true;
    }
    return false;
  }

  /** True where the space has changed. */
  private async step(work: PullWork, followed: FollowedPull): Promise<boolean> {
    const { pull, row } = followed;
    const request = await this.contents.requestOf(work, followed);
    if (pull.state === 'open') {
      await this.stepOpen(work, followed, request);
      return false;
    }
    if (row.state !== 'open') return false;
    if (pull.state === 'merged' && request && isActive(request.status) && row.importedRevision !== null) {
      await this.contents.absorb(work, followed, request.id, work.agreed.oid);
      await this.reports.tell(work, followed);
      return true;
    }
    if (request && isActive(request.status)) await this.contents.setStatus(work, request, 'archived');
    await this.rows.update(row, { state: pull.state });
    return false;
  }

  private async stepOpen(work: PullWork, followed: FollowedPull, request: RequestHead | undefined): Promise<void> {
    const { pull, row } = followed;
    // A pull request from elsewhere that no ref of the repository leads to.
    if (pull.ref === undefined || pull.head === '') return;
    const isNew = pull.head !== row.importedOid && !(await this.commits.isOutdated(work, followed));
    if (!(isNew ? await this.spaces.touches(work, followed) : row.touches)) return this.leave(work, followed, request);
    if (request?.status === 'merged' && !isNew) {
      await this.reports.tell(work, followed);
      return (await this.spaces.areDone(work, pull.number)) ? work.forge.close(pull.number) : undefined;
    }
    if (request?.status === 'archived') {
      // One that people have archived here stays so.
      if (row.state === 'open' && row.touches) return;
      await this.contents.setStatus(work, request, 'open');
    }
    if (row.state !== 'open' || !row.touches) await this.rows.update(row, { state: 'open', touches: true });
    const id = request && request.status !== 'merged' ? request.id : await this.contents.make(work, followed);
    if (isNew) await this.bring(work, followed, id, pull.ref);
    await this.reports.tell(work, followed);
  }

  /**
   * Closes the change request of a pull request that changes nothing in the folder of the space, or no longer does. The commit is noted
   * last: a run that is cut off before is followed by one that does the same.
   */
  private async leave(work: PullWork, followed: FollowedPull, request: RequestHead | undefined): Promise<void> {
    const { pull, row } = followed;
    // Noted first, so that nobody takes it for one that people have closed.
    if (row.touches) await this.rows.update(row, { touches: false });
    if (request && isActive(request.status)) await this.contents.setStatus(work, request, 'archived');
    if (row.state === 'open' && row.importedOid === pull.head) return;
    await this.reports.tell(work, followed);
    await this.rows.update(row, { state: 'open', importedOid: pull.head, problems: [], failure: null });
  }

  /** Writes the last commit. A commit that cannot be read gets a failed status, and the next one is tried. */
  private async bring(work: PullWork, followed: FollowedPull, id: string, ref: string): Promise<void> {
    await this.reports.begin(work, followed, id);
    try {
      const row = followed.row.changeRequestId === id ? followed.row : { ...followed.row, importedRevision: null };
      await this.contents.bring(work, { ...followed, row }, id, ref);
    } catch (error) {
      if (!(error instanceof DomainError) || error instanceof ForgeError || error.code === 'conflict') throw error;
      await this.rows.unreadable(followed, error.message);
    }
  }

  /** Undefined where no pull requests are followed. */
  private async workOf(
    run: ActiveRun,
    order: GitSyncOrder,
    { installation, agreed }: SyncSides,
  ): Promise<PullWork | undefined> {
    const { previewExternalBranches: previews } = installation;
    if (!agreed || !(previews || (await this.rows.hasOwn(order.installation)))) return undefined;
    const forge = await this.forgeOf(installation, order);
    return forge && { run, order, forge, agreed, previews, teller: installation.parentId ?? installation.id };
  }

  private forgeOf(installation: GitInstallation, { url }: GitSyncOrder): Promise<ForgePulls | undefined> {
    return this.forges.pulls({ ...installation, provider: installation.provider as GitProvider, url });
  }
}
