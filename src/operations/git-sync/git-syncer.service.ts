import { Injectable } from '@nestjs/common';
import { BranchMoved } from '../../authoring/interchange/git/branch-moved.js';
import { DomainError } from '../../kernel/common/errors.js';
import { LostJob } from '../../kernel/platform/jobs/job-run.js';
import { Stopped, type ActiveRun } from '../imports/active-run.js';
import type { GitSyncOrder, GitSyncRuns } from '../imports/imports.points.js';
import { GitAccesses } from './git-accesses.js';
import { GitSyncMerges } from './git-sync-merges.js';
import { GitSyncPlans } from './git-sync-plans.js';
import { GitSyncSides } from './git-sync-sides.js';
import { GitSyncStates, keptHead, type SyncAttempt } from './git-sync-states.js';
import { GitSyncSteps } from './git-sync-steps.js';
import { Moved } from './moved.js';
import { PullRequests } from './pulls/pull-requests.service.js';
import { SiteLinks } from './sites/site-links.js';
import { BranchRefused } from './branch-refused.js';

/** One run, for somebody who waits for the change request `asked` to be pushed, or for nobody. */
interface Synchronization extends SyncAttempt {
  readonly order: GitSyncOrder;
  readonly asked: string | null;
}

/** Times that both sides are looked at anew because one of them has moved meanwhile. */
const MAX_ROUNDS = 5;

/**
 * Makes a space and a branch say the same. The side that has not changed since they last agreed becomes what the other one
 * says. Where both have changed, the branch's side becomes a change request on the revision of that agreement: it is merged, and
 * answered by one commit, or its conflicts are left to people and the branch stays as it is.
 */
@Injectable()
export class GitSyncer implements GitSyncRuns {
  constructor(
    private readonly accesses: GitAccesses,
    private readonly states: GitSyncStates,
    private readonly sides: GitSyncSides,
    private readonly plans: GitSyncPlans,
    private readonly merges: GitSyncMerges,
    private readonly pulls: PullRequests,
    private readonly steps: GitSyncSteps,
    private readonly links: SiteLinks,
  ) {}

  async execute(run: ActiveRun, order: GitSyncOrder): Promise<unknown> {
    const installation = await this.states.begin(order.installation, run.id);
    if (!installation) throw new DomainError('conflict', 'The space is no longer connected with a repository');
    const attempt: Synchronization = { order, asked: run.changeRequestId, head: null };
    try {
      // The change request that is to be pushed is no place for what the branch says.
      const secret = await this.accesses.meet(order.url, installation);
      const beside = await this.links.beside(installation.id);
      const opened = { ...run, changeRequestId: null, secret, beside };
      if (order.priority !== undefined) return await this.plans.plan(opened, order, order.priority);
      for (let round = 1; ; round++) {
        try {
          return await this.round(opened, attempt);
        } catch (error) {
          const isMoved = error instanceof Moved || error instanceof BranchMoved;
          if (!isMoved || round === MAX_ROUNDS) throw error;
        }
      }
    } catch (error) {
      const reason =
        error instanceof Moved ? new DomainError('conflict', 'Both sides are being changed: it is tried again') : error;
      if (isFailure(reason) && order.priority === undefined)
        await this.states.fail(run, order.installation, reason, attempt);
      throw reason;
    }
  }

  /** The change request that somebody waits for is pushed where both sides are equal. */
  private async round(run: ActiveRun, attempt: Synchronization): Promise<unknown> {
    await run.checkpoint();
    const { order, asked } = attempt;
    const again = () => this.round(run, attempt);
    const sides = await this.sides.find(run, order);
    const { installation, head, revision, agreed, isCutOff } = sides;
    attempt.head = keptHead(head);
    const areLinksMoved = installation.movedBeside !== null;
    const goesOn = asked !== null || areLinksMoved;
    const part = goesOn ? this.steps.part(run) : run;
    const then = goesOn ? again : (done: unknown) => done;
    if (agreed === undefined) return this.steps.first(part, order, sides).then(then);
    if (head === undefined)
      throw new DomainError(
        'conflict',
        `The branch ${order.ref} is gone from the repository: push it again, or choose another one`,
      );
    const isBehind = head !== agreed.oid && head !== installation.mergedOid;
    const isAhead = revision !== agreed.revision || isCutOff;
    // Pull requests that are merged on one side are merged on the other one, before their commits or changes are met as such.
    if (isAhead && !isCutOff && (await this.pulls.answer(run, order, sides))) return again();
    if (isBehind && !isAhead && (await this.pulls.absorb(run, order, sides))) return again();
    if (isBehind && isAhead) {
      await this.merges.merge(run, order, sides, agreed);
      throw new Moved();
    }
    if (isAhead) return this.steps.export(part, order, sides).then(then);
    // The whole folder is read again where links in it lead to what has come since.
    const isWhole = await this.links.areDue(run, order.directory);
    const read = isWhole ? { ...sides, agreed: undefined } : sides;
    if (isBehind) return this.steps.import(part, order, read).then(then);
    if (areLinksMoved) return this.steps.export(part, order, sides).then(then);
    if (await this.pulls.follow(run, order, sides, asked)) return again();
    return isWhole ? this.steps.import(run, order, read) : this.steps.settle(run, order, revision);
  }
}

/** Tells whether an error says something about the two sides, and not that the run has to stop here. */
function isFailure(error: unknown): boolean {
  return !(
    error instanceof BranchRefused ||
    error instanceof Stopped ||
    error instanceof LostJob ||
    (error instanceof Error && error.name === 'AbortError')
  );
}
