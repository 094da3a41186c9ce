import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { REGISTRY } from '../events/registry.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
import { useReceiver } from '../webhook-receiver.js';
import { chanceOf } from './chance.js';
import { findImpossible } from './kill-checks.js';
import { Killable } from './killable.js';
import { Stage } from './processes.js';
import { missingPages, StormClient, Tally, writeInStorm } from './storm-writers.js';

/** How long the writers write, in seconds. */
const SECONDS = Number(process.env['ROUNDS'] ?? 8);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const IS_LONG = SECONDS >= 60;
const KILL_EVERY = IS_LONG ? 20 : 5;
/** Seconds between two moments at which the database ends half of the connections. */
const CUT_EVERY = IS_LONG ? 7 : 3;
const WRITERS = 8;
/** Attempts to start a server, of which the last must succeed. */
const STARTS = 5;
const ORGANIZATIONS = 2;
const TOKEN = 'storm-token-storm-token-storm-token-storm-token';
/** Bounds of the time from the commit of an event to its arrival at the receiver, in seconds. */
const MOST_LAG = 30;
const MEDIAN_LAG = 2;

const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'bindery' AND pid <> pg_backend_pid() AND random() < 0.5`;

/** When a delivery was committed, by the clock of the database, whatever the transaction began with. */
const AUDIT = `
  CREATE TABLE storm_event (event_id text PRIMARY KEY, at timestamptz NOT NULL);
  CREATE FUNCTION note_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO storm_event VALUES (NEW.id, clock_timestamp()); RETURN NEW; END $$;
  CREATE TRIGGER storm_noted AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION note_event();`;

interface Lost extends Record<string, unknown> {
  readonly waiting: number;
  readonly undelivered: number;
  readonly unmade: number;
}

describe(`eight writers on two servers, of which one is killed every ${KILL_EVERY} s (${SECONDS} s, SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  const tally = new Tally();
  const receiver = useReceiver();
  /** When events arrived first, in milliseconds of the machine, on which the database runs too. */
  const arrived = new Map<string, number>();
  const organizations: string[] = [];
  let stage: Stage;
  let database: ScratchDatabase;
  let sql: pg.Client;
  let servers: readonly Killable[];
  let site: string;

  beforeAll(async () => {
    stage = await Stage.open();
    database = await scratchDatabase();
    sql = new pg.Client({ connectionString: database.url, application_name: 'storm' });
    await sql.connect();
    await sql.query(AUDIT);
    const env = {
      ...{
        DATABASE_URL: database.url,
        SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
        BOOTSTRAP_TOKEN: TOKEN,
        OUTBOUND_ALLOW: '127.0.0.0/8',
      },
      ...{
        RATE_LIMIT_PER_MINUTE: '0',
        SEARCH_VECTORS: 'none',
        RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
        LOG_LEVEL: 'silent',
        SHUTDOWN_TIMEOUT: '5',
      },
    };
    servers = [new Killable(stage, env), new Killable(stage, env)];
    for (const server of servers) await server.start();
    receiver.answer = (response, { event }) => {
      const id = String(event['eventId']);
      if (!arrived.has(id)) arrived.set(id, Date.now());
      // An hour of them would fill the memory of the test.
      receiver.received.length = 0;
      response.end('ok');
    };
    const client = new StormClient(servers, TOKEN, chance, tally);
    for (let i = 0; i < ORGANIZATIONS; i++) {
      const { id } = await client.ask<{ id: string }>('POST', '/orgs', { title: `Storm ${i}` });
      organizations.push(id);
      await client.ask('POST', `/orgs/${id}/webhooks`, { url: receiver.url(`/${i}`), events: ['*'] });
    }
    const [organization = ''] = organizations;
    const space = await client.ask<{ id: string }>('POST', `/orgs/${organization}/spaces`, {
      title: 'Published',
      empty: true,
      editMode: 'live',
    });
    await client.ask('POST', `/spaces/${space.id}/content`, {
      changes: [{ operation: 'insert_page', title: 'Front', document: { markdown: 'Seen.' } }],
    });
    const made = await client.ask<{ id: string; basename: string }>('POST', `/orgs/${organization}/sites`, {
      title: 'Storm',
      visibility: 'public',
      spaces: [space.id],
    });
    await client.ask('POST', `/orgs/${organization}/sites/${made.id}/publish`);
    site = `/${made.basename}`;
  }, 180_000);

  afterAll(async () => {
    await sql.end();
    await stage.close();
    await database.drop();
  });

  /** Kills one server after the other, never both at once, and starts it again; gives how often. */
  async function kill(isOver: () => boolean): Promise<number> {
    let kills = 0;
    for (;;) {
      for (const next = Date.now() + KILL_EVERY * 1000; Date.now() < next && !isOver();) await pause(100);
      if (isOver()) return kills;
      const server = servers[kills % servers.length];
      await server?.kill();
      kills++;
      // A start whose connection is cut ends, and whatever watches over servers begins it again.
      for (let tries = 1; server && server.url === undefined; tries++) {
        await server.start().catch((error: unknown) => {
          if (tries >= STARTS) throw error;
        });
      }
    }
  }

  /** Has the database end connections of the servers; gives how many. */
  async function cut(isOver: () => boolean): Promise<number> {
    let cuts = 0;
    while (!isOver()) {
      await pause(CUT_EVERY * 1000);
      cuts += (await sql.query(CUT)).rowCount ?? 0;
    }
    return cuts;
  }

  /** Events that were not handed to webhooks, deliveries that did not arrive, and events without a delivery. */
  async function lost(): Promise<Lost> {
    const { rows } = await sql.query<Lost>(
      `SELECT (SELECT count(*)::int FROM event_claim) AS waiting, (SELECT count(*)::int FROM webhook_delivery WHERE status <> 'delivered') AS undelivered,
              (SELECT count(*)::int FROM event e JOIN webhook w ON w.organization_id = e.organization_id
                WHERE e.type = ANY ($1) AND e.at > w.created_at AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.event_id = e.id)) AS unmade`,
      [REGISTRY.publishedEvents],
    );
    const [row] = rows;
    if (!row) throw new Error('the database counts nothing');
    return row;
  }

  /** Seconds from commit to arrival, in order. */
  async function lags(): Promise<number[]> {
    const { rows } = await sql.query<{ id: string; at: Date }>(
      'SELECT d.event_id AS id, s.at FROM webhook_delivery d JOIN storm_event s ON s.event_id = d.event_id',
    );
    const times = rows.map(({ id, at }) => ((arrived.get(id) ?? Number.POSITIVE_INFINITY) - at.getTime()) / 1000);
    return times.sort((a, b) => a - b);
  }

  it(
    'loses nothing, answers no 5xx but 503, and lets no webhook lag',
    async () => {
      const end = Date.now() + SECONDS * 1000;
      const isOver = (): boolean => Date.now() > end;
      const writers = Array.from({ length: WRITERS }, (_, index) => {
        const own = chanceOf(SEED + index + 1);
        return writeInStorm({
          name: `w${index}`,
          organizationId: organizations[index % ORGANIZATIONS] ?? '',
          client: new StormClient(servers, TOKEN, own, tally),
          chance: own,
          site,
          isOver,
        });
      });
      const [kills, cuts, ...written] = await Promise.all([kill(isOver), cut(isOver), ...writers]);
      let left = await lost();
      for (
        const patience = Date.now() + MOST_LAG * 1000;
        left.waiting + left.undelivered > 0 && Date.now() < patience;
        left = await lost()
      )
        await pause(500);
      const spaces = written.flat();
      const reader = new StormClient(servers, TOKEN, chance, tally);
      const faults = [...(await missingPages(spaces, reader)), ...(await findImpossible(sql))];
      const times = await lags();
      const [median = 0, most = 0] = [times[Math.floor(times.length / 2)], times.at(-1)];
      const pages = spaces.reduce((sum, { titles }) => sum + titles.length, 0);
      process.stdout.write(
        `kill storm: ${SECONDS} s, seed ${SEED}, ${WRITERS} writers: ${kills} kills, ${cuts} connections cut; ${tally.of(() => true)} answers, ${tally.of((status) => status === 503)} of them 503, ` +
          `${tally.of((status) => status >= 500 && status !== 503)} other 5xx, ${tally.broken} connections broken; ${pages} acknowledged pages, ${faults.length} lost; ` +
          `${times.length} deliveries, lag median ${median.toFixed(2)} s, 99 % ${(times[Math.floor(times.length * 0.99)] ?? 0).toFixed(2)} s, most ${most.toFixed(2)} s, ${left.waiting + left.undelivered + left.unmade} lost\n`,
      );
      expect({ surprises: tally.surprises, faults, left }).toEqual({
        surprises: [],
        faults: [],
        left: { waiting: 0, undelivered: 0, unmade: 0 },
      });
      expect([kills > 0, cuts > 0, times.length > 0]).toEqual([true, true, true]);
      // Seconds say something where the run is long and the machine is its own.
      if (IS_LONG) expect([median <= MEDIAN_LAG, most <= MOST_LAG]).toEqual([true, true]);
    },
    180_000 + SECONDS * 3000,
  );
});
