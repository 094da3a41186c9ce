import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../common/database.js';
import { sqlState } from '../../common/sql-state.js';
import { reasonOf } from '../operator-error.js';
import { inBatch } from './migration-file.js';

/** Any two fixed numbers: one batch at a time, on any server. */
const BATCH_LOCK = [0x62696e64, 5] as const;
/** Milliseconds for which a batch waits for a row that somebody else changes. */
const LOCK_MILLISECONDS = 1000;
const RETRY_MILLISECONDS = 1000;
/** A row that somebody else changes for longer. */
const LOCK_NOT_AVAILABLE = '55P03';

/** A batch takes as long as it takes: one that was ended would be begun again for ever. */
const TAKE_LOCK = `SELECT pg_try_advisory_xact_lock($1, $2) AS "isTaken", set_config('lock_timeout', $3, true), set_config('statement_timeout', '0', true)`;

const NEXT = `SELECT history, migration, table_name AS "table", key_columns AS key, batch_rows AS rows, statement, last_key AS "lastKey"
  FROM backfill WHERE finished_at IS NULL ORDER BY migration_time, history LIMIT 1`;

const NOTE = `UPDATE backfill SET last_key = coalesce($3, last_key), done_rows = done_rows + $4, failure = NULL, finished_at = CASE WHEN $5 THEN now() END
  WHERE history = $1 AND migration = $2`;

/** Those that are not finished, in their order, as rows of `BackfillProgress`. */
export const BACKFILL_PROGRESS = `SELECT history, migration, done_rows::float8 AS "doneRows", expected_rows::float8 AS "expectedRows", failure
  FROM backfill WHERE finished_at IS NULL ORDER BY migration_time, history`;

interface NextBatch {
  readonly history: string;
  readonly migration: string;
  readonly table: string;
  readonly key: readonly string[];
  readonly rows: number;
  readonly statement: string;
  readonly lastKey: readonly string[] | null;
}

/** A backfill that is not finished. */
export interface BackfillProgress {
  readonly history: string;
  readonly migration: string;
  readonly doneRows: number;
  readonly expectedRows: number;
  readonly failure: string | null;
}

type Outcome = 'done' | 'more' | 'busy' | 'failed';

/** Words about one, such as `4000 of about 10000 rows`. */
export const describeBackfill = ({ doneRows, expectedRows, failure }: BackfillProgress): string =>
  `${doneRows} of about ${Math.max(doneRows, expectedRows)} rows${failure === null ? '' : `, and a batch failed (${failure})`}`;

/**
 * Runs the statements of migrations that change rows in batches. A batch and the note of it are one transaction, so a
 * server that dies has nothing to repeat; any server runs them, since the statements are in the database.
 */
@Injectable()
export class Backfills {
  private readonly logger = new Logger('Backfills');

  constructor(private readonly database: Database) {}

  /** Those that are not finished, in their order. */
  progress(): Promise<BackfillProgress[]> {
    return this.database.query<BackfillProgress & Record<string, unknown>>(BACKFILL_PROGRESS);
  }

  /**
   * Runs all batches that are left, with a pause as long as each of them took. Where another process runs them, this
   * one waits for it.
   * @returns false if some are left, because one failed or `signal` ended this.
   */
  async finish(signal?: AbortSignal): Promise<boolean> {
    while (signal?.aborted !== true) {
      const began = performance.now();
      const outcome = await this.step();
      if (outcome === 'done') return true;
      if (outcome === 'failed') return false;
      await pause(outcome === 'busy' ? RETRY_MILLISECONDS : performance.now() - began);
    }
    return false;
  }

  private async step(): Promise<Outcome> {
    const next = await this.database.one<NextBatch & Record<string, unknown>>(NEXT);
    if (next === undefined) return 'done';
    try {
      return await this.database.transaction(() => this.runNext());
    } catch (error) {
      if (sqlState(error) === undefined) throw error;
      if (sqlState(error) === LOCK_NOT_AVAILABLE) return 'busy';
      await this.database.execute('UPDATE backfill SET failure = $3 WHERE history = $1 AND migration = $2', [
        next.history,
        next.migration,
        reasonOf(error),
      ]);
      this.logger.error(`a batch of ${next.migration} failed: ${String(error)}`);
      return 'failed';
    }
  }

  /** The next batch under the lock, which tells what the one before has noted. */
  private async runNext(): Promise<Outcome> {
    const lock = await this.database.one<{ isTaken: boolean }>(TAKE_LOCK, [...BATCH_LOCK, String(LOCK_MILLISECONDS)]);
    if (lock?.isTaken !== true) return 'busy';
    const next = await this.database.one<NextBatch & Record<string, unknown>>(NEXT);
    if (next === undefined) return 'done';
    const { history, migration, key, rows, lastKey } = next;
    const above = lastKey === null ? '' : ` WHERE (${key.join(', ')}) > (${placesOf(key, 1)})`;
    const [end] = await this.database.unprepared<{ count: number; lastKey: string[] }>(
      `SELECT count(*) OVER ()::int AS count, ARRAY[${key.map((column) => `${column}::text`).join(', ')}] AS "lastKey"
         FROM (SELECT ${key.join(', ')} FROM ${next.table}${above} ORDER BY ${key.join(', ')} LIMIT ${rows}) AS batch
        ORDER BY ${key.map((column) => `${column} DESC`).join(', ')} LIMIT 1`,
      lastKey ?? [],
    );
    if (end !== undefined) {
      const until = `${above === '' ? ' WHERE' : `${above} AND`} (${key.join(', ')}) <= (${placesOf(key, (lastKey?.length ?? 0) + 1)})`;
      await this.database.unprepared(inBatch(next, until), [...(lastKey ?? []), ...end.lastKey]);
    }
    const isFinished = end === undefined || end.count < rows;
    await this.database.execute(NOTE, [history, migration, end?.lastKey ?? null, end?.count ?? 0, isFinished]);
    return 'more';
  }
}

const placesOf = (key: readonly string[], first: number): string =>
  key.map((_, place) => `$${place + first}`).join(', ');
