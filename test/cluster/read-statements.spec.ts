import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import { createDataSource } from '../../src/data-source.js';
import { runInContext } from '../../src/kernel/common/context.js';
import { Database } from '../../src/kernel/common/database.js';
import { sqlState } from '../../src/kernel/common/sql-state.js';
import type { Replicas } from '../../src/kernel/common/replicas.js';
import { chanceOf } from '../faults/chance.js';
import { HAS_POOLER, Pooler } from './pooler.js';
import { ReplicaPair } from './replica-pair.js';

const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
/** How long writers and readers work, in seconds. */
const SECONDS = Number(process.env['ROUNDS'] ?? 4);
const IS_LONG = SECONDS >= 60;
const WRITERS = IS_LONG ? 8 : 4;
const READERS = IS_LONG ? 16 : 6;
const MAX_LAG = 2;
const READ = 'SELECT value FROM register WHERE id = $1';

@Entity()
class Register {
  @PrimaryColumn('integer')
  id!: number;

  @Column('integer')
  value!: number;
}

describe(`statements with a replica (${SECONDS} s, SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  let pair: ReplicaPair;
  let source: DataSource;
  let database: Database;
  let replicas: Replicas;

  beforeAll(async () => {
    pair = await ReplicaPair.start({ isSynchronous: false });
    source = await open(pair.url);
    database = new Database(source);
    if (!database.replicas) throw new Error('the data source has no replicas');
    replicas = database.replicas;
    await database.execute('CREATE TABLE register (id integer PRIMARY KEY, value integer NOT NULL)');
    await database.execute('INSERT INTO register SELECT n, 0 FROM generate_series(0, 99) AS n');
    await untilUsed();
  }, 240_000);
  afterAll(async () => {
    await replicas.close();
    await source.destroy();
    await pair.close();
  });

  /** Both servers are named as replicas: the primary is none. */
  const open = (url: string, directUrl?: string): Promise<DataSource> =>
    createDataSource({
      url,
      poolSize: 10,
      entities: [Register],
      history: { table: 'none', migrations: [] },
      reads: { url: pair.url.replace(/\?.*/, ''), directUrl, maxLag: MAX_LAG, maxAway: 20 },
    }).initialize();

  const reading = <T>(work: () => Promise<T>): Promise<T> =>
    runInContext({ requestId: 'read', ip: undefined, ifMatch: undefined, readsOnly: true }, work);

  const valueOf = async (id: number): Promise<number> =>
    (await reading(() => database.one<{ value: number }>(READ, [id])))?.value ?? NaN;

  const write = (id: number, value: number): Promise<number> =>
    database.execute('UPDATE register SET value = $2 WHERE id = $1', [id, value]);

  async function on<T extends pg.QueryResultRow>(url: string, statement: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  /** Where a statement ran: the changes of the counters. */
  async function placesOf(work: () => Promise<unknown>): Promise<typeof replicas.counts> {
    const { replica, primary, away } = replicas.counts;
    await work();
    const { counts } = replicas;
    return { replica: counts.replica - replica, primary: counts.primary - primary, away: counts.away - away };
  }

  async function untilUsed(): Promise<void> {
    for (const deadline = Date.now() + 60_000; ; await pause(100)) {
      if ((await placesOf(() => valueOf(0).catch(() => undefined))).replica === 1) return;
      if (Date.now() > deadline) throw new Error(`no replica is used: ${JSON.stringify(replicas.states)}`);
    }
  }

  it(
    'see what was acknowledged before they began, whether the replica keeps up or not',
    async () => {
      const acknowledged = new Array<number>(WRITERS).fill(0);
      const end = Date.now() + SECONDS * 1000;
      const faults: string[] = [];
      const times: number[] = [];
      const before = { ...replicas.counts };
      let pauses = 0;
      const disturb = async (): Promise<void> => {
        while (Date.now() < end) {
          await pause(200 + chance() * 500);
          await on(pair.standbyUrl, 'SELECT pg_wal_replay_pause()');
          pauses++;
          await pause(chance() * 300);
          await on(pair.standbyUrl, 'SELECT pg_wal_replay_resume()');
        }
      };
      const writeOn = async (id: number): Promise<void> => {
        while (Date.now() < end) {
          const value = (acknowledged[id] ?? 0) + 1;
          await write(id, value);
          acknowledged[id] = value;
          await pause(chance() * 20);
        }
      };
      const readOn = async (): Promise<void> => {
        while (Date.now() < end) {
          const id = Math.floor(chance() * WRITERS);
          const least = acknowledged[id] ?? 0;
          const began = performance.now();
          const value = await valueOf(id);
          times.push(performance.now() - began);
          if (!(value >= least)) faults.push(`${value} of ${id} after ${least}`);
          await pause(chance() * 10);
        }
      };
      await Promise.all([
        disturb(),
        ...acknowledged.map((_, id) => writeOn(id)),
        ...Array.from({ length: READERS }, readOn),
      ]);
      const replica = replicas.counts.replica - before.replica;
      const primary = replicas.counts.primary - before.primary;
      times.sort((a, b) => a - b);
      process.stdout.write(
        `read statements: seed ${SEED}: ${SECONDS} s, ${WRITERS} writers, ${READERS} readers, ${pauses} pauses of replay: ${acknowledged.reduce((sum, value) => sum + value, 0)} writes, ` +
          `${replica + primary} reads, ${((100 * replica) / (replica + primary)).toFixed(0)} % on the replica; median ${times[Math.floor(times.length / 2)]?.toFixed(1)} ms, 99th ${times[Math.floor(times.length * 0.99)]?.toFixed(1)} ms\n`,
      );
      expect(faults).toEqual([]);
      expect([replica > 0, primary > 0, replicas.counts.away]).toEqual([true, true, before.away]);
    },
    120_000 + SECONDS * 2000,
  );

  (IS_LONG ? it : it.skip)(
    'are measured with and without the replica, and go to it under steady writes',
    async () => {
      await untilUsed();
      await Promise.all(Array.from({ length: 200 }, () => valueOf(1)));
      await Promise.all(Array.from({ length: 200 }, () => database.one(READ, [1])));
      for (const reads of [reading, <T>(work: () => Promise<T>): Promise<T> => work()])
        for (const [writers, readers] of [
          [0, 1],
          [0, 8],
          [1, 1],
          [4, 8],
        ] as const) {
          const end = Date.now() + (SECONDS * 1000) / 4;
          const times: number[] = [];
          const before = { ...replicas.counts };
          let writes = 0;
          await Promise.all([
            ...Array.from({ length: writers }, async (_, id) => {
              while (Date.now() < end) {
                await write(id, ++writes);
                await pause(20);
              }
            }),
            ...Array.from({ length: readers }, async () => {
              while (Date.now() < end) {
                const began = performance.now();
                await reads(() => database.one(READ, [1]));
                times.push(performance.now() - began);
              }
            }),
          ]);
          times.sort((a, b) => a - b);
          const share = (100 * (replicas.counts.replica - before.replica)) / times.length;
          process.stdout.write(
            `read statements ${reads === reading ? 'with' : 'without'} replica: ${writers} writers (${writes} writes), ${readers} readers: ${times.length} reads, ${share.toFixed(0)} % on it, median ${times[Math.floor(times.length / 2)]?.toFixed(2)} ms, 95th ${times[Math.floor(times.length * 0.95)]?.toFixed(2)} ms, 99th ${times[Math.floor(times.length * 0.99)]?.toFixed(2)} ms\n`,
          );
          if (reads === reading) expect(share).toBeGreaterThan(0);
        }
    },
    240_000,
  );

  it('go to the replica through repositories, too, and to the primary in transactions and outside of requests that read', async () => {
    await untilUsed();
    const many = Array.from({ length: 20 });
    const { replica } = await placesOf(() =>
      Promise.all([
        ...many.map(() => reading(() => database.unprepared('SELECT 1'))),
        ...many.map(() => reading(() => database.of(Register).findOneBy({ id: 1 }))),
      ]),
    );
    expect(replica).toBeGreaterThan(many.length);
    expect(await reading(() => database.of(Register).findOneByOrFail({ id: 1 }))).toEqual({
      id: 1,
      value: await valueOf(1),
    });
    await reading(() => database.of(Register).update({ id: 60 }, { value: 5 }));
    expect(await valueOf(60)).toBe(5);
    const save = reading(() => database.of(Register).save({ id: 60, value: 6 }));
    await expect(save).rejects.toThrow('belong into a transaction');
    expect(await placesOf(() => reading(() => database.transaction(() => database.one(READ, [1]))))).toMatchObject({
      replica: 0,
    });
    expect(await placesOf(() => database.one(READ, [1]))).toMatchObject({ replica: 0 });
  });

  it('that change something run on the primary once, and are known from then on', async () => {
    await untilUsed();
    const increase = `WITH increased AS (UPDATE register SET value = value + 1 WHERE id = 50 RETURNING value) SELECT value FROM increased`;
    const before = await valueOf(50);
    const lock = 'SELECT value FROM register WHERE id = 50 FOR UPDATE';
    for (const text of [increase, lock, increase])
      expect(await placesOf(() => reading(() => database.query(text)))).toMatchObject({ replica: 0 });
    // It was known the second time: it was not tried on a replica.
    expect([replicas.takes(increase), await valueOf(50)]).toEqual([false, before + 2]);
    const wrong = reading(() => database.query('SELECT 1 / (value - value) FROM register WHERE id = 50'));
    expect(sqlState(await wrong.catch((error: unknown) => error))).toBe('22012');
  });

  it('do not go to a replica that is far behind, which is known by its lag', async () => {
    await untilUsed();
    await on(pair.standbyUrl, 'SELECT pg_wal_replay_pause()');
    try {
      await write(2, 7);
      expect(await placesOf(() => valueOf(2))).toEqual({ replica: 0, primary: 1, away: 0 });
      await pause(MAX_LAG * 1000 + 200);
      const behind = replicas.states.find(({ lag }) => lag > MAX_LAG);
      expect(behind).toMatchObject({ isUsable: false });
      // Nobody waits for one that is known to be behind.
      expect(await placesOf(() => valueOf(2))).toEqual({ replica: 0, primary: 1, away: 0 });
    } finally {
      await on(pair.standbyUrl, 'SELECT pg_wal_replay_resume()');
    }
    await untilUsed();
    await pause(1500);
    expect(replicas.states.every(({ lag }) => lag < MAX_LAG)).toBe(true);
  });

  it('run on the primary while the replica is lost', async () => {
    await untilUsed();
    const waiting = reading(() => database.query('SELECT pg_sleep(1), value FROM register WHERE id = 3'));
    await pause(100);
    const bringBack = await pair.loseStandby();
    expect(await waiting).toHaveLength(1);
    expect(await placesOf(() => valueOf(3))).toEqual({ replica: 0, primary: 1, away: 0 });
    await bringBack();
    await untilUsed();
  });

  it('go on without the primary, and see its changes again when it is back', async () => {
    await write(4, 1);
    await untilUsed();
    const bringBack = await pair.losePrimary();
    expect(await placesOf(async () => expect(await valueOf(4)).toBe(1))).toMatchObject({ away: 1, primary: 0 });
    expect(replicas.standIn).toBe(true);
    await expect(write(4, 2)).rejects.toThrow();
    await bringBack();
    await write(4, 3);
    expect(await valueOf(4)).toBe(3);
    expect(replicas.standIn).toBe(false);
    await untilUsed();
  });

  it('go on without the primary for a bounded time, and never on a replica that was far behind', async () => {
    await untilUsed();
    await on(pair.standbyUrl, 'SELECT pg_wal_replay_pause()');
    await write(5, 1);
    for (let read = 0; read < 30; read++, await pause(100)) await valueOf(5);
    const bringBack = await pair.losePrimary();
    await expect(valueOf(5)).rejects.toThrow();
    await bringBack();
    await on(pair.standbyUrl, 'SELECT pg_wal_replay_resume()');
    await untilUsed();
  });

  (HAS_POOLER ? it : it.skip).each(['without', 'with'])(
    'are not answered without the primary while a pooler has no session free, %s an address past it',
    async (kind) => {
      await untilUsed();
      const pooler = await Pooler.before(pair.primaryUrl, { default_pool_size: 1, query_wait_timeout: 1 });
      const pooled = await open(pooler.url, kind === 'with' ? pair.primaryUrl : undefined);
      const behind = new Database(pooled);
      const read = (): Promise<unknown> => reading(() => behind.one(READ, [1])).catch(() => undefined);
      const counts = behind.replicas?.counts;
      try {
        for (const end = Date.now() + 30_000; counts?.replica === 0 && Date.now() < end; await pause(100)) await read();
        expect(counts?.replica).toBeGreaterThan(0);
        const before = { ...counts };
        const holding = behind.transaction(() => behind.query('SELECT pg_sleep(6)'));
        for (const end = Date.now() + 5500; Date.now() < end; await pause(500)) {
          void read();
          expect(behind.replicas?.standIn).toBe(false);
        }
        await holding;
        expect(counts?.away).toBe(0);
        // Past the pooler servers know how far the replica has to be.
        expect((counts?.replica ?? 0) - (before.replica ?? 0) > 5).toBe(kind === 'with');
      } finally {
        await behind.replicas?.close();
        await pooled.destroy();
        await pooler.close();
      }
    },
  );

  it('use no replica of the former primary after a failover, and the new one once it follows', async () => {
    for (let round = 0; round < (IS_LONG ? 5 : 1); round++) {
      await write(6, round);
      await untilUsed();
      await pair.failOver();
      for (;;) {
        const done = await write(6, 100 + round).catch(() => 0);
        if (done > 0) break;
        await pause(100);
      }
      for (let read = 0; read < 50; read++) expect(await valueOf(6)).toBe(100 + round);
      await untilUsed();
      expect(await valueOf(6)).toBe(100 + round);
    }
  }, 240_000);
});
