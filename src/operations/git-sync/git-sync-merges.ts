import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { ChangeRequests } from '../../authoring/change-requests/change-requests.service.js';
import { Merges } from '../../authoring/change-requests/merges.service.js';
import { RequestRewrites } from '../../authoring/change-requests/request-rewrites.js';
import { ContentLines } from '../../authoring/content/content-lines.js';
import { creatorOf, type ActiveRun } from '../imports/active-run.js';
import { ActiveRuns } from '../imports/active-runs.service.js';
import { GitImporter } from '../imports/git/git-importer.service.js';
import type { GitSyncOrder } from '../imports/imports.points.js';
import type { GitInstallation } from './git-installation.entity.js';
import { orderFactsOf, type SyncSides } from './git-sync-sides.js';
import { GitSyncStates } from './git-sync-states.js';

/** A change request with the side of the branch, up to a commit. */
interface Requested {
  readonly id: string;
  readonly number: number;
  readonly oid: string;
}

/** Merges what a branch has changed into a space that has changed as well. */
@Injectable()
export class GitSyncMerges {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly requests: ChangeRequests,
    private readonly merges: Merges,
    private readonly rewrites: RequestRewrites,
    private readonly importer: GitImporter,
    private readonly runs: ActiveRuns,
    private readonly states: GitSyncStates,
  ) {}

  /**
   * Brings what the branch has changed since the last agreement into the primary line by a change request, and merges that.
   * Throws `conflict` where people have to settle what both sides have changed.
   */
  async merge(
    run: ActiveRun,
    order: GitSyncOrder,
    { installation, head }: SyncSides,
    agreed: { readonly revision: string },
  ): Promise<void> {
    const caller = creatorOf(run);
    const request = await this.request(run, order, installation, head ?? '', agreed.revision);
    if (request === undefined) return;
    const { result } = await this.merges.merge(caller, run.spaceId, request.id, { evenAgainstRules: true });
    if (result === 'conflicts') {
      await this.runs.into(run, request.id);
      await this.requests.update(caller, run.spaceId, request.id, { status: 'open' });
      throw new DomainError(
        'conflict',
        `The branch and the space have changed in the same places: settle the conflicts in change request #${request.number}, and merge it`,
      );
    }
    await this.states.merged(order.installation, request.oid);
  }

  /**
   * The change request with the side of the branch: the one that waits for people, or a new one; undefined where the commits
   * concern no documentation.
   */
  private async request(
    run: ActiveRun,
    order: GitSyncOrder,
    { changeRequestId, requestOid, mergedRevision }: GitInstallation,
    head: string,
    revision: string,
  ): Promise<Requested | undefined> {
    const last = changeRequestId === null ? undefined : await this.lines.request(run.spaceId, changeRequestId);
    if (last && requestOid !== null) {
      const { id, number, status } = last;
      if (status === 'draft' || status === 'open' || status === 'merged') return { id, number, oid: requestOid };
      if (requestOid === head)
        throw new DomainError(
          'conflict',
          `Change request #${number} with the commits of the branch was closed: open it again and merge it, or push other commits`,
        );
    }
    const { id, number } =
      last?.status === 'draft' && requestOid === null
        ? last
        : await this.make(run, order, head, { revision, merged: mergedRevision });
    let oid = head;
    const { changed } = await this.importer.import(
      {
        ...run,
        changeRequestId: id,
        commit: (work, resultOf) =>
          this.database.transaction(async () => {
            const result = await work();
            const { changed, revision } = resultOf(result);
            if (changed) await this.states.requested(order.installation, id, { oid, revision });
            else {
              await this.requests.update(creatorOf(run), run.spaceId, id, { status: 'archived' });
              await this.states.merged(order.installation, oid);
            }
            return result;
          }),
      },
      { type: 'git', ...orderFactsOf(run, order) },
      {
        onCheckout: async ({ commit }) => {
          ({ oid } = commit);
          return undefined;
        },
      },
    );
    return changed ? { id, number, oid } : undefined;
  }

  /**
   * Makes the change request on the agreed revision. What others have brought of the branch since then is in it already. A run that is
   * cut off before anything else is in it is followed by one that takes the same.
   */
  private make(
    run: ActiveRun,
    order: GitSyncOrder,
    head: string,
    { revision, merged }: { readonly revision: string; readonly merged: string | null },
  ): Promise<Omit<Requested, 'oid'>> {
    const branch = order.ref.replace(/^refs\/heads\//, '');
    const subject = `Commits of ${branch} up to ${head.slice(0, 7)}`.slice(0, 100);
    return this.database.transaction(async () => {
      const continued = merged === null ? undefined : await this.lines.revision(run.spaceId, merged);
      const base = await this.lines.revision(run.spaceId, continued?.baseRevisionId ?? revision);
      const made = await this.requests.create(creatorOf(run), run.spaceId, { subject }, base);
      if (continued) await this.rewrites.continue(run.spaceId, made.id, continued);
      await this.states.requested(order.installation, made.id, null);
      return made;
    });
  }
}
