import pg from 'pg';
import type { DatabaseConnection } from '../../kernel/common/connection.js';
import type { StoredTable } from './stored-manifest.js';

/** The schema of the queues of background jobs, whose tables the package of the queues makes. */
const JOB_SCHEMA = 'jobs';
const OPEN_JOBS = `state <= 'active'`;

export type TableShape = Omit<StoredTable, 'stream'>;

/**
 * Permanent tables of the service and of added modules with the columns that hold data of their own, and the columns of
 * their primary keys; texts of keys are compared byte by byte. What the database would refill after a crash (unlogged
 * tables) is left out, and so is the record of migrations, which running them makes.
 */
const TABLES = `SELECT c.relname AS name,
    ARRAY(SELECT quote_ident(a.attname) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum) AS columns,
    ARRAY(SELECT quote_ident(a.attname) || CASE WHEN a.attcollation <> 0 THEN ' COLLATE "C"' ELSE '' END
            FROM unnest(coalesce(i.indkey::int2[], ARRAY(SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))) WITH ORDINALITY AS k (attnum, place)
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum ORDER BY k.place) AS order
  FROM pg_class c LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
   AND c.relname <> 'migration' AND c.relname NOT LIKE 'migration\\_of\\_%'
 ORDER BY c.relname`;

const SEQUENCES = `SELECT quote_ident(sequencename) AS name, last_value::text AS value FROM pg_sequences
 WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY sequencename`;

export async function findTables(client: DatabaseConnection): Promise<TableShape[]> {
  const { rows } = await client.query<Omit<TableShape, 'schema'>>(TABLES);
  return rows.map((row) => ({ schema: 'public', ...row }));
}

export async function findSequences(client: DatabaseConnection): Promise<{ name: string; value: string }[]> {
  return (await client.query<{ name: string; value: string }>(SEQUENCES)).rows;
}

/** The migrations of the service and of added modules, by the table that records them. */
export async function findMigrations(client: DatabaseConnection): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND (relname = 'migration' OR relname LIKE 'migration\\_of\\_%') ORDER BY relname`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of rows) {
    const applied = await client.query<{ name: string }>(`SELECT name FROM ${pg.escapeIdentifier(name)} ORDER BY id`);
    found[name] = applied.rows.map((row) => row.name);
  }
  return found;
}

/** The queues of background jobs as their package makes them; undefined where it has not been used. */
export async function findQueues(
  client: DatabaseConnection,
): Promise<{ version: string; names: Record<string, unknown>[] } | undefined> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('${JOB_SCHEMA}.queue') IS NOT NULL AS found`,
  );
  if (rows[0]?.found !== true) return undefined;
  const version = await client.query<{ version: string }>(`SELECT version::text FROM ${JOB_SCHEMA}.version`);
  const queues = await client.query<Record<string, unknown>>(
    `SELECT name, policy, retry_limit AS "retryLimit", retry_delay AS "retryDelay", retry_backoff AS "retryBackoff",
            expire_seconds AS "expireInSeconds", retention_minutes AS "retentionMinutes", dead_letter AS "deadLetter"
       FROM ${JOB_SCHEMA}.queue ORDER BY dead_letter IS NOT NULL, name`,
  );
  return { version: version.rows[0]?.version ?? '', names: queues.rows };
}

/** The table of jobs. */
export async function findJobTable(client: DatabaseConnection): Promise<TableShape> {
  const { rows } = await client.query<{ columns: string[] }>(
    `SELECT array_agg(quote_ident(attname) ORDER BY attnum) AS columns FROM pg_attribute
      WHERE attrelid = '${JOB_SCHEMA}.job'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  return { schema: JOB_SCHEMA, name: 'job', columns: rows[0]?.columns ?? [], order: ['name COLLATE "C"', 'id'] };
}

const nameOf = ({ schema, name }: TableShape): string => `${schema}.${pg.escapeIdentifier(name)}`;

/** Sends all rows of a table in the order of its key; of jobs those that wait, run, or failed for good. */
export function copyTable(table: TableShape): string {
  const where = table.schema === JOB_SCHEMA ? ` WHERE ${OPEN_JOBS}` : '';
  return `COPY (SELECT ${table.columns.join(', ')} FROM ${nameOf(table)}${where} ORDER BY ${table.order.join(', ')}) TO STDOUT`;
}

export const fillTable = (table: TableShape): string =>
  `COPY ${nameOf(table)} (${table.columns.join(', ')}) FROM STDIN`;

/** Sends the files that the database knows: hash, size, and if nothing referred to them when that was looked at last. */
export const COPY_FILES = `COPY (SELECT encode(hash, 'hex'), size, unreferenced_since IS NOT NULL FROM blob ORDER BY hash) TO STDOUT`;
