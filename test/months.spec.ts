import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../src/kernel/common/clock.js';
import { connectTo, type DatabaseConnection } from '../src/kernel/common/connection.js';
import { Database } from '../src/kernel/common/database.js';
import { leastIdAt, newId } from '../src/kernel/common/ids.js';
import { beginSnapshot } from '../src/kernel/common/snapshot.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { MonthsAheadJob } from '../src/kernel/platform/retention/months-ahead.job.js';
import { MonthsCheck } from '../src/kernel/platform/retention/months.check.js';
import { PastEventsJob } from '../src/kernel/platform/retention/past-events.job.js';
import { Insights } from '../src/publishing/sites/insights/insights.service.js';
import { AuditRetentionJob } from '../src/operations/audit/audit-retention.job.js';
import { REGISTRY } from './events/registry.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { auditLines, events, insights, monthsAgo, openPast, partitionsOf } from './months.js';

Logger.overrideLogger(false);

const TABLES = ['event', 'audit_event', 'site_insight'] as const;
/** Takes handlers of jobs and runs none. */
const idle: Jobs = Object.assign(Object.create(Jobs.prototype) as Jobs, { handle: () => undefined });

let scratch: ScratchDatabase;
let database: Database;
let other: DatabaseConnection;
beforeEach(async () => {
  scratch = await scratchDatabase();
  database = new Database(scratch.source);
  other = await connectTo(scratch.url, 'other of the test');
});
afterEach(async () => {
  other.abandon();
  await scratch.drop();
});

const job = (): MonthsAheadJob => new MonthsAheadJob(database, REGISTRY);
const countOf = async (table: string): Promise<number> =>
  Number((await scratch.source.query<{ count: string }[]>(`SELECT count(*) FROM ${table}`))[0]?.count);
const tellsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};

describe('the months ahead', () => {
  it('are made once, by however many servers', async () => {
    for (const table of TABLES) await scratch.source.query(`DROP TABLE ${monthsAgo(-2).nameOf(table)}`);
    const second = new MonthsAheadJob(new Database(await scratch.connect()), REGISTRY);
    const made = await Promise.all([job().make(), second.make(), job().make()]);
    expect(made.reduce((sum, each) => sum + each, 0)).toBe(3);
    for (const table of TABLES)
      expect(await partitionsOf(scratch, table)).toEqual([
        `${table}_earlier`,
        monthsAgo(-2).nameOf(table),
        `${table}_default`,
      ]);
    expect(await job().make()).toBe(0);
  });

  it('take their rows out of the DEFAULT partition, and leave those of others', async () => {
    const [soon, later] = [monthsAgo(-2), monthsAgo(-3)];
    for (const table of TABLES) await scratch.source.query(`DROP TABLE ${soon.nameOf(table)}`);
    for (const month of [soon, later]) {
      await events(scratch, month.at, 20);
      await auditLines(scratch, month.at, 20);
      await insights(scratch, month.at, 20);
    }
    for (const table of TABLES) expect(await countOf(`${table}_default`)).toBe(40);
    expect(await job().make()).toBe(3);
    for (const table of TABLES)
      expect([await countOf(soon.nameOf(table)), await countOf(`${table}_default`), await countOf(table)]).toEqual([
        20, 20, 40,
      ]);
    // What guards the audit log is on again.
    await expect(scratch.source.query('DELETE FROM audit_event_default')).rejects.toThrow('cannot be changed');
  });

  it('are not made where too many rows would have to be moved, and nothing is lost by that', async () => {
    const month = monthsAgo(-2);
    await scratch.source.query(`DROP TABLE ${month.nameOf('event')}`);
    await events(scratch, month.at, 11);
    const make = async (most: number): Promise<unknown> =>
      (await scratch.source.query<unknown[]>(`SELECT make_month('event', $1, $2) AS state`, [month.day, most]))[0];
    expect(await make(10)).toEqual({ state: 'full' });
    expect(await countOf('event_default')).toBe(11);
    expect(await make(11)).toEqual({ state: 'made' });
    expect(await countOf(month.nameOf('event'))).toBe(11);
  });

  it('of a busy table are left for the next time, and writers hardly wait', async () => {
    const month = monthsAgo(-2);
    await scratch.source.query(`DROP TABLE ${month.nameOf('event')}`);
    await other.query('BEGIN');
    await other.query(`INSERT INTO event (id, type, target, at) VALUES ('${newId()}', 'space_created', 'x', now())`);
    const attempt = job().make();
    await pause(30);
    expect(await tellsOf(() => events(scratch, new Date(), 1))).toBeLessThan(400);
    expect(await attempt).toBe(0);
    await other.query('COMMIT');
    expect(await job().make()).toBe(1);
    expect(await countOf('event')).toBe(2);
  });

  it('come with statistics of the whole table', async () => {
    await events(scratch, new Date(), 500);
    await job().run(new AbortController().signal);
    const [row] = await scratch.source.query<{ rows: number }[]>(
      `SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'event'`,
    );
    expect(row?.rows).toBe(500);
  });
});

