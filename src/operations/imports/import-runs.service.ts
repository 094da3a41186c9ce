import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { allows, requireScope } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { RUN_COLUMNS } from './import-run.statements.js';
import type { ImportListQuery, ImportRunRow } from './imports.schema.js';
import { additions } from '../../identity/organizations/custom-roles/additions.js';

/** Milliseconds between two looks at a run whose end is waited for. */
const LOOK_EVERY_MS = 500;

/** The columns without those that lists do not show. */
const LIST_COLUMNS = RUN_COLUMNS.replace('i.result,', `i.result - 'pages' - 'problems' AS result,`);

/** Imports and exports that run in the background: looked at, cancelled. */
@Injectable()
export class ImportRuns {
  constructor(
    private readonly access: Access,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly pages: Pages,
    private readonly outbox: Outbox,
  ) {}

  /** The runs of the spaces that the caller may edit, and those that the caller has begun, newest first. */
  list(caller: Caller, organizationId: string, query: ImportListQuery): Promise<Page<ImportRunRow>> {
    const [space, kind] = [query.space ?? null, query.kind ?? null];
    return this.pages.list<ImportRunRow & Record<string, unknown>>(query, {
      scope: ['imports', caller.userId, organizationId, space, kind],
      select: LIST_COLUMNS,
      from: `FROM import_run i JOIN space_access($1, ARRAY(SELECT id FROM space WHERE organization_id = $2 AND deleted_at IS NULL AND ($3::text IS NULL OR id = $3))) a
               ON a.space_id = i.space_id JOIN space s ON s.id = i.space_id
             WHERE (a.role >= 'edit' OR a.role > 'none' AND (i.created_by = $1 OR 'space:edit' = ANY (${additions('space', '$1', 's')})))
               AND ($4::text IS NULL OR (i.source ->> 'type' IN ('archive-export', 'git-export')) = ($4 = 'export'))`,
      values: [caller.userId, organizationId, space, kind],
      order: [
        { expression: 'i.created_at', type: 'timestamptz' },
        { expression: 'i.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /**
   * A run of a space that the caller may edit, or one that the caller has begun; throws `notFound`, and `forbidden` if the caller
   * can only see the space.
   */
  async get(caller: Caller, organizationId: string, id: string): Promise<ImportRunRow> {
    const run = await this.database.one<ImportRunRow & Record<string, unknown>>(
      `SELECT ${RUN_COLUMNS} FROM import_run i WHERE i.id = $1`,
      [id],
    );
    const space = run && (await this.access.space(caller, run.spaceId));
    if (!run || !space || space.organizationId !== organizationId || space.deletedAt !== null)
      throw notFound('Import run');
    if (run.createdBy !== caller.userId && !allows('space:edit', space))
      throw new DomainError('forbidden', 'Requires the permission space:edit');
    return run;
  }

  /** A run as it is when it has ended, or after so many seconds; the caller must be able to see it all the time. */
  async awaited(caller: Caller, organizationId: string, id: string, seconds: number): Promise<ImportRunRow> {
    const deadline = performance.now() + seconds * 1000;
    for (;;) {
      const run = await this.get(caller, organizationId, id);
      const left = deadline - performance.now();
      if (run.completedAt !== null || left <= 0) return run;
      await setTimeout(Math.min(left, LOOK_EVERY_MS));
    }
  }

  /** Stops a run: it writes nothing more. Throws `invalid` for one that has ended in another way. */
  async cancel(caller: Caller, organizationId: string, id: string): Promise<ImportRunRow> {
    requireScope(caller, 'space:edit');
    const run = await this.get(caller, organizationId, id);
    const stopped = await this.database.transaction(async () => {
      const row = await this.database.one<ImportRunRow & Record<string, unknown>>(
        `UPDATE import_run i SET status = 'cancelled', secret = NULL, completed_at = $2 WHERE i.id = $1 AND i.status IN ('pending', 'in-progress') RETURNING ${RUN_COLUMNS}`,
        [id, this.clock.now()],
      );
      if (row) await this.outbox.record({ type: 'import_cancelled', organizationId, spaceId: run.spaceId, target: id });
      return row;
    });
    if (stopped) return stopped;
    // The run may have ended since it was read.
    const now = await this.get(caller, organizationId, id);
    if (now.status !== 'cancelled') throw new DomainError('invalid', `The import has ${now.status} already`);
    return now;
  }
}
