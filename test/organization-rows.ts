import type { Database } from '../src/kernel/common/database.js';
import { ARCHIVED, belongsTo } from '../src/operations/organization-archives/archived-tables.js';

type Statements = Pick<Database, 'unprepared'>;

/** Condition on the rows `r` of each archived table that are those of an organization. */
const tablesOf = (organizationId: string): (readonly [string, string])[] =>
  Object.entries(ARCHIVED).map(([name, table]) => [name, belongsTo(table, `'${organizationId}'`)]);

/** The number of rows of an organization in each table, and a sum that differs after any change of one; who was seen when is no change. */
export async function sumsOf(database: Statements, organizationId: string): Promise<Record<string, unknown>> {
  const sums: Record<string, unknown> = {};
  for (const [name, condition] of tablesOf(organizationId)) {
    const [row] = await database.unprepared(
      `SELECT count(*), sum(hashtextextended((to_jsonb(r) - 'last_seen_at')::text, 0)) FROM ${name} r WHERE ${condition}`,
    );
    sums[name] = row;
  }
  return sums;
}

/** The rows of an organization as texts. */
export async function rowsIn(
  database: Statements,
  organizationId: string,
): Promise<{ readonly id: string | null; readonly name: string; readonly row: string }[]> {
  const found = [];
  for (const [name, condition] of tablesOf(organizationId))
    for (const row of await database.unprepared<{ id: string | null; row: string }>(
      `SELECT to_jsonb(r) ->> 'id' AS id, to_jsonb(r)::text AS row FROM ${name} r WHERE ${condition}`,
    ))
      found.push({ name, ...row });
  return found;
}