describe('events that are over', () => {
  const past = (days = 60): PastEventsJob => new PastEventsJob(database, { eventRetentionDays: days });

  it('go with their month, and those of a partly old month stay', async () => {
    await openPast(scratch, 'event', 8);
    for (const age of [9, 7, 4, 3]) await events(scratch, monthsAgo(age).at, 1200);
    // The limit lies in the middle of this month.
    const days = (Date.now() - monthsAgo(3).at.getTime()) / (24 * 3600 * 1000);
    expect(await past(days).remove()).toBe(3600);
    expect(await partitionsOf(scratch, 'event')).not.toContain(monthsAgo(4).nameOf('event'));
    expect(await countOf(monthsAgo(3).nameOf('event'))).toBe(1200);
    expect(await countOf('event')).toBe(1200);
  });

  it('stay with their month while claims are left, and go one by one around them', async () => {
    await openPast(scratch, 'event', 8);
    const claimed = monthsAgo(6);
    await scratch.source.query(`INSERT INTO event_consumer (name, created_at) VALUES ('keeper', now())`);
    const [kept] = await events(scratch, claimed.at, 30);
    await events(scratch, monthsAgo(5).at, 7);
    await scratch.source.query(
      `INSERT INTO event_claim (consumer, event_id, due_at, dead) VALUES ('keeper', $1, now(), true)`,
      [kept],
    );
    expect(await past().remove()).toBe(36);
    expect(await scratch.source.query('SELECT id FROM event')).toEqual([{ id: kept }]);
    expect(await partitionsOf(scratch, 'event')).toContain(claimed.nameOf('event'));
    await scratch.source.query('DELETE FROM event_claim');
    expect(await past().remove()).toBe(1);
    expect(await partitionsOf(scratch, 'event')).not.toContain(claimed.nameOf('event'));
  });

  it('stay for the next time where their table is busy, and where one is claimed meanwhile', async () => {
    await openPast(scratch, 'event', 8);
    const month = monthsAgo(6);
    await scratch.source.query(`INSERT INTO event_consumer (name, created_at) VALUES ('keeper', now())`);
    const [id] = await events(scratch, month.at, 10);
    await other.query('BEGIN');
    await other.query('SELECT FROM event');
    const attempt = past().remove();
    await pause(30);
    expect(await tellsOf(() => events(scratch, new Date(), 1))).toBeLessThan(400);
    expect([await attempt, await countOf(month.nameOf('event'))]).toEqual([0, 10]);
    await other.query('COMMIT');
    // A claim that is committed between the first look and the lock.
    const slow = Object.assign(Object.create(database) as Database, {
      transaction: async (work: () => Promise<unknown>) => {
        await scratch.source.query(
          `INSERT INTO event_claim (consumer, event_id, due_at) VALUES ('keeper', $1, now()) ON CONFLICT DO NOTHING`,
          [id],
        );
        return database.transaction(work);
      },
    });
    expect(await new PastEventsJob(slow, { eventRetentionDays: 60 }).remove()).toBe(9);
    expect(await countOf(month.nameOf('event'))).toBe(1);
  });

  it('go once where two servers remove them', async () => {
    await openPast(scratch, 'event', 8);
    for (const age of [7, 6, 5]) await events(scratch, monthsAgo(age).at, 100);
    const second = new PastEventsJob(new Database(await scratch.connect()), { eventRetentionDays: 60 });
    const removed = await Promise.all([past().remove(), second.remove(), past().remove()]);
    removed.push(await past().remove());
    expect(removed.reduce((sum, each) => sum + each, 0)).toBe(300);
    expect(await countOf('event')).toBe(0);
  });

  it('are there for those who have begun to read them', async () => {
    await openPast(scratch, 'event', 8);
    await events(scratch, monthsAgo(6).at, 10);
    await beginSnapshot(other);
    expect(await past().remove()).toBe(0);
    expect((await other.query('SELECT FROM event')).rowCount).toBe(10);
    await other.query('COMMIT');
    expect(await past().remove()).toBe(10);
  });
});

