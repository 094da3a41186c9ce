import type { Database } from '../../src/kernel/common/database.js';
import { SEALED_MARK } from '../../src/kernel/common/secrets.js';

/** Answers for repeated requests go within a day, so a new key need not reach them. */
const PASSING = ['idempotency.response'];

/** Columns that hold sealed values although their type does not say so: a new key would never reach those. */
export async function undeclaredSealedColumns(database: Database): Promise<string[]> {
  const columns = await database.query<{ table: string; column: string }>(
    `SELECT c.oid::regclass::text AS table, a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE a.atttypid = 'bytea'::regtype AND NOT a.attisdropped AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
  );
  const parts = columns.map(
    ({ table, column }) =>
      `SELECT '${table}.${column}' AS name WHERE EXISTS (SELECT FROM ${table} WHERE substring("${column}" FROM 1 FOR 4) = $1)`,
  );
  const found = await database.unprepared<{ name: string }>(parts.join(' UNION ALL '), [SEALED_MARK]);
  return found.map(({ name }) => name).filter((name) => !PASSING.includes(name));
}
