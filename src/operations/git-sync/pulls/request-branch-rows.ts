import { Injectable } from '@nestjs/common';
import type { RequestStatus } from '../../../authoring/content/domain/request-status.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Database } from '../../../kernel/common/database.js';
import type { ForgePull } from '../forges/forge.js';
import { GitPullRequest } from './git-pull-request.entity.js';
import { GitRequestBranch } from './git-request-branch.entity.js';
import { pageOf } from './pull-request-texts.js';

/** A branch, and how its change request and its pull request are. */
export interface BranchedRequest extends Omit<GitRequestBranch, 'createdAt' | 'updatedAt'>, Record<string, unknown> {
  readonly requestNumber: number;
  readonly status: RequestStatus;
  /** The last revision of the change request, and the primary one that it is based on. */
  readonly head: string;
  readonly base: string;
  /** A hash of its subject and its description. */
  readonly says: string;
  /** The state of the pull request, as it was seen last. */
  readonly pullState: string | null;
}

/** The state in which a branch and its change request say the same. */
export interface BranchAgreement {
  readonly oid: string;
  readonly revision: string;
  /** The commit of the branch of the space that is in it, where that has changed. */
  readonly base?: { readonly oid: string; readonly revision: string };
}

type Facts = Partial<Omit<GitRequestBranch, 'installationId' | 'changeRequestId' | 'createdAt' | 'updatedAt'>>;
type Key = Pick<GitRequestBranch, 'installationId' | 'changeRequestId'>;

const REQUESTS = `SELECT b.installation_id AS "installationId", b.change_request_id AS "changeRequestId", b.ref, b.oid, b.revision,
    b.base_oid AS "baseOid", b.base_revision AS "baseRevision", b.pushed_oid AS "pushedOid", b.pushed_revision AS "pushedRevision",
    b.number, b.wording, b.failure, r.number AS "requestNumber", r.status, r.revision_id AS head, r.base_revision_id AS base,
    md5(r.subject || E'\\n' || coalesce(r.description::text, '')) AS says, p.state AS "pullState"
  FROM git_request_branch b JOIN git_installation g ON g.id = b.installation_id
  JOIN change_request r ON r.space_id = g.space_id AND r.id = b.change_request_id
  LEFT JOIN git_pull_request p ON p.installation_id = b.installation_id AND p.number = b.number
 WHERE b.installation_id = $1 AND (r.status <> 'merged' OR b.number IS NULL OR p.state = 'open') ORDER BY b.created_at, b.change_request_id`;

const ASKED_FOR = `SELECT FROM import_run i JOIN git_installation g ON g.space_id = i.space_id
 WHERE g.id = $1 AND i.change_request_id = $2 AND i.status IN ('pending', 'in-progress') AND i.source ->> 'installation' = $1`;

/** Keeps which change requests are branches of repositories, and how far. */
@Injectable()
export class RequestBranchRows {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** All of an installation that have not ended, the oldest first. */
  all(installationId: string): Promise<BranchedRequest[]> {
    return this.database.query<BranchedRequest>(REQUESTS, [installationId]);
  }

  /** Tells whether an installation has any that has not ended. */
  async hasAny(installationId: string): Promise<boolean> {
    return (await this.database.one(`${REQUESTS} LIMIT 1`, [installationId])) !== undefined;
  }

  /** Tells whether a run is there, or will be, for whoever has asked for a branch. */
  async isAskedFor({ installationId, changeRequestId }: Key): Promise<boolean> {
    return (await this.database.one(ASKED_FOR, [installationId, changeRequestId])) !== undefined;
  }

  /** All of an installation, without their change requests. */
  of(installationId: string): Promise<GitRequestBranch[]> {
    return this.database.of(GitRequestBranch).findBy({ installationId });
  }

  async update({ installationId, changeRequestId }: Key, facts: Facts): Promise<void> {
    await this.database
      .of(GitRequestBranch)
      .update({ installationId, changeRequestId }, { ...facts, updatedAt: this.clock.now() });
  }

  async remove({ installationId, changeRequestId }: Key): Promise<void> {
    await this.database.of(GitRequestBranch).delete({ installationId, changeRequestId });
  }

  /** The branch and its pull request say what a revision says. */
  async agree(key: Key & Pick<GitRequestBranch, 'number'>, { oid, revision, base }: BranchAgreement): Promise<void> {
    await this.database.transaction(async () => {
      const agreed = base ? { baseOid: base.oid, baseRevision: base.revision } : {};
      await this.update(key, { oid, revision, pushedOid: null, pushedRevision: null, ...agreed });
      await this.updatePull(key, { importedOid: oid, importedRevision: revision, problems: [], failure: null });
    });
  }

  /** The branch has a pull request, which belongs to the change request from then on; `wording` is what it was given. */
  async opened(
    row: Key & Pick<GitRequestBranch, 'oid' | 'revision'>,
    pull: ForgePull,
    wording: string | null,
  ): Promise<void> {
    await this.database.transaction(async () => {
      await this.update(row, { number: pull.number, wording, failure: null });
      await this.database.execute(
        `INSERT INTO git_pull_request (installation_id, number, state, change_request_id, imported_oid, imported_revision, url, created_at, updated_at)
         VALUES ($1, $2, 'open', $3, $4, $5, $6, $7, $7)
         ON CONFLICT (installation_id, number) DO UPDATE SET state = excluded.state, change_request_id = excluded.change_request_id,
           imported_oid = excluded.imported_oid, imported_revision = excluded.imported_revision, url = excluded.url, updated_at = excluded.updated_at`,
        [row.installationId, pull.number, row.changeRequestId, row.oid, row.revision, pageOf(pull), this.clock.now()],
      );
    });
  }

  /** The pull request of a branch has another state at the forge now. */
  async closed(row: Pick<GitRequestBranch, 'installationId' | 'number'>): Promise<void> {
    await this.updatePull(row, { state: 'closed' });
  }

  private async updatePull(
    { installationId, number }: Pick<GitRequestBranch, 'installationId' | 'number'>,
    facts: Partial<Pick<GitPullRequest, 'state' | 'importedOid' | 'importedRevision' | 'problems' | 'failure'>>,
  ): Promise<void> {
    if (number === null) return;
    await this.database
      .of(GitPullRequest)
      .update({ installationId, number }, { ...facts, updatedAt: this.clock.now() });
  }
}
