import { newId } from '../src/kernel/common/ids.js';
import type { ScratchDatabase } from './scratch-database.js';

type Sourced = Pick<ScratchDatabase, 'source'>;

export interface TestMonth {
  /** Its first day, in UTC. */
  readonly day: string;
  /** A moment in it. */
  readonly at: Date;
  /** The name of the partition of a table. */
  readonly nameOf: (table: string) => string;
}

/** A month before this one; a negative number tells one that comes. */
export function monthsAgo(age: number): TestMonth {
  const now = new Date();
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - age, 10));
  const month = at.toISOString().slice(0, 7);
  return { day: `${month}-01`, at, nameOf: (table) => `${table}_${month.replace('-', '_')}` };
}

/** The partitions of a table, the oldest first and the DEFAULT one last. */
export async function partitionsOf({ source }: Sourced, table: string): Promise<string[]> {
  const rows = await source.query<{ name: string }[]>('SELECT name FROM month_partitions($1::regclass)', [table]);
  return rows.map(({ name }) => name);
}

/** Lets the first partition of a table end as many months ago, as if it had been partitioned then. */
export async function openPast({ source }: Sourced, table: string, months: number): Promise<void> {
  const [bound] = await source.query<{ text: string }[]>('SELECT month_bound($1::regclass, $2) AS text', [
    table,
    monthsAgo(months).day,
  ]);
  for (const statement of [
    `ALTER TABLE ${table} DETACH PARTITION ${table}_earlier`,
    `CREATE TABLE kept AS SELECT * FROM ${table}_earlier`,
    `ALTER TABLE ${table}_earlier DISABLE TRIGGER USER`,
    `TRUNCATE ${table}_earlier`,
    `ALTER TABLE ${table}_earlier ENABLE TRIGGER USER`,
    `ALTER TABLE ${table} ATTACH PARTITION ${table}_earlier FOR VALUES FROM (MINVALUE) TO ('${bound?.text}')`,
  ])
    await source.query(statement);
  for (let age = months; age >= -1; age--)
    await source.query('SELECT make_month($1::regclass, $2, 100)', [table, monthsAgo(age).day]);
  await source.query(`INSERT INTO ${table} SELECT * FROM kept`);
  await source.query('DROP TABLE kept');
}

/** Adds events of a time; returns their ids. */
export async function events({ source }: Sourced, at: Date, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(at.getTime()));
  await source.query(
    `INSERT INTO event (id, type, target, at) SELECT id, 'space_updated', 'x', $2 FROM unnest($1::text[]) AS id`,
    [ids, at],
  );
  return ids;
}

/** Adds lines of a time to the audit log. */
export const auditLines = (
  { source }: Sourced,
  at: Date,
  count: number,
  organization = 'organization',
): Promise<unknown> =>
  source.query(
    `INSERT INTO audit_event (id, organization_id, event_id, occurred_at, action, source, actor_type, actor_id, target_type, target_id, payload)
     SELECT gen_random_uuid()::text, $3, n::text, $1, 'team_created', 'api', 'user', 'nobody', 'team', 'team', '{}' FROM generate_series(1, $2::int) n`,
    [at, count, organization],
  );

/** Adds what readers of a site did at a time. */
export const insights = ({ source }: Sourced, at: Date, count: number, site = 'site'): Promise<unknown> =>
  source.query(
    `INSERT INTO site_insight (site_id, at, type, context, device, browser, os, visitor, session, url)
     SELECT $3, $1, 0, 0, 0, 0, 0, n, n, 'https://example.com/' FROM generate_series(1, $2::int) n`,
    [at, count, site],
  );
