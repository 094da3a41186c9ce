import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { connectTo, type Preparation } from '../../src/kernel/common/connection.js';
import { infrastructureFaultOf } from '../../src/kernel/common/infrastructure-fault.js';
import { chanceOf } from '../faults/chance.js';
import { findImpossible } from '../faults/kill-checks.js';
import { Killable } from '../faults/killable.js';
import { Stage } from '../faults/processes.js';
import { missingPages, StormClient, Tally, writeInStorm } from '../faults/storm-writers.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
import { HAS_POOLER, Pooler, poolerKeepsStatements } from './pooler.js';

/** How long the writers write, in seconds. */
const SECONDS = Number(process.env['ROUNDS'] ?? 4);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const IS_LONG = SECONDS >= 60;
const SERVERS = IS_LONG ? 30 : 2;
/** Connections that a server opens to the pooler, and those that the pooler opens to the database. */
const CONNECTIONS = 10;
const SESSIONS = IS_LONG ? 40 : 3;
const STARTED_AT_ONCE = 4;
const WRITERS = IS_LONG ? 30 : 6;
const TOKEN = 'pooler-token-pooler-token-pooler-token-pooler';

/** The name of the connection past the pooler in PostgreSQL's statistics. */
const PAST_POOLER = 'past-pooler';
const SETTINGS = `SELECT current_setting('jit') AS jit, current_setting('plan_cache_mode') AS plans, current_setting('statement_timeout') AS timeout`;

