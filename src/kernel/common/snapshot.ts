import type { DatabaseConnection } from './connection.js';

const PARTITIONED = `SELECT format('public.%I', c.relname) AS name FROM pg_class c
 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'p' AND NOT c.relispartition ORDER BY 1`;

/**
 * Begins a transaction that reads all tables as they are at one moment. A partition that somebody drops is gone for
 * those as well who see an earlier moment, so all of them are locked against that before the moment.
 */
export async function beginSnapshot(client: DatabaseConnection): Promise<void> {
  const { rows } = await client.query<{ name: string }>(PARTITIONED);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  if (rows.length > 0) await client.query(`LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`);
}
