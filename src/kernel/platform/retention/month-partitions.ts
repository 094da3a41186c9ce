import type { Database } from '../../common/database.js';
import { leastIdAt } from '../../common/ids.js';
import { ContributionPoint } from '../manifest/contribution.js';

/** Names of tables whose partitions are months. */
export const TABLES_BY_MONTH = new ContributionPoint<string>('tables by month');

/** A month of a table, from one value of its key to another. */
export interface Month {
  readonly name: string;
  readonly lower: string;
  readonly upper: string;
}

export interface OldRows {
  readonly table: string;
  /** The column that tells months apart: ids that begin with their time, or the time itself. */
  readonly key: 'id' | 'time';
  /** Days that rows are kept at least. */
  readonly days: number;
  /** Tells if rows of a month are needed still, so that others of it go one by one. */
  readonly isUsed?: (month: Month) => Promise<boolean>;
  /** Removes a batch of rows whose key is less, and returns their number. */
  readonly removeRows: (before: string) => Promise<number>;
  /** Rows of a batch. */
  readonly batch: number;
  readonly signal?: AbortSignal | undefined;
}

const BEFORE = `SELECT now() - $1 * interval '1 day' AS at`;

const MONTHS = `SELECT m.name, m.lower, m.upper, m.upper <= month_bound($1::regclass, ($2::timestamptz AT TIME ZONE 'UTC')::date) COLLATE "C" AS "isOver"
  FROM month_partitions($1::regclass) m WHERE m.lower IS NOT NULL ORDER BY m.lower COLLATE "C"`;

const DROP = `SELECT drop_month($1::regclass, $2, ($3::timestamptz AT TIME ZONE 'UTC')::date)::float8 AS rows`;

/**
 * Removes what is older than a number of days by the clock of the database: months that are over by dropping them, each
 * in its own transaction, and rows that lie in no month, or in one that is used, in batches. A month that others hold
 * locks on stays until the next time. Returns the number of rows.
 */
export async function removeOld(database: Database, old: OldRows): Promise<number> {
  const now = await database.one<{ at: Date }>(BEFORE, [old.days]);
  if (!now) throw new Error('the database does not tell the time');
  const months = await database.query<Month & { isOver: boolean }>(MONTHS, [old.table, now.at]);
  let limit = boundOf(old.key, now.at);
  let removed = 0;
  for (const month of months) {
    old.signal?.throwIfAborted();
    const rows = month.isOver ? await dropMonth(database, old, month, now.at) : 'kept';
    if (rows === 'kept') {
      // Rows of months go with them, later, unless nothing is kept.
      if (old.days > 0 && month.lower < limit) limit = month.lower;
      break;
    }
    if (rows !== 'used') removed += rows;
  }
  for (;;) {
    old.signal?.throwIfAborted();
    const count = await old.removeRows(limit);
    removed += count;
    if (count < old.batch) return removed;
  }
}

const boundOf = (key: OldRows['key'], at: Date): string =>
  key === 'id' ? leastIdAt(at.getTime()) : at.toISOString().replace('T', ' ').replace('Z', '+00');

class MonthInUse extends Error {}

async function dropMonth(
  database: Database,
  { table, isUsed = async () => false }: OldRows,
  month: Month,
  before: Date,
): Promise<number | 'used' | 'kept'> {
  if (await isUsed(month)) return 'used';
  try {
    return await database.transaction(async () => {
      const dropped = await database.one<{ rows: number | null }>(DROP, [table, month.name, before]);
      // Behind its lock nobody writes to the table.
      if (await isUsed(month)) throw new MonthInUse();
      return dropped?.rows ?? 'kept';
    });
  } catch (error) {
    if (error instanceof MonthInUse) return 'used';
    throw error;
  }
}
