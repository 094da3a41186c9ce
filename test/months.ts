import { newId } from '../src/kernel/common/ids.js';
import type { ScratchDatabase } from './scratch-database.js';

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
export async function partitionsOf({ source }: ScratchDatabase, table: string): Promise<string[]> {
  const rows = await source.query<{ name: string }[]>('SELECT name FROM month_partitions($1::regclass)', [table]);
  return rows.map(({ name }) => name);
}

/** Lets the first partition of an empty table end as many months ago, as if it had been partitioned then. */
export async function openPast({ source }: ScratchDatabase, table: string, months: number): Promise<void> {
  await source.query(`ALTER TABLE ${table} DETACH PARTITION ${table}_earlier`);
  const [bound] = await source.query<{ text: string }[]>('SELECT month_bound($1::regclass, $2) AS text', [
    table,
    monthsAgo(months).day,
  ]);
  await source.query(
    `ALTER TABLE ${table} ATTACH PARTITION ${table}_earlier FOR VALUES FROM (MINVALUE) TO ('${bound?.text}')`,
  );
  for (let age = months; age >= -1; age--)
    await source.query('SELECT make_month($1::regclass, $2, 100)', [table, monthsAgo(age).day]);
}

/** Adds events of a time; returns their ids. */
export async function events({ source }: ScratchDatabase, at: Date, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(at.getTime()));
  await source.query(
    `INSERT INTO event (id, type, target, at) SELECT id, 'space_updated', 'x', $2 FROM unnest($1::text[]) AS id`,
    [ids, at],
  );
  return ids;
}

/** Adds lines of a time to the audit log. */
export const auditLines = ({ source }: ScratchDatabase, at: Date, count: number): Promise<unknown> =>
  source.query(
    `INSERT INTO audit_event (id, organization_id, event_id, occurred_at, action, source, actor_type, actor_id, target_type, target_id, payload)
     SELECT gen_random_uuid()::text, 'organization', n::text, $1, 'team_created', 'api', 'user', 'nobody', 'team', 'team', '{}' FROM generate_series(1, $2::int) n`,
    [at, count],
  );

/** Adds what readers of a site did at a time. */
export const insights = ({ source }: ScratchDatabase, at: Date, count: number, site = 'site'): Promise<unknown> =>
  source.query(
    `INSERT INTO site_insight (site_id, at, type, context, device, browser, os, visitor, session, url)
     SELECT $3, $1, 0, 0, 0, 0, 0, n, n, 'https://example.com/' FROM generate_series(1, $2::int) n`,
    [at, count, site],
  );