describe('the audit log by month', () => {
  const retention = (): AuditRetentionJob =>
    new AuditRetentionJob(database, new Clock(), idle, { auditRetentionDays: 60 });

  it('loses months only by its retention, which notes how many lines they had', async () => {
    await openPast(scratch, 'audit_event', 8);
    const [oldest, old, empty] = [monthsAgo(7), monthsAgo(5), monthsAgo(4)];
    await auditLines(scratch, monthsAgo(9).at, 1001);
    await auditLines(scratch, oldest.at, 1500);
    await auditLines(scratch, old.at, 3);
    await auditLines(scratch, new Date(), 4);
    for (const statement of [
      `UPDATE ${old.nameOf('audit_event')} SET actor_id = 'somebody'`,
      `DELETE FROM ${old.nameOf('audit_event')}`,
      `TRUNCATE ${old.nameOf('audit_event')}`,
      'DELETE FROM audit_event_earlier',
      'TRUNCATE audit_event_earlier, audit_event_default',
      `SELECT drop_month('audit_event', '${old.nameOf('audit_event')}', current_date)`,
    ])
      await expect(scratch.source.query(statement)).rejects.toThrow('the audit log cannot be changed');
    expect(await retention().remove()).toBe(2504);
    const removals = await scratch.source.query<{ removed: number }[]>(
      'SELECT removed FROM audit_removal ORDER BY removed',
    );
    expect(removals.map(({ removed }) => removed)).toEqual([1, 3, 1000, 1500]);
    const left = await partitionsOf(scratch, 'audit_event');
    for (const month of [oldest, old, empty]) expect(left).not.toContain(month.nameOf('audit_event'));
    expect([left.includes(monthsAgo(0).nameOf('audit_event')), await countOf('audit_event')]).toEqual([true, 4]);
  });

  it('refuses to lose a month within 29 days, and leaves a busy one', async () => {
    await openPast(scratch, 'audit_event', 8);
    await auditLines(scratch, monthsAgo(5).at, 3);
    await expect(
      scratch.source.query(`INSERT INTO audit_removal (id, before, removed_at) VALUES ('r', now(), now())`),
    ).rejects.toThrow('29 days');
    await other.query('BEGIN');
    await other.query('SELECT FROM audit_event');
    expect(await retention().remove()).toBe(0);
    expect(await countOf('audit_event')).toBe(3);
    await other.query('COMMIT');
    expect(await retention().remove()).toBe(3);
  });
});

describe('what readers of a site did', () => {
  const service = (days: number, jobs = idle): Insights => {
    const unused = {} as never;
    const config = { insightsRetentionDays: days, insightsBatchesPerMinute: 0 };
    return new Insights(database, new Clock(), jobs, unused, unused, unused, config);
  };

  it('goes with its months, and rows of other months at the same places stay', async () => {
    await openPast(scratch, 'site_insight', 8);
    for (const age of [9, 6, 1, 0]) await insights(scratch, monthsAgo(age).at, 1500);
    expect(await service(100).removeStale()).toBe(3000);
    expect(await partitionsOf(scratch, 'site_insight')).not.toContain(monthsAgo(6).nameOf('site_insight'));
    expect(await countOf('site_insight')).toBe(3000);
  });

  it('is forgotten with its site alone', async () => {
    await openPast(scratch, 'site_insight', 8);
    for (const age of [3, 2, 1]) {
      await insights(scratch, monthsAgo(age).at, 1200, `site-${age % 2}`);
      await insights(scratch, monthsAgo(age).at, 1200, 'other');
    }
    let forget: ((payload: object, run: object) => Promise<void>) | undefined;
    const jobs = Object.assign(Object.create(Jobs.prototype) as Jobs, {
      handle: (name: string, handler: typeof forget) => void (name === 'insights.forget' && (forget = handler)),
    });
    service(400, jobs).onModuleInit();
    await forget?.({ site: 'site-1' }, { signal: new AbortController().signal });
    const rows = await scratch.source.query<unknown[]>(
      'SELECT site_id, count(*)::int FROM site_insight GROUP BY 1 ORDER BY 1',
    );
    expect(rows).toEqual([
      { site_id: 'other', count: 3600 },
      { site_id: 'site-0', count: 1200 },
    ]);
  });
});

