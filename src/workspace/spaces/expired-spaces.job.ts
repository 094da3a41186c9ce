import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { SpaceTables, type SpaceTable } from './space-tables.js';

const BATCH = 1000;
const SPACES_AT_ONCE = 50;
const DAY = 24 * 3600 * 1000;

/** Permanently deletes spaces that have been in the trash for longer than RETENTION_DAYS. */
@Injectable()
export class ExpiredSpacesJob implements OnModuleInit {
  private readonly logger = new Logger('Retention');

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly tables: SpaceTables,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Pick<Config, 'retentionDays'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('spaces.remove-expired', async (_, run) => void (await this.remove(run.signal)));
  }

  /**
   * Deletes every space that was moved to the trash more than RETENTION_DAYS ago, in batches of 1,000 rows, each in its
   * own transaction, the space itself last; returns the number of spaces. One that cannot be deleted does not block the
   * others: the first problem is thrown at the end.
   */
  async remove(signal?: AbortSignal): Promise<number> {
    const before = new Date(this.clock.now().getTime() - this.config.retentionDays * DAY);
    const tables = await this.tables.inOrder();
    const failed = new Map<string, unknown>();
    let removed = 0;
    for (;;) {
      const spaces = await this.database.query<{ id: string }>(
        `SELECT id FROM space WHERE deleted_at < $1 AND NOT id = ANY ($2) ORDER BY deleted_at, id LIMIT ${SPACES_AT_ONCE}`,
        [before, [...failed.keys()]],
      );
      if (spaces.length === 0) break;
      for (const { id } of spaces) {
        signal?.throwIfAborted();
        try {
          if (await this.removeSpace(id, before, tables)) removed++;
        } catch (error) {
          failed.set(id, error);
          this.logger.error(`space ${id} could not be removed: ${String(error)}`);
        }
      }
    }
    const [problem] = failed.values();
    if (problem !== undefined) throw problem instanceof Error ? problem : new Error('a space could not be removed');
    return removed;
  }

  /** False if the space was restored meanwhile. */
  private async removeSpace(id: string, before: Date, tables: readonly SpaceTable[]): Promise<boolean> {
    for (const table of tables) {
      for (;;) {
        const count = await this.whileExpired(id, before, () => this.database.execute(deleteBatch(table), [id]));
        if (count === undefined) return false;
        if (count === 0) break;
      }
    }
    const gone = await this.whileExpired(id, before, async (organizationId) => {
      await this.outbox.record({ type: 'space_removed', organizationId, spaceId: id, target: id });
      return this.database.execute('DELETE FROM space WHERE id = $1', [id]);
    });
    return gone !== undefined;
  }

  /** Runs one step under the lock of the space, unless it left the trash. */
  private whileExpired(
    id: string,
    before: Date,
    step: (organizationId: string) => Promise<number>,
  ): Promise<number | undefined> {
    return this.database.transaction(async () => {
      const space = await this.database.one<{ organization_id: string }>(
        'SELECT organization_id FROM space WHERE id = $1 AND deleted_at < $2 FOR UPDATE',
        [id, before],
      );
      return space && (await step(space.organization_id));
    });
  }
}

function deleteBatch({ table, column, selfReferences }: SpaceTable): string {
  const leaves = selfReferences.map(
    (pairs) =>
      ` AND NOT EXISTS (SELECT FROM ${table} c WHERE ${pairs.map(([own, referred]) => `c.${own} = t.${referred}`).join(' AND ')} AND c.ctid <> t.ctid)`,
  );
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT t.ctid FROM ${table} t WHERE t.${column} = $1${leaves.join('')} LIMIT ${BATCH}))`;
}
