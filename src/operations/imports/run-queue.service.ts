import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { newId } from '../../kernel/common/ids.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { originOf } from '../../kernel/platform/audit-changes.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { RUN_COLUMNS } from './import-run.statements.js';
import type { ImportRunRow, RunSource } from './imports.schema.js';

/** The target of a run, beside the space. */
export interface RunPlace {
  readonly changeRequestId?: string;
  readonly pageId?: string;
  /** The credentials for git: name and password. */
  readonly secret?: string;
}

/** Puts imports and exports among the jobs. */
@Injectable()
export class RunQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
  ) {}

  /** Begins a run that was checked already. */
  begin(caller: Caller, space: SpaceAccess, source: RunSource, place: RunPlace = {}): Promise<ImportRunRow> {
    return this.database.transaction(() => this.add(caller.userId, space, source, place));
  }

  /** Like `begin`, in the transaction of the caller. */
  async add(
    userId: string,
    space: Pick<SpaceAccess, 'id' | 'organizationId'>,
    source: RunSource,
    { changeRequestId, pageId, secret }: RunPlace = {},
  ): Promise<ImportRunRow> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    const rows = await this.database.query<ImportRunRow & Record<string, unknown>>(
      `INSERT INTO import_run AS i (id, space_id, status, source, change_request_id, page_id, secret, created_by, created_at)
       VALUES ($1, $2, 'pending', $3, $4, $5, $6, $7, $8) RETURNING ${RUN_COLUMNS}`,
      [
        id,
        space.id,
        JSON.stringify(source),
        changeRequestId ?? null,
        pageId ?? null,
        secret === undefined ? null : this.secrets.encrypt(secret),
        userId,
        now,
      ],
    );
    await this.jobs.enqueue('imports.run', { run: id });
    await this.outbox.record({
      type: 'import_started',
      organizationId: space.organizationId,
      spaceId: space.id,
      target: id,
      payload: { source: source.type },
      ...('url' in source && { audit: { label: originOf(source.url) } }),
    });
    const [row] = rows;
    if (!row) throw new Error('the run was not recorded');
    return row;
  }
}
