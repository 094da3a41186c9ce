import pg from 'pg';
import PgBoss from 'pg-boss';
import type { DatabaseConnection } from '../../kernel/common/connection.js';
import { OperatorError } from '../../kernel/platform/operator-error.js';
import type { BackupRepository } from './backup-repository.js';
import { fillTable, findQueues, findTables, type TableShape } from './catalogue.js';
import { TEXT_SETTINGS, copyIn } from '../../kernel/common/copy-streams.js';
import type { BackupManifest } from './stored-manifest.js';
import { readStream } from './stored-stream.js';

/** Tables that hold rows although nothing was written: migrations fill them. */
const FILLED_BY_MIGRATIONS: readonly string[] = ['sealing_key'];

const TABLES_WITH_ROWS = `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND (n.nspname = 'public' OR n.nspname = 'jobs' AND c.relname = 'job')
   AND c.relname <> 'migration' AND c.relname NOT LIKE 'migration\\_of\\_%' AND c.relname <> ALL ($1) ORDER BY 1`;

const FOREIGN_KEYS = `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0 ORDER BY conrelid, conname`;

const TRIGGERS = `SELECT tgrelid::regclass::text AS "table", quote_ident(tgname) AS name,
    CASE tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE' END AS enabling FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
 WHERE NOT tgisinternal AND tgenabled <> 'D' AND c.relnamespace = 'public'::regnamespace ORDER BY 1, 2`;

/** @throws OperatorError with the name of a table that holds something. */
export async function requireEmpty(client: DatabaseConnection): Promise<void> {
  const { rows } = await client.query<{ name: string }>(TABLES_WITH_ROWS, [FILLED_BY_MIGRATIONS]);
  for (const { name } of rows) {
    const found = await client.query<{ any: boolean }>(`SELECT EXISTS (SELECT FROM ${name}) AS any`);
    if (found.rows[0]?.any === true)
      throw new OperatorError(
        `The database is not empty, its table ${name} has rows: restore into a new DATA_DIR, or a new database in DATABASE_URL`,
      );
  }
}

/**
 * Makes the tables of the queues of background jobs. Commits by itself.
 * @throws OperatorError if the backup has them as another release makes them.
 */
export async function makeQueues(client: DatabaseConnection, queues: BackupManifest['queues']): Promise<void> {
  if (queues === null) return;
  if (!(await findQueues(client))) await client.query(PgBoss.getConstructionPlans('jobs'));
  const version = (await findQueues(client))?.version;
  if (version !== queues.version)
    throw new OperatorError(
      `The queues of background jobs are of version ${queues.version} in the backup, and of ${version ?? 'none'} here: restore it with the release that wrote it, then upgrade`,
    );
  for (const { name, ...options } of queues.names)
    await client.query('SELECT jobs.create_queue($1, $2)', [name, JSON.stringify(options)]);
}

/**
 * Loads all rows of a backup into the tables of the same migrations, in one transaction that `more` takes part in.
 * Triggers are off, because their effects are among the rows. Foreign keys are made anew behind the rows, which checks
 * all references, and needs no more rights than the owner of the tables has.
 */
export async function loadRows(
  client: DatabaseConnection,
  repository: BackupRepository,
  { tables, sequences }: Pick<BackupManifest, 'tables' | 'sequences'>,
  more: () => Promise<void>,
): Promise<void> {
  await client.query('BEGIN');
  await client.query(TEXT_SETTINGS);
  const own = await findTables(client);
  requireSameTables(own, tables);
  const names = own.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
  await client.query(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  await requireEmpty(client);
  const keys = await client.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS);
  const triggers = await client.query<{ table: string; name: string; enabling: string }>(TRIGGERS);
  for (const { table, name } of triggers.rows) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${name}`);
  await client.query(`TRUNCATE ${names}`);
  for (const { table, name } of keys.rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const table of tables) await copyIn(client, fillTable(table), readStream(repository, table.stream));
  for (const { table, name, definition } of keys.rows)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const { table, name, enabling } of triggers.rows)
    await client.query(`ALTER TABLE ${table} ${enabling} TRIGGER ${name}`);
  for (const { name, value } of sequences) await client.query('SELECT setval($1::regclass, $2)', [name, value]);
  await more();
  await client.query('COMMIT');
}

function requireSameTables(own: readonly TableShape[], stored: readonly TableShape[]): void {
  // The order of columns is that in which migrations have run.
  const shapeOf = ({ name, columns }: TableShape): string => `${name} (${columns.toSorted().join(', ')})`;
  const here = new Set(own.map(shapeOf));
  const other = stored.find((table) => table.schema === 'public' && !here.has(shapeOf(table)));
  if (other)
    throw new OperatorError(
      `The backup has the table ${shapeOf(other)}, which the migrations of this release do not make: restore it with the release and the modules that wrote it`,
    );
}
