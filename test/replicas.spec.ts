import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseConnection, Route } from '../src/kernel/common/connection.js';
import { SilentDatabase, SYSTEM } from '../src/kernel/common/log-position.js';
import { Replica } from '../src/kernel/common/replica.js';
import { meansAway } from '../src/kernel/common/replicas.js';
import { until } from './notification-desk.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';

describe('the primary', () => {
  const refused = (code: string): Error => Object.assign(new Error(), { code });

  it.each([
    ['a silent server', new SilentDatabase(), true, false],
    ['a protocol error', refused('08P01'), true, false],
    ['a server that ends', refused('57P01'), true, true],
    ['a server that has become a replica', refused('55000'), true, true],
    ['nobody at the address', refused('ECONNREFUSED'), true, true],
    ['too many connections', refused('53300'), false, false],
  ])('is away or not where the answer is %s', (_, error, directly, pooled) => {
    expect(meansAway(error, { isPooled: false })).toBe(directly);
    expect(meansAway(error, { isPooled: true })).toBe(pooled);
  });
});

describe('a replica', () => {
  let scratch: ScratchDatabase;
  let system: string;
  let replica: Replica;
  /** Position and role that the server is to tell: it is a primary. */
  let told: { timeline: number; offset: number };

  beforeAll(async () => {
    scratch = await scratchDatabase('empty');
    const [row] = await scratch.source.query<{ system: string }[]>(SYSTEM);
    system = row?.system ?? '';
  });
  afterAll(() => scratch.drop());
  beforeEach(() => {
    told = { timeline: 1, offset: 1000 };
    replica = new Replica({ route: new Route(scratch.url, 'auto', {}, false), poolSize: 1, client: {} });
    const real = Reflect.get(DatabaseConnection.prototype, 'query') as (...words: unknown[]) => unknown;
    jest.spyOn(DatabaseConnection.prototype, 'query').mockImplementation(function (this: unknown, ...words: unknown[]) {
      const text = String(words[0]);
      if (text.includes('received_tli')) return Promise.resolve({ rows: [{ timeline: told.timeline }] });
      if (text.includes('pg_last_wal_replay_lsn'))
        return Promise.resolve({ rows: [{ isReplica: true, offset: told.offset }] });
      return real.apply(this, words);
    });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await replica.close();
  });

  const loseWatch = async (): Promise<void> => {
    const ended = await scratch.source.query<unknown[]>(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bindery replica position' AND datname = current_database()`,
    );
    expect(ended).toHaveLength(1);
    await until(() => !replica.isOpen);
  };

  it('is not read where it belongs to another database system, also one that the primary has only now', async () => {
    await replica.examine('1');
    expect([replica.isOpen, replica.fault]).toEqual([false, expect.stringContaining('no replica of this database')]);
    await replica.examine(system);
    expect([replica.isOpen, replica.fault]).toEqual([true, undefined]);
    await replica.examine('1');
    expect([replica.isOpen, replica.fault]).toEqual([false, expect.stringContaining('no replica of this database')]);
  });

  it('is not read any more as soon as the connection ends that measures it', async () => {
    await replica.examine(system);
    expect(replica.isOpen).toBe(true);
    await loseWatch();
    expect(replica.fault).toContain('Connection terminated');
  });

  it('stands in after it was lost where it has at least what it had, on the timeline of before', async () => {
    await replica.examine(system);
    expect([replica.mayStandIn(1), replica.mayStandIn(2)]).toEqual([true, false]);
    for (const [timeline, offset, mayStandIn] of [
      [1, 999, false],
      [2, 2000, false],
      [1, 1000, true],
    ] as const) {
      await loseWatch();
      expect(replica.mayStandIn(1)).toBe(false);
      told = { timeline, offset };
      await replica.examine(system);
      expect([timeline, offset, replica.mayStandIn(1)]).toEqual([timeline, offset, mayStandIn]);
    }
  });

  it('stands in again on another timeline once it had everything of a primary there', async () => {
    await replica.examine(system);
    await loseWatch();
    told = { timeline: 2, offset: 900 };
    await replica.examine(system);
    replica.expect({ timeline: 2, offset: 901 });
    expect(replica.mayStandIn(2)).toBe(false);
    replica.expect({ timeline: 2, offset: 900 });
    expect(replica.mayStandIn(2)).toBe(true);
  });
});
