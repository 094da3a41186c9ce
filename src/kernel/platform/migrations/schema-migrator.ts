import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseConnection } from '../../common/connection.js';
import { sqlState } from '../../common/sql-state.js';
import { OperatorError, reasonOf } from '../operator-error.js';
import { atOnce, type IndexStatement, type SqlMigration } from './migration-file.js';
import { contractionOf, type MigrationHistory } from './migration-history.js';
import { CONTRACTION_LOCK, SILENT_SECONDS } from './server-processes.js';

/**
 * Milliseconds for which a statement of a migration waits for a lock: those who want to read or write the table queue
 * up behind it.
 */
const LOCK_MILLISECONDS = 250;
/** Milliseconds between such attempts, in which those go on: always more than they have waited. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [500, 5000];
const MOST_MINUTES = 10;
/** A lock that was not got, and a deadlock. */
const RETRIED: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);
const WITHOUT_LIMIT = 'SET LOCAL statement_timeout = 0';

const WAITS = `SELECT (SELECT string_agg(DISTINCT format('%s on %s', s.release, s.host), ', ') FROM server_process s
    WHERE s.seen_at > now() - ${SILENT_SECONDS} * interval '1 second' AND NOT s.contractions @> ARRAY[$1]) AS servers,
  (SELECT string_agg(b.migration, ', ') FROM backfill b WHERE b.history = $2 AND b.migration_time < $3 AND b.finished_at IS NULL) AS backfills`;

const BEGIN_BACKFILL = `INSERT INTO backfill (history, migration, migration_time, table_name, key_columns, batch_rows, statement, expected_rows, begun_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT greatest(c.reltuples, 0)::bigint FROM pg_class c WHERE c.oid = to_regclass($4)), now())`;

const INDEX = `SELECT i.indisvalid AND i.indisready AS "isComplete" FROM pg_index i WHERE i.indexrelid = to_regclass($1)`;

/** Runs migrations of one history on a connection; the caller holds the lock against other schema changes. */
export class SchemaMigrator {
  constructor(
    private readonly client: DatabaseConnection,
    private readonly history: MigrationHistory,
  ) {}

  /** The names of the migrations that the database has, in the order in which they ran. */
  recorded(): Promise<string[]> {
    return recordedMigrations(this.client, this.history.table);
  }

  /** Runs several in one transaction, with all of their batches: for a database that nobody else uses. */
  async applyAtOnce(migrations: readonly SqlMigration[]): Promise<void> {
    if (migrations.length === 0) return;
    await this.makeTable();
    await this.inTransaction('Migrations', async () => {
      for (const migration of migrations) {
        await this.client.query(atOnce(migration));
        await this.record(migration);
      }
    });
  }

  /** Runs one beside servers, whose readers and writers wait for it for moments at most. */
  async apply(migration: SqlMigration): Promise<void> {
    await this.makeTable();
    await this.applyIndexes(migration);
    await this.inTransaction(migration.name, () => this.applyHere(migration));
  }

  /**
   * Runs a contracting one, unless it has to wait: for servers of older releases, which cannot start meanwhile, or for
   * batches. `anyway` does not look at servers.
   * @returns the reason why it waits.
   */
  async contract(migration: SqlMigration, anyway = false): Promise<string | undefined> {
    const first = await this.waitsFor(migration, anyway);
    if (first !== undefined) return first;
    await this.applyIndexes(migration);
    return this.inTransaction(migration.name, async () => {
      await this.client.query('SELECT pg_advisory_xact_lock($1, $2)', [...CONTRACTION_LOCK]);
      const reason = await this.waitsFor(migration, anyway);
      if (reason === undefined) await this.applyHere(migration);
      return reason;
    });
  }

  /** The reason why a contracting migration has to wait; undefined if it need not. */
  async waitsFor({ name, time }: SqlMigration, anyway = false): Promise<string | undefined> {
    const { rows } = await this.client.query<{ servers: string | null; backfills: string | null }>(WAITS, [
      contractionOf(this.history, name),
      this.history.table,
      time,
    ]);
    const { servers = null, backfills = null } = rows[0] ?? {};
    if (servers !== null && !anyway) return `servers of an older release run (${servers})`;
    return backfills === null ? undefined : `the batches of ${backfills} are not done`;
  }