(HAS_POOLER ? describe : describe.skip)(
  `${SERVERS} servers with ${CONNECTIONS} connections each on ${SESSIONS} sessions of PgBouncer (${SECONDS} s, SEED=${SEED})`,
  () => {
    const chance = chanceOf(SEED);
    const tally = new Tally();
    let stage: Stage;
    let database: ScratchDatabase;
    let pooler: Pooler;
    let sql: pg.Client;
    let servers: readonly Killable[];
    let organizationId: string;

    beforeAll(async () => {
      stage = await Stage.open();
      // Without tables: servers that start at once migrate it behind the pooler, one of them alone.
      database = await scratchDatabase('empty');
      // Its own connections are not those of servers.
      await database.source.destroy();
      pooler = await Pooler.before(database.url, { default_pool_size: SESSIONS });
      sql = new pg.Client({ connectionString: database.url, application_name: 'watch' });
      await sql.connect();
      const env = {
        DATABASE_URL: pooler.url,
        DATABASE_POOL_SIZE: String(CONNECTIONS),
        DATABASE_TIMEOUT: '77',
        SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
        BOOTSTRAP_TOKEN: TOKEN,
        RATE_LIMIT_PER_MINUTE: '0',
        RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
        SEARCH_VECTORS: 'none',
        LOG_LEVEL: 'error',
      };
      // One alone hears of changes past the pooler.
      servers = Array.from(
        { length: SERVERS },
        (_, index) =>
          new Killable(
            stage,
            index === 0 ? { ...env, DATABASE_DIRECT_URL: `${database.url}?application_name=${PAST_POOLER}` } : env,
          ),
      );
      for (let first = 0; first < SERVERS; first += STARTED_AT_ONCE)
        await Promise.all(servers.slice(first, first + STARTED_AT_ONCE).map((server) => server.start()));
      const client = new StormClient(servers, TOKEN, chance, tally);
      organizationId = (await client.ask<{ items: { id: string }[] }>('GET', '/orgs')).items[0]?.id ?? '';
    }, 900_000);

    afterAll(async () => {
      await stage.close();
      await pooler.close();
      await sql.end();
      await database.drop();
    });

    it(
      'answer every writer and reader, and lose nothing',
      async () => {
        const end = Date.now() + SECONDS * 1000;
        const isOver = (): boolean => Date.now() > end;
        let sessions = 0;
        const watch = async (): Promise<void> => {
          while (!isOver()) {
            const { rowCount } = await sql.query(
              `SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND application_name <> '${PAST_POOLER}'`,
            );
            sessions = Math.max(sessions, rowCount ?? 0);
            await pause(100);
          }
        };
        const [, ...written] = await Promise.all([
          watch(),
          ...Array.from({ length: WRITERS }, (_, index) => {
            const own = chanceOf(SEED + index + 1);
            const client = new StormClient(servers, TOKEN, own, tally);
            return writeInStorm({ name: `w${index}`, organizationId, client, chance: own, site: '/', isOver });
          }),
        ]);
        const ready = await Promise.all(
          servers.map(async ({ url = '' }) => (await fetch(new URL('/readyz', url))).status),
        );
        const spaces = written.flat();
        const pages = spaces.reduce((sum, { titles }) => sum + titles.length, 0);
        const faults = [
          ...(await missingPages(spaces, new StormClient(servers, TOKEN, chance, tally))),
          ...(await findImpossible(sql)),
        ];
        process.stdout.write(
          `pooler: ${SECONDS} s, seed ${SEED}: ${SERVERS} servers, ${SERVERS * CONNECTIONS} connections on ${sessions} sessions, ${WRITERS} writers, ${pages} pages, ${tally.of(() => true)} answers, ${tally.of((status) => status >= 500)} of them 5xx\n`,
        );
        expect({ surprises: tally.surprises, faults, broken: tally.broken, ready }).toEqual({
          surprises: [],
          faults: [],
          broken: 0,
          ready: servers.map(() => 200),
        });
        expect(tally.of((status) => status === 503)).toBe(0);
        expect([pages > WRITERS, sessions <= SESSIONS]).toEqual([true, true]);
      },
      120_000 + SECONDS * 3000,
    );

    it('find out by themselves what the pooler keeps', async () => {
      const found = async (url: string, preparation?: Preparation) => {
        const client = await connectTo(url, 'watch', preparation);
        const { isPooled, keepsStatements } = client;
        await client.end();
        return { isPooled, keepsStatements };
      };
      expect(await found(database.url)).toEqual({ isPooled: false, keepsStatements: true });
      expect(await found(database.url, 'never')).toEqual({ isPooled: false, keepsStatements: false });
      const keepsStatements = await poolerKeepsStatements();
      expect(await found(pooler.url)).toEqual({ isPooled: true, keepsStatements });
      expect(await found(pooler.url, 'always')).toEqual({ isPooled: true, keepsStatements: true });
    });

    it('take the refusals of a pooler as those of a database that is away', async () => {
      const small = await Pooler.before(database.url, {
        default_pool_size: 1,
        max_client_conn: 2,
        query_wait_timeout: 1,
      });
      const holder = new pg.Client({ connectionString: small.url });
      try {
        await holder.connect();
        await holder.query('BEGIN');
        await holder.query('SELECT 1');
        const refusals = await Promise.allSettled([1, 2, 3].map(() => connectTo(small.url, 'watch')));
        expect(
          refusals.map((refusal) =>
            refusal.status === 'rejected' ? infrastructureFaultOf(refusal.reason)?.status : refusal.status,
          ),
        ).toEqual([503, 503, 503]);
      } finally {
        await holder.end();
        await small.close();
      }
    });

    it('listen to the database where its address is given, and never through the pooler', async () => {
      // A server listens once it has shown something that others may change.
      for (const { published = '' } of servers) await (await fetch(new URL('/nothing', published))).text();
      let direct = 0;
      for (let tries = 0; direct === 0 && tries < 100; tries++) {
        await pause(50);
        const { rows } = await sql.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = '${PAST_POOLER}'`,
        );
        direct = rows[0]?.count ?? 0;
      }
      expect(direct).toBe(1);
    });

    it('leave no lock in a session, and have the settings of the role', async () => {
      const { rowCount } = await sql.query(
        `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND a.datname = current_database() AND a.state = 'idle'`,
      );
      expect(rowCount).toBe(0);
      // A session that is opened now; the first ones are older than the settings.
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      const { rows } = await client.query(SETTINGS);
      await client.end();
      expect(rows).toEqual([{ jit: 'off', plans: 'force_generic_plan', timeout: '77s' }]);
    });
  },
);