describe('the doctor of months', () => {
  const check = async (mend = false): Promise<string[]> =>
    (await new MonthsCheck(database, REGISTRY, job()).run({ mend })).map(
      ({ level, message }) => `${level}: ${message}`,
    );

  it('tells of missing months, rows in none and partitions without triggers, and makes months', async () => {
    expect(await check()).toEqual(['ok: The partitions of this month and the next 2 are there']);
    const [soon, far] = [monthsAgo(-2), monthsAgo(-7)];
    await scratch.source.query(`DROP TABLE ${soon.nameOf('event')}`);
    await insights(scratch, far.at, 3);
    await scratch.source.query('DROP TRIGGER audit_event_kept ON audit_event_earlier');
    await scratch.source.query(`ALTER TABLE ${soon.nameOf('audit_event')} DISABLE TRIGGER audit_event_kept`);
    const rest = [
      `fault: The partition ${soon.nameOf('audit_event')} of audit_event lacks triggers of its table`,
      'fault: The partition audit_event_earlier of audit_event lacks triggers of its table',
      'warning: Rows of site_insight that lie in no month: 3',
    ];
    const found = await check();
    expect(found.sort()).toEqual([
      ...rest.slice(0, 2),
      rest[2],
      `warning: The table event has no partition for ${soon.day.slice(0, 7)}`,
    ]);
    expect((await check(true)).sort()).toEqual([
      ...rest.slice(0, 2),
      'mended: Partitions of the next months were made: 1',
      rest[2],
    ]);
    await scratch.source.query(`CALL give_month_triggers('audit_event', 'audit_event_earlier')`);
    await scratch.source.query(`ALTER TABLE ${soon.nameOf('audit_event')} ENABLE TRIGGER audit_event_kept`);
    expect(await check()).toEqual([rest[2]]);
  });
});

describe('plans of tables with 14 months', () => {
  /** The partitions that a statement reads, beside the DEFAULT one, in the plan for parameters that are not known beforehand. */
  const readBy = async (statement: string, values: readonly string[], types: string): Promise<string[]> => {
    await other.query(`SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off`);
    await other.query(`PREPARE asked (${types}) AS ${statement}`);
    const { rows } = await other.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS off, TIMING off) EXECUTE asked (${values.map((value) => `'${value}'`).join(', ')})`,
    );
    await other.query('DEALLOCATE asked');
    const lines = rows.map((row) => row['QUERY PLAN']).filter((line) => !line.includes('never executed'));
    const names = lines.join('\n').matchAll(/ on (\w+_(?:\d{4}_\d{2}|earlier))\b/g);
    return [...new Set([...names].map(([, name = '']) => name))];
  };

  it('read those of the time that is asked for', async () => {
    for (const table of TABLES) await openPast(scratch, table, 14);
    for (let age = 0; age < 14; age++) {
      await events(scratch, monthsAgo(age).at, 50);
      await auditLines(scratch, monthsAgo(age).at, 50);
      await insights(scratch, monthsAgo(age).at, 50);
    }
    const [last] = await events(scratch, monthsAgo(3).at, 1);
    await scratch.source.query(`INSERT INTO event_consumer (name, created_at) VALUES ('keeper', now())`);
    await scratch.source.query(`INSERT INTO event_claim (consumer, event_id, due_at) VALUES ('keeper', $1, now())`, [
      last,
    ]);
    await other.query('ANALYZE');
    const month = monthsAgo(3);
    const next = monthsAgo(2);
    expect(
      await readBy(
        `SELECT e.id FROM event_claim c JOIN event e ON e.id = c.event_id WHERE c.consumer = $1 AND NOT c.dead AND c.due_at <= now()
        ORDER BY c.due_at, c.event_id LIMIT 50 FOR UPDATE OF c SKIP LOCKED`,
        ['keeper'],
        'text',
      ),
    ).toEqual([month.nameOf('event')]);
    expect(
      await readBy(
        'SELECT count(*) FROM site_insight e WHERE e.site_id = $1 AND e.at >= $2 AND e.at < $3',
        ['site', month.day, next.day],
        'text, timestamptz, timestamptz',
      ),
    ).toEqual([month.nameOf('site_insight')]);
    expect(
      await readBy(
        `SELECT * FROM audit_event e WHERE e.organization_id = $1 AND e.occurred_at >= $2 AND e.occurred_at <= $3 ORDER BY e.occurred_at DESC, e.id DESC LIMIT 20`,
        ['organization', month.day, `${month.day} 23:59:59+00`],
        'text, timestamptz, timestamptz',
      ),
    ).toEqual([month.nameOf('audit_event')]);
    expect(
      await readBy(
        'SELECT e.id FROM event e WHERE e.id < $1 AND NOT EXISTS (SELECT FROM event_claim c WHERE c.event_id = e.id) ORDER BY e.id LIMIT 1000',
        [leastIdAt(Date.parse(monthsAgo(14).day))],
        'text',
      ),
    ).toEqual(['event_earlier']);
  });
});