  /** Takes a migration back, with all data of its tables. */
  async revert({ name, down }: SqlMigration): Promise<void> {
    const { client, history } = this;
    await this.inTransaction(name, async () => {
      const { rows } = await client.query<{ found: boolean }>(`SELECT to_regclass('backfill') IS NOT NULL AS found`);
      if (rows[0]?.found === true)
        await client.query('DELETE FROM backfill WHERE history = $1 AND migration = $2', [history.table, name]);
      await client.query(down);
      await client.query(`DELETE FROM ${pg.escapeIdentifier(history.table)} WHERE name = $1`, [name]);
    });
  }

  private async applyHere(migration: SqlMigration): Promise<void> {
    const { client, history } = this;
    const { name, time, up, indexes, batched } = migration;
    if (indexes.length === 0) await client.query(up);
    if (batched !== undefined) {
      const { table, key, rows, statement } = batched;
      await client.query(BEGIN_BACKFILL, [history.table, name, time, table, key, rows, statement]);
    }
    await this.record(migration);
  }

  private async record({ name, time }: SqlMigration): Promise<void> {
    await this.client.query(
      `INSERT INTO ${pg.escapeIdentifier(this.history.table)} ("timestamp", name) VALUES ($1, $2)`,
      [time, name],
    );
  }

  private async makeTable(): Promise<void> {
    const { table } = this.history;
    const { rows } = await this.client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
      table,
    ]);
    if (rows[0]?.found === true) return;
    await this.client.query(
      `CREATE TABLE ${pg.escapeIdentifier(table)} (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name character varying NOT NULL)`,
    );
  }

  /** One that was interrupted leaves an index that is not valid, which is dropped and made again. */
  private async applyIndexes({ indexes }: SqlMigration): Promise<void> {
    if (indexes.length === 0) return;
    // A setting of the session would stay with that of a pooler.
    if (!this.client.isPooled) await this.client.query('SET statement_timeout = 0');
    for (const change of indexes) await this.applyIndex(change);
  }

  private async applyIndex({ index, isDrop, statement }: IndexStatement): Promise<void> {
    const { rows } = await this.client.query<{ isComplete: boolean }>(INDEX, [index]);
    const [present] = rows;
    if (isDrop ? present === undefined : present?.isComplete === true) return;
    if (present !== undefined && !isDrop) await this.client.query(`DROP INDEX CONCURRENTLY ${index}`);
    await this.client.query(statement);
  }

  /** @throws OperatorError where a lock is not got within minutes. */
  private async inTransaction<T>(name: string, work: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + MOST_MINUTES * 60_000;
    for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      try {
        await this.client.query('BEGIN');
        await this.client.query(`${WITHOUT_LIMIT}; SET LOCAL lock_timeout = ${LOCK_MILLISECONDS}`);
        const result = await work();
        await this.client.query('COMMIT');
        return result;
      } catch (error) {
        await this.client.query('ROLLBACK').catch(() => undefined);
        if (!RETRIED.has(sqlState(error))) throw error;
        if (Date.now() > deadline)
          throw new OperatorError(
            `${name} could not lock its tables within ${MOST_MINUTES} minutes (${reasonOf(error)}): end the long transactions that pg_stat_activity shows, and start this again`,
            { cause: error },
          );
      }
      await pause(wait);
    }
  }
}

/** The names of the migrations that a table records, in the order in which they ran. */
export async function recordedMigrations(client: DatabaseConnection, table: string): Promise<string[]> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  if (rows[0]?.found !== true) return [];
  const recorded = await client.query<{ name: string }>(`SELECT name FROM ${pg.escapeIdentifier(table)} ORDER BY id`);
  return recorded.rows.map(({ name }) => name);
}
