import { Injectable } from '@nestjs/common';
import { ChangeRequests } from '../../../authoring/change-requests/change-requests.service.js';
import { Merges } from '../../../authoring/change-requests/merges.service.js';
import type { RequestHead } from '../../../authoring/content/request-lines.js';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError } from '../../../kernel/common/errors.js';
import { creatorOf } from '../../imports/active-run.js';
import { orderFactsOf } from '../git-sync-sides.js';
import { GitSyncStates } from '../git-sync-states.js';
import { Moved } from '../moved.js';
import { requestDescription, requestSubject } from './pull-request-texts.js';
import { PullRequestRows, type FollowedPull } from './pull-request-rows.js';
import { PullRequestWrites } from './pull-request-writes.js';
import type { PullWork } from './pull-work.js';

/** Writes what pull requests say into change requests, and merges these when the forge has merged those. */
@Injectable()
export class PullRequestContents {
  constructor(
    private readonly database: Database,
    private readonly lines: ContentLines,
    private readonly requests: ChangeRequests,
    private readonly merges: Merges,
    private readonly repositories: SpaceRepositories,
    private readonly states: GitSyncStates,
    private readonly writes: PullRequestWrites,
    private readonly rows: PullRequestRows,
  ) {}

  /** The change request of a pull request; undefined where there is none yet. */
  async requestOf({ run }: PullWork, { row }: FollowedPull): Promise<RequestHead | undefined> {
    return row.changeRequestId === null ? undefined : this.lines.request(run.spaceId, row.changeRequestId);
  }

  setStatus({ run }: PullWork, { id }: RequestHead, status: 'archived' | 'open'): Promise<unknown> {
    return this.requests.update(creatorOf(run), run.spaceId, id, { status });
  }

  /** Makes the change request of a pull request, on what space and branch agree on. */
  async make({ run, agreed }: PullWork, { pull, row }: FollowedPull): Promise<string> {
    const caller = creatorOf(run);
    return this.database.transaction(async () => {
      const base = await this.lines.revision(run.spaceId, agreed.revision);
      const { id } = await this.requests.create(caller, run.spaceId, { subject: requestSubject(pull) }, base);
      await this.requests.update(caller, run.spaceId, id, { description: requestDescription(pull), status: 'open' });
      await this.rows.update(row, { changeRequestId: id, importedOid: null, importedRevision: null, failure: null });
      return id;
    });
  }

  /** Writes the last commit of a pull request into its change request; what people have changed there stays. */
  async bring(work: PullWork, { pull, row }: FollowedPull, id: string, ref: string): Promise<void> {
    await this.writes.write(work, id, ref, row.importedRevision ?? undefined, {
      left: () => work.forge.mergeBase(pull, work.agreed.oid),
      finish: ({ oid, result: { problems }, revision }) => this.rows.imported(row, { oid, revision, problems }),
    });
  }

  /**
   * Makes a change request say what the branch says, which has its pull request in it, and merges it: from then on space and branch
   * agree on that, except for what people have changed in the change request.
   */
  async absorb(work: PullWork, { row }: FollowedPull, id: string, head: string): Promise<void> {
    const { run, order } = work;
    await this.writes.write(work, id, order.ref, row.importedRevision ?? undefined, {
      finish: async ({ oid, isEdited }) => {
        if (oid !== head) throw new Moved();
        const merged = await this.merges.merge(creatorOf(run), run.spaceId, id, { evenAgainstRules: true });
        if (merged.result === 'conflicts')
          throw new DomainError(
            'conflict',
            `The change request of the merged pull request #${row.number} has conflicts`,
          );
        await this.rows.update(row, { state: 'merged' });
        if (isEdited) return this.states.merged(order.installation, oid);
        await this.repositories.record(run.spaceId, orderFactsOf(run, order), oid, merged.revision);
        return this.states.agreed(order.installation);
      },
    });
  }
}
