import { Injectable } from '@nestjs/common';
import { ChangeRequests } from '../../../authoring/change-requests/change-requests.service.js';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import { isActive } from '../../../authoring/content/domain/request-status.js';
import type { RequestHead } from '../../../authoring/content/request-lines.js';
import { DomainError } from '../../../kernel/common/errors.js';
import type { GitProvider } from '../../../workspace/spaces/git-sync.schema.js';
import { creatorOf, type ActiveRun } from '../../imports/active-run.js';
import { gitAccessOf } from '../../imports/git/git-orders.js';
import { GitTransport } from '../../imports/git/git-transport.js';
import type { GitSyncOrder } from '../../imports/imports.points.js';
import { ForgeError } from '../forges/forge-error.js';
import type { ForgePull, ForgePulls } from '../forges/forge.js';
import { Forges } from '../forges/forges.service.js';
import type { GitInstallation } from '../git-installation.entity.js';
import { GitSyncStates } from '../git-sync-states.js';
import type { SyncSides } from '../git-sync-sides.js';
import { BranchRefused } from '../branch-refused.js';
import { PullRequestContents } from './pull-request-contents.js';
import { PullRequestReports } from './pull-request-reports.js';
import { PullRequestRows, type FollowedPull } from './pull-request-rows.js';
import { RequestPulls } from './request-pulls.js';
import type { PullWork } from './pull-work.js';

/** Keeps change requests equal with the pull requests against the branch of a space. */
@Injectable()
export class PullRequests {
  constructor(
    private readonly forges: Forges,
    private readonly lines: ContentLines,
    private readonly requests: ChangeRequests,
    private readonly transport: GitTransport,
    private readonly states: GitSyncStates,
    private readonly rows: PullRequestRows,
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
      const request = await this.requestOf(work, followed);
      if (!request || !isActive(request.status) || followed.row.importedRevision === null) continue;
      await this.contents.absorb(work, followed, request.id, head);
      await this.reports.tell(work, followed, request.id);
      return true;
    }
    return false;
  }

  /**
   * Merges the pull requests whose change requests were merged here, where the forge lets us; otherwise the space is committed
   * as any other change. True where the branch has got one, and needs no commit with it.
   */
  async answer(run: ActiveRun, order: GitSyncOrder, sides: SyncSides): Promise<boolean> {
    const work = await this.workOf(run, order, sides);
    if (!work) return false;
    const mayChange = sides.head === work.agreed.oid;
    for (const known of await this.rows.mergedHere(work)) {
      const row = mayChange ? await this.own.finish(work, known) : known;
      const before = await work.forge.pull(row.number);
      const head = row.importedOid;
      if (!before || head === null) continue;
      // A forge may not have seen yet what was pushed right now.
      if (before.head !== head && head === known.importedOid) continue;
      const mayMerge = before.state === 'open' && mayChange;
      if (mayMerge && !(await work.forge.merge(row.number, head))) continue;
      const pull = mayMerge ? await work.forge.pull(row.number) : before;
      if (pull?.state !== 'merged') continue;
      await this.rows.update(row, { state: 'merged' });
      await this.reports.tell(work, { pull }, row.changeRequestId ?? '');
      const merged = await this.mergedAs(work, { ...pull, head });
      if (merged === undefined) continue;
      await this.states.merged(order.installation, merged);
      return true;
    }
    return false;
  }

  /** The head of the branch, where it consists of the agreed commit and of a pull request, and of nothing else. */
  private async mergedAs({ run, order, forge, agreed }: PullWork, pull: ForgePull): Promise<string | undefined> {
    const { remoteCommit } = await import('../../../authoring/interchange/git/remote-head.js');
    const { url, ref } = order;
    const { oid, parents } = await remoteCommit(url, ref, this.transport.client(url, gitAccessOf(run)));
    if (oid === pull.head) return (await forge.mergeBase(pull, agreed.oid)) === agreed.oid ? oid : undefined;
    return parents[0] === agreed.oid && (parents[1] ?? pull.head) === pull.head ? oid : undefined;
  }

  /** True where the space has changed. */
  private async step(work: PullWork, followed: FollowedPull): Promise<boolean> {
    const { pull, row } = followed;
    const request = await this.requestOf(work, followed);
    if (pull.state === 'open') {
      await this.stepOpen(work, followed, request);
      return false;
    }
    if (row.state !== 'open') return false;
    if (pull.state === 'merged' && request && isActive(request.status) && row.importedRevision !== null) {
      await this.contents.absorb(work, followed, request.id, work.agreed.oid);
      await this.reports.tell(work, followed, request.id);
      return true;
    }
    if (request && isActive(request.status)) await this.setStatus(work, request, 'archived');
    await this.rows.update(row, { state: pull.state });
    return false;
  }

  private async stepOpen(work: PullWork, followed: FollowedPull, request: RequestHead | undefined): Promise<void> {
    const { pull, row } = followed;
    // A pull request from elsewhere that no ref of the repository leads to.
    if (pull.ref === undefined || pull.head === '') return;
    const isNew = pull.head !== row.importedOid && !(await this.isOutdated(work, followed));
    if (request?.status === 'merged' && !isNew) {
      await this.reports.tell(work, followed, request.id);
      return work.forge.close(pull.number);
    }
    if (request?.status === 'archived') {
      // One that people have archived here stays so.
      if (row.state === 'open') return;
      await this.setStatus(work, request, 'open');
    }
    if (row.state !== 'open') await this.rows.update(row, { state: 'open' });
    const id = request && request.status !== 'merged' ? request.id : await this.contents.make(work, followed);
    if (isNew) await this.bring(work, followed, id, pull.ref);
    await this.reports.tell(work, followed, id);
  }

  /** The forge tells of a commit of ours that another one of ours has followed since. */
  private async isOutdated({ run, order }: PullWork, { pull, row, isOwn }: FollowedPull): Promise<boolean> {
    if (!isOwn || pull.ref === undefined) return false;
    const { remoteHead } = await import('../../../authoring/interchange/git/remote-head.js');
    const client = this.transport.client(order.url, gitAccessOf(run));
    return (await remoteHead(order.url, pull.ref, client)) === row.importedOid;
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

  private setStatus({ run }: PullWork, { id }: RequestHead, status: 'archived' | 'open'): Promise<unknown> {
    return this.requests.update(creatorOf(run), run.spaceId, id, { status });
  }

  private async requestOf({ run }: PullWork, { row }: FollowedPull): Promise<RequestHead | undefined> {
    return row.changeRequestId === null ? undefined : this.lines.request(run.spaceId, row.changeRequestId);
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
    return forge && { run, order, forge, agreed, previews };
  }

  private forgeOf(installation: GitInstallation, { url }: GitSyncOrder): Promise<ForgePulls | undefined> {
    return this.forges.pulls({ ...installation, provider: installation.provider as GitProvider, url });
  }
}
