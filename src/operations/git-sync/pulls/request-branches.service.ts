import { Injectable } from '@nestjs/common';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import { isActive } from '../../../authoring/content/domain/request-status.js';
import { Clock } from '../../../kernel/common/clock.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Database } from '../../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../../kernel/common/errors.js';
import type { ImportRunRow } from '../../imports/imports.schema.js';
import { branchOf, defaultBranch, refOf } from '../domain/branch-names.js';
import type { GitInstallation } from '../git-installation.entity.js';
import { GitInstallations } from '../git-installations.service.js';
import { GitSyncQueue } from '../git-sync-queue.js';
import { GitRequestBranch } from './git-request-branch.entity.js';
import { RequestBranchRows } from './request-branch-rows.js';
import type { OpenPullRequest, PullRequestFacts } from './request-branches.schema.js';

/** The pull request of the change request `$2` of the space `$1`: the one it has become, or else the one that it was made of. */
const FACTS = `SELECT g.provider, b.ref, p.number, p.state, p.url, coalesce(p.imported_oid, b.oid) AS oid, coalesce(b.failure, p.failure) AS failure
  FROM git_installation g
  LEFT JOIN git_request_branch b ON b.installation_id = g.id AND b.change_request_id = $2
  LEFT JOIN LATERAL (SELECT * FROM git_pull_request p WHERE p.installation_id = g.id
    AND CASE WHEN b.ref IS NULL THEN p.change_request_id = $2 ELSE p.number = b.number END ORDER BY p.number DESC LIMIT 1) p ON true
 WHERE g.space_id = $1 AND (b.ref IS NOT NULL OR p.number IS NOT NULL)`;

/** A pull request that is followed, and that the change request `$2` was made of. */
const MADE_OF = `SELECT number FROM git_pull_request p WHERE p.installation_id = $1 AND p.change_request_id = $2 AND p.state = 'open'`;

/** Takes orders to push change requests as branches. */
@Injectable()
export class RequestBranches {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lines: ContentLines,
    private readonly installations: GitInstallations,
    private readonly rows: RequestBranchRows,
    private readonly queue: GitSyncQueue,
  ) {}

  /** Throws `notFound` where a change request has none. */
  async get(spaceId: string, idOrNumber: string): Promise<PullRequestFacts> {
    const { id } = await this.lines.request(spaceId, idOrNumber);
    const facts = await this.database.one<PullRequestFacts>(FACTS, [spaceId, id]);
    if (!facts) throw notFound('Pull request');
    return facts;
  }

  /**
   * Begins a run that pushes a change request, and opens its pull request. Throws `conflict` for a space without a repository, and
   * for a change request that has ended or has one already.
   */
  async open(caller: Caller, spaceId: string, idOrNumber: string, { branch }: OpenPullRequest): Promise<ImportRunRow> {
    const { id } = await this.lines.request(spaceId, idOrNumber);
    return this.installations.inSpace(caller, spaceId, async (installation) => {
      const { status, number } = await this.lines.request(spaceId, id);
      if (!isActive(status)) throw new DomainError('conflict', `The change request is ${status}: it has no branch`);
      const wanted = branch === undefined ? undefined : refOf(branch);
      if (wanted === installation.ref) throw invalid('branch', 'is the branch that the space is kept equal with');
      const known = await this.database
        .of(GitRequestBranch)
        .findOneBy({ installationId: installation.id, changeRequestId: id });
      if (known) await this.again(known, wanted);
      else await this.begin(installation, id, wanted ?? (await this.defaultRef(spaceId, id, number)));
      return this.queue.add(installation.id, { changeRequestId: id });
    });
  }

  private async begin({ id: installationId }: GitInstallation, changeRequestId: string, ref: string): Promise<void> {
    const from = await this.database.one<{ number: number }>(MADE_OF, [installationId, changeRequestId]);
    if (from)
      throw new DomainError(
        'conflict',
        `The change request follows pull request #${from.number}: push commits to that`,
      );
    await this.requireFree(installationId, ref);
    const now = this.clock.now();
    await this.database
      .of(GitRequestBranch)
      .insert({ installationId, changeRequestId, ref, createdAt: now, updatedAt: now });
  }

  /** A branch that is there keeps its name; a pull request that was closed is followed by another one. */
  private async again(known: GitRequestBranch, wanted: string | undefined): Promise<void> {
    if (wanted !== undefined && wanted !== known.ref) {
      if (known.oid !== null || known.pushedOid !== null)
        throw new DomainError('conflict', `The change request has the branch ${branchOf(known.ref)} already`);
      await this.requireFree(known.installationId, wanted);
      await this.rows.update(known, { ref: wanted, failure: null });
    }
    const open = await this.database.one(
      `SELECT FROM git_pull_request WHERE installation_id = $1 AND number = $2 AND state = 'open'`,
      [known.installationId, known.number],
    );
    if (known.number !== null && !open) await this.rows.update(known, { number: null, wording: null });
  }

  private async requireFree(installationId: string, ref: string): Promise<void> {
    if (await this.database.of(GitRequestBranch).existsBy({ installationId, ref }))
      throw new DomainError('conflict', `Another change request has the branch ${branchOf(ref)}: give another name`);
  }

  private async defaultRef(spaceId: string, id: string, number: number): Promise<string> {
    const row = await this.database.one<{ subject: string }>(
      'SELECT subject FROM change_request WHERE space_id = $1 AND id = $2',
      [spaceId, id],
    );
    return refOf(defaultBranch({ id, number, subject: row?.subject ?? '' }));
  }
}
