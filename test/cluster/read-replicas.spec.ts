import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { chanceOf } from '../faults/chance.js';
import { Stage } from '../faults/processes.js';
import { ReplicaPair } from './replica-pair.js';

const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
/** How long writers and readers work, in seconds. */
const SECONDS = Number(process.env['ROUNDS'] ?? 5);
const IS_LONG = SECONDS >= 60;
const WRITERS = IS_LONG ? 8 : 3;
const READERS = IS_LONG ? 32 : 6;
const TOKEN = 'replicas-token-replicas-token-replicas-token';
const MEMBER = 'reader@example.org';
/** Seconds; a replica that is further behind is not read. */
const MAX_LAG = 5;
const ENV = {
  SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
  BOOTSTRAP_TOKEN: TOKEN,
  DATABASE_READ_MAX_LAG: String(MAX_LAG),
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
  SEARCH_VECTORS: 'none',
  LOG_LEVEL: 'error',
};

interface Server {
  readonly api: string;
  readonly published: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Written {
  readonly changes: { readonly page: { readonly id: string } }[];
}

describe(`two servers with a replica (${SECONDS} s, SEED=${SEED})`, () => {
  const chance = chanceOf(SEED);
  let stage: Stage;
  let pair: ReplicaPair;
  let servers: readonly [Server, Server];
  let organization: string;

  beforeAll(async () => {
    stage = await Stage.open();
    pair = await ReplicaPair.start({ isSynchronous: false });
    const env = { ...ENV, DATABASE_URL: pair.primaryUrl, DATABASE_READ_URL: pair.standbyUrl };
    const first = (await stage.serve({ env })).facts;
    const second = (await stage.serve({ env })).facts;
    servers = [first, second];
    organization = (await ask<{ items: { id: string }[] }>(0, 'GET', '/orgs')).items[0]?.id ?? '';
    await untilRead();
  }, 300_000);
  afterAll(async () => {
    await stage.close();
    await pair?.close();
  });

  async function send(
    server: number,
    method: string,
    path: string,
    { body, token = TOKEN }: { body?: object; token?: string } = {},
  ): Promise<Answer> {
    const response = await fetch(`${servers[server]?.api}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  async function ask<Body>(server: number, method: string, path: string, body?: object): Promise<Body> {
    const { status, text } = await send(server, method, path, body ? { body } : {});
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Body;
  }

  async function visit(server: number, path: string): Promise<Answer> {
    const response = await fetch(`${servers[server]?.published}${path}`);
    return { status: response.status, text: await response.text() };
  }

  async function sql(url: string, statement: string, values: readonly unknown[] = []): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statement, [...values]);
    } finally {
      await client.end();
    }
  }

  const stopReplay = (): Promise<void> => sql(pair.standbyUrl, 'SELECT pg_wal_replay_pause()');
  const resumeReplay = (): Promise<void> => sql(pair.standbyUrl, 'SELECT pg_wal_replay_resume()');

  /** Statements of requests that only read, by place, on both servers. */
  async function counts(): Promise<Readonly<Record<string, number>>> {
    const sums: Record<string, number> = {};
    for (const { api } of servers) {
      const metrics = await (await fetch(new URL('/metrics', api))).text();
      for (const [, place = '', count] of metrics.matchAll(/^bindery_read_statements_total\{place="(\w+)"\} (\d+)$/gm))
        sums[place] = (sums[place] ?? 0) + Number(count);
    }
    return sums;
  }

  const readiness = async (server: number): Promise<Answer> => {
    const response = await fetch(new URL('/readyz', servers[server]?.api));
    return { status: response.status, text: await response.text() };
  };

  /** Waits until both servers read from the replica. */
  async function untilRead(): Promise<void> {
    for (const deadline = Date.now() + 60_000; ; await pause(200)) {
      for (const server of [0, 1]) await send(server, 'GET', '/orgs');
      const states = await Promise.all([0, 1].map(readiness));
      if (states.every(({ text }) => text.includes('1 of 1 hosts'))) return;
      if (Date.now() > deadline) throw new Error(JSON.stringify(states));
    }
  }

  async function openSpace(title: string): Promise<string> {
    const body = { title, empty: true, editMode: 'live' };
    return (await ask<{ id: string }>(0, 'POST', `/orgs/${organization}/spaces`, body)).id;
  }

  async function insertPage(server: number, space: string, title: string): Promise<string> {
    const changes = [{ operation: 'insert_page', title, document: { markdown: `The text of ${title}.` } }];
    const { changes: made } = await ask<Written>(server, 'POST', `/spaces/${space}/content`, { changes });
    return made[0]?.page.id ?? '';
  }

  const updatePage = (server: number, space: string, page: string, markdown: string): Promise<unknown> =>
    ask(server, 'POST', `/spaces/${space}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown } }],
    });

  it(
    'never show less than what either of them has acknowledged, and read most of it from the replica',
    async () => {
      const spaces = await Promise.all(
        Array.from({ length: WRITERS }, async (_, index) => {
          const id = await openSpace(`Register ${index}`);
          return { id, page: await insertPage(0, id, 'Value'), acknowledged: 0 };
        }),
      );
      const before = await counts();
      const end = Date.now() + SECONDS * 1000;
      const faults: string[] = [];
      const times: number[] = [];
      let writes = 0;
      const disturb = async (): Promise<void> => {
        for (; Date.now() < end; await resumeReplay()) {
          await pause(500 + chance() * 1000);
          await stopReplay();
          await pause(chance() * 300);
        }
      };
      const write = async (space: (typeof spaces)[number]): Promise<void> => {
        while (Date.now() < end) {
          const value = space.acknowledged + 1;
          await updatePage(chance() < 0.5 ? 0 : 1, space.id, space.page, `Value ${value}.`);
          space.acknowledged = value;
          writes++;
          await pause(chance() * 100);
        }
      };
      const read = async (): Promise<void> => {
        while (Date.now() < end) {
          const space = spaces[Math.floor(chance() * spaces.length)];
          if (!space) continue;
          const least = space.acknowledged;
          const began = performance.now();
          const path = `/spaces/${space.id}/content/page/${space.page}?format=markdown`;
          const { status, text } = await send(chance() < 0.5 ? 0 : 1, 'GET', path);
          times.push(performance.now() - began);
          const value = Number(/Value (\d+)\./.exec(text)?.[1] ?? 0);
          if (status !== 200 || value < least) faults.push(`${status}, ${value} after ${least}`);
          await pause(chance() * 50);
        }
      };
      await Promise.all([disturb(), ...spaces.map(write), ...Array.from({ length: READERS }, read)]);
      const after = await counts();
      const [replica = 0, primary = 0] = ['replica', 'primary'].map(
        (place) => (after[place] ?? 0) - (before[place] ?? 0),
      );
      times.sort((a, b) => a - b);
      process.stdout.write(
        `read replicas: seed ${SEED}: ${SECONDS} s, two servers, ${WRITERS} writers, ${READERS} readers, replay stopped and resumed: ${writes} writes, ${times.length} reads, ${faults.length} faults; ` +
          `${replica + primary} statements, ${((100 * replica) / (replica + primary)).toFixed(0)} % on the replica; median ${times[Math.floor(times.length / 2)]?.toFixed(0)} ms, 99th ${times[Math.floor(times.length * 0.99)]?.toFixed(0)} ms\n`,
      );
      expect(faults).toEqual([]);
      expect([replica > 0, after['away'] ?? 0]).toEqual([true, before['away'] ?? 0]);
    },
    120_000 + SECONDS * 2000,
  );

  it('refuse tokens that were revoked and members who were removed at once, although the replica still has them', async () => {
    const env = { ...ENV, DATABASE_URL: pair.primaryUrl };
    await stage.finish(['user', 'create', MEMBER], { env });
    const made = await stage.finish(['token', 'create', '--user', MEMBER, '--name', 'Reads', '--json'], { env });
    const { token } = JSON.parse(made.stdout) as { token: string };
    await sql(
      pair.primaryUrl,
      `INSERT INTO member (organization_id, user_id, role, joined_at) SELECT $1, id, 'read', now() FROM account WHERE email = $2`,
      [organization, MEMBER],
    );
    const second = await ask<{ id: string; token: string }>(0, 'POST', '/user/tokens', { name: 'Another' });
    const statuses = async (): Promise<number[]> =>
      Promise.all([
        send(1, 'GET', `/orgs/${organization}`, { token }).then(({ status }) => status),
        send(1, 'GET', `/orgs/${organization}`, { token: second.token }).then(({ status }) => status),
      ]);
    expect(await statuses()).toEqual([200, 200]);
    const user = JSON.parse((await send(0, 'GET', '/user', { token })).text) as { id: string };
    await stopReplay();
    try {
      await ask(0, 'DELETE', `/orgs/${organization}/members/${user.id}`);
      await ask(0, 'DELETE', `/user/tokens/${second.id}`);
      expect(await statuses()).toEqual([404, 401]);
    } finally {
      await resumeReplay();
    }
    expect(await statuses()).toEqual([404, 401]);
  }, 180_000);

  it('show merges on published sites where they were made at once, on the other soon, and never go back', async () => {
    const space = await openSpace('Published');
    const page = await insertPage(0, space, 'Front');
    const site = await ask<{ id: string; basename: string }>(0, 'POST', `/orgs/${organization}/sites`, {
      title: 'Replicas',
      visibility: 'public',
      spaces: [space],
    });
    await ask(0, 'POST', `/orgs/${organization}/sites/${site.id}/publish`);
    const valueAt = async (server: number): Promise<number> => {
      const { text } = await visit(server, `/${site.basename}`);
      return Number(/Value (\d+)\./.exec(text)?.[1] ?? 0);
    };
    await Promise.all([valueAt(0), valueAt(1)]);
    let slowest = 0;
    for (let value = 1; value <= (IS_LONG ? 50 : 6); value++) {
      const isStopped = value % 2 === 0;
      if (isStopped) await stopReplay();
      await updatePage(0, space, page, `Value ${value}.`);
      expect(await valueAt(0)).toBe(value);
      const began = performance.now();
      while ((await valueAt(1)) !== value && performance.now() - began < 10_000) await pause(5);
      slowest = Math.max(slowest, performance.now() - began);
      if (isStopped) await resumeReplay();
      // What was kept while the replica was behind is not shown once it is asked again.
      for (let look = 0; look < 3; look++) expect([await valueAt(0), await valueAt(1)]).toEqual([value, value]);
    }
    process.stdout.write(`read replicas: a merge was seen on the other server within ${slowest.toFixed(0)} ms\n`);
    expect(slowest).toBeLessThan(5000);
  }, 120_000);

  it('go on reading without the primary, say so, and write again when it is back', async () => {
    const space = await openSpace('Outlives');
    const page = await insertPage(0, space, 'Lasting');
    const site = await ask<{ id: string; basename: string }>(0, 'POST', `/orgs/${organization}/sites`, {
      visibility: 'public',
      spaces: [space],
    });
    await ask(0, 'POST', `/orgs/${organization}/sites/${site.id}/publish`);
    await untilRead();
    await pause(500);
    const bringBack = await pair.losePrimary();
    try {
      const reads = [
        `/orgs/${organization}`,
        `/orgs/${organization}/spaces`,
        `/spaces/${space}/content/pages`,
        `/spaces/${space}/content/page/${page}`,
        `/orgs/${organization}/search?query=lasting`,
        `/spaces/${space}/search?query=lasting`,
        '/user',
      ];
      for (const server of [0, 1]) {
        for (const path of reads) expect([path, (await send(server, 'GET', path)).status]).toEqual([path, 200]);
        expect((await visit(server, `/${site.basename}`)).status).toBe(200);
        expect((await send(server, 'GET', '/user', { token: 'bdy_unknown' })).status).toBe(401);
        const refused = await send(server, 'POST', `/orgs/${organization}/spaces`, { body: { title: 'Never' } });
        expect(refused.status).toBe(503);
        const ready = await readiness(server);
        expect(ready.status).toBe(200);
        expect(ready.text).toContain('replicas alone: the primary cannot be reached');
      }
      expect((await counts())['away'] ?? 0).toBeGreaterThan(reads.length);
    } finally {
      await bringBack();
    }
    for (const deadline = Date.now() + 30_000; Date.now() < deadline; await pause(100))
      if ((await send(0, 'PATCH', `/spaces/${space}`, { body: { title: 'Renamed' } })).status === 200) break;
    for (const server of [0, 1])
      for (const deadline = Date.now() + 5000; ; await pause(50)) {
        if ((await send(server, 'GET', `/spaces/${space}`)).text.includes('Renamed')) break;
        if (Date.now() > deadline) throw new Error(`server ${server} does not see what was written after the outage`);
      }
    await untilRead();
  }, 180_000);

  it('go on without the replica, and measure it', async () => {
    const bringBack = await pair.loseStandby();
    const space = await openSpace('Without a replica');
    for (const server of [0, 1]) expect((await send(server, 'GET', `/spaces/${space}`)).status).toBe(200);
    await bringBack();
    await untilRead();
    const metrics = await (await fetch(new URL('/metrics', servers[0].api))).text();
    expect(metrics).toMatch(/^bindery_replica_lag_seconds\{host="127\.0\.0\.1:\d+"\} [\d.e-]+$/m);
    expect(metrics).toMatch(/^bindery_replica_usable\{host="127\.0\.0\.1:\d+"\} 1$/m);
  }, 120_000);
});
