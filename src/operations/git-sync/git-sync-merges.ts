import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { ChangeRequests } from '../../authoring/change-requests/change-requests.service.js';
import { Merges } from '../../authoring/change-requests/merges.service.js';
import { ContentLines } from '../../authoring/content/content-lines.js';
import { creatorOf, type ActiveRun } from '../imports/active-run.js';
import { ActiveRuns } from '../imports/active-runs.service.js';
import { GitImporter } from '../imports/git/git-importer.service.js';
import type { GitSyncOrder } from '../imports/imports.points.js';
import type { GitInstallation } from './git-installation.entity.js';
import { orderFactsOf, type SyncSides } from './git-sync-sides.js';
import { GitSyncStates } from './git-sync-states.js';

/** Merges what a branch has changed into a space that has changed as well. */
@Injectable()
export class GitSyncMerges {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly requests: ChangeRequests,
    private readonly merges: Merges,
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
    if (request.isEmpty) {
      // The commits concern no documentation.
      await this.requests.update(caller, run.spaceId, request.id, { status: 'archived' });
      return this.states.merged(order.installation, request.oid);
    }
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

  /** The change request with the side of the branch: the one that waits for people, or a new one. */
  private async request(
    run: ActiveRun,
    order: GitSyncOrder,
    { changeRequestId, requestOid }: GitInstallation,
    head: string,
    revision: string,
  ): Promise<{ readonly id: string; readonly number: number; readonly oid: string; readonly isEmpty: boolean }> {
    if (changeRequestId !== null && requestOid !== null) {
      const { number, status } = await this.lines.request(run.spaceId, changeRequestId);
      if (status === 'draft' || status === 'open' || status === 'merged')
        return { id: changeRequestId, number, oid: requestOid, isEmpty: false };
      if (requestOid === head)
        throw new DomainError(
          'conflict',
          `Change request #${number} with the commits of the branch was closed: open it again and merge it, or push other commits`,
        );
    }
    const base = await this.lines.revision(run.spaceId, revision);
    const branch = order.ref.replace(/^refs\/heads\//, '');
    const made = await this.requests.create(
      creatorOf(run),
      run.spaceId,
      { subject: `Commits of ${branch} up to ${head.slice(0, 7)}`.slice(0, 100) },
      base,
    );
    let imported = head;
    const { changed } = await this.importer.import(
      {
        ...run,
        changeRequestId: made.id,
        commit: (work) =>
          this.database.transaction(async () => {
            const result = await work();
            await this.states.requested(order.installation, made.id, imported);
            return result;
          }),
      },
      { type: 'git', ...orderFactsOf(run, order) },
      (oid) => {
        imported = oid;
      },
    );
    return { id: made.id, number: made.number, oid: imported, isEmpty: !changed };
  }
}
