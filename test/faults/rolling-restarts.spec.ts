import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
import { type Backend, Balancer } from './balancer.js';
import { chanceOf } from './chance.js';
import { KeepAliveClient } from './keep-alive-client.js';
import { type Process, Stage } from './processes.js';

/** How often both servers are restarted, one after the other. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const TOKEN = 'rolling-token-rolling-token-rolling-token-rolling';
const CLIENTS = 12;
const REQUESTS_PER_ROUND = 1000;

describe(`rolling restarts of two servers behind a balancer (${ROUNDS} rounds, SEED=${SEED})`, () => {
  // A second is enough for this balancer; whole runs wait as long as a server does by itself.
  const SHUTDOWN_DELAY = process.env['ROUNDS'] === undefined ? '1' : '5';
  // A connection that rests longer than the delay is closed while its client may be sending: no server can prevent that.
  const LONGEST_IDLE_MS = Number(SHUTDOWN_DELAY) * 600;
  const env = {
    SHUTDOWN_DELAY,
    SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
    BOOTSTRAP_TOKEN: TOKEN,
    RATE_LIMIT_PER_MINUTE: '0',
    SEARCH_VECTORS: 'none',
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
  };
  const servers: {
    readonly backend: Backend;
    readonly published: Backend;
    readonly env: Record<string, string>;
    process: Process;
  }[] = [];
  let stage: Stage;
  let database: ScratchDatabase;
  let api: Balancer;
  let published: Balancer;
  const undo: (() => Promise<void>)[] = [];
  let orgUrl: string;

  /** Waits until both balancers send connections to a server. */
  const ready = async (server: { readonly backend: Backend; readonly published: Backend }): Promise<void> => {
    await Promise.all([api.whenReady(server.backend), published.whenReady(server.published)]);
  };

  beforeAll(async () => {
    [stage, database] = await Promise.all([Stage.open(), scratchDatabase()]);
    for (let index = 0; index < 2; index++) {
      const [port, publicPort] = [await freePort(), await freePort()];
      const own = { ...env, DATABASE_URL: database.url, PORT: String(port), PUBLIC_PORT: String(publicPort) };
      const { server, facts } = await stage.serve({ env: own });
      const readiness = `http://127.0.0.1:${port}/readyz`;
      servers.push({
        backend: { port, readiness },
        published: { port: publicPort, readiness },
        env: own,
        process: server,
      });
      if (facts.bootstrap !== undefined) orgUrl = `/v1/orgs/${facts.bootstrap.organization.id}`;
    }
    [api, published] = await Promise.all([
      Balancer.start(servers.map(({ backend }) => backend)),
      Balancer.start(servers.map((server) => server.published)),
    ]);
    undo.push(
      () => api.close(),
      () => published.close(),
    );
    for (const server of servers) await ready(server);
  }, 180_000);

  afterAll(async () => {
    for (const step of undo) await step();
    await stage.close();
    await database.drop();
  });

  async function restartAll(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of servers) {
        expect(await server.process.kill('SIGTERM')).toMatchObject({ code: 0 });
        server.process = (await stage.serve({ env: server.env })).server;
        await ready(server);
      }
    }
  }

  it(
    'no request fails, and what was acknowledged was done once',
    async () => {
      const clients = Array.from({ length: CLIENTS }, () => new KeepAliveClient(TOKEN));
      const readers = [new KeepAliveClient(TOKEN), new KeepAliveClient(TOKEN)];
      const made: string[] = [];
      let restarting = true;
      let failed = false;
      const total = (): number => clients.reduce((sum, { answers }) => sum + answers, 0);
      const isOver = (): boolean => failed || (!restarting && total() >= REQUESTS_PER_ROUND * ROUNDS);
      const work = clients.map(async (client, index) => {
        const chance = chanceOf(SEED + index);
        while (!isOver()) {
          if (chance() < 0.2) {
            const title = `Made ${index}-${client.answers}`;
            await client.ask(201, `${api.url}${orgUrl}/collections`, 'POST', { title });
            made.push(title);
          } else {
            await client.ask(200, `${api.url}${orgUrl}/spaces?limit=5`);
          }
          await pause(chance() * (chance() < 0.02 ? LONGEST_IDLE_MS : 60));
        }
      });
      const reading = readers.map(async (reader) => {
        // No site is published: the page that says so is made like any other.
        for (; !isOver(); await pause(30)) await reader.ask(404, `${published.url}/`);
      });
      const restarted = restartAll().catch((error: unknown) => {
        failed = true;
        throw error;
      });
      await Promise.all([restarted.finally(() => (restarting = false)), ...work, ...reading]);
      for (const client of [...clients, ...readers]) client.end();
      const failures = [...clients, ...readers].flatMap((client) => client.failures);
      const closed = clients.reduce((sum, client) => sum + client.closed, 0);
      process.stdout.write(
        `rolling restarts: ${ROUNDS} rounds, seed ${SEED}: ${total()} requests of ${CLIENTS} clients, ${made.length} of them writes, ${closed} answers with Connection: close, ${failures.length} failed\n`,
      );
      expect({ failures, faults: [...api.faults, ...published.faults] }).toEqual({ failures: [], faults: [] });
      expect(closed).toBeGreaterThanOrEqual(2 * ROUNDS);
      const titles = await titlesOfCollections();
      expect(titles.filter((title) => title.startsWith('Made ')).sort()).toEqual(made.sort());
    },
    120_000 + ROUNDS * 240_000,
  );

  async function titlesOfCollections(): Promise<string[]> {
    const client = new KeepAliveClient(TOKEN);
    const titles: string[] = [];
    for (let page: string | undefined = ''; page !== undefined;) {
      const answer = await client.ask(
        200,
        `${api.url}${orgUrl}/collections?limit=1000${page === '' ? '' : `&page=${page}`}`,
      );
      const body = JSON.parse(answer) as { items: { title: string }[]; next?: { page: string } };
      titles.push(...body.items.map(({ title }) => title));
      page = body.next?.page;
    }
    client.end();
    return titles;
  }
});
