import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { RUN_COLUMNS } from '../imports/import-run.statements.js';
import type { ImportRunRow } from '../imports/imports.schema.js';
import { RunQueue } from '../imports/run-queue.service.js';

interface Ready extends Record<string, unknown> {
  readonly spaceId: string;
  readonly organizationId: string;
  readonly url: string;
  readonly ref: string;
  readonly directory: string;
  readonly updatedBy: string;
}

const READY = `SELECT g.space_id AS "spaceId", s.organization_id AS "organizationId", g.url, g.ref, g.directory, g.updated_by AS "updatedBy"
  FROM git_installation g JOIN space s ON s.id = g.space_id AND s.deleted_at IS NULL
 WHERE g.id = $1 AND g.url IS NOT NULL AND g.ref IS NOT NULL FOR NO KEY UPDATE OF g`;

/** A run that waits looks at both sides when it begins: whatever happens before that needs no further one. */
const WAITING = `SELECT ${RUN_COLUMNS} FROM import_run i
  WHERE i.space_id = $1 AND i.status = 'pending' AND i.source ->> 'installation' = $2 AND i.source -> 'priority' IS NULL
   AND ($3::text IS NULL OR i.change_request_id = $3) ORDER BY i.created_at LIMIT 1`;

/** Puts synchronizations into the lane of their space. */
@Injectable()
export class GitSyncQueue {
  constructor(
    private readonly database: Database,
    private readonly runs: RunQueue,
  ) {}

  /**
   * Adds a run, in the transaction of the caller, unless one waits already; returns it. It works for the person who has set
   * up the installation, or for `by`. One of a change request ends when that is pushed, or cannot be. Throws `notFound` for an installation without a repository.
   */
  async add(
    id: string,
    { by, plan, changeRequestId }: { by?: string; plan?: 'git' | 'gitbook'; changeRequestId?: string } = {},
  ): Promise<ImportRunRow> {
    const ready = await this.database.one<Ready>(READY, [id]);
    if (!ready) throw notFound('Git installation');
    const waiting =
      plan === undefined
        ? await this.database.one<ImportRunRow & Record<string, unknown>>(WAITING, [
            ready.spaceId,
            id,
            changeRequestId ?? null,
          ])
        : undefined;
    if (waiting) return waiting;
    const { spaceId, organizationId, url, ref, directory, updatedBy } = ready;
    return this.runs.add(
      plan === undefined ? updatedBy : (by ?? updatedBy),
      { id: spaceId, organizationId },
      { type: 'git-sync', installation: id, url, ref, directory, ...(plan && { priority: plan }) },
      { ...(changeRequestId !== undefined && { changeRequestId }) },
    );
  }
}
