import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { type ScratchDatabase, scratchDatabase } from '../scratch-database.js';
import { DatabaseProxy } from '../security/database-proxy.js';
import { type Process, Stage, pause } from './processes.js';

const LIMIT = 180_000;
const TOKEN = 'stand-in-token-stand-in-token-stand-in-token-stand';
const SETTINGS = {
  SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
  BOOTSTRAP_TOKEN: TOKEN,
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
  SEARCH_VECTORS: 'none',
};

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks on a connection of its own unless `agent` has one; rejects where the connection is refused or breaks. */
function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', agent }: { readonly method?: string; readonly agent?: Agent } = {},
): Promise<Answer> {
  return new Promise((settle, fail) => {
    httpRequest(url, { method, headers, agent: agent ?? false }, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((body) => settle({ status, headers, body }), fail);
    })
      .once('error', fail)
      .end();
  });
}

const statusOf = async (url: string): Promise<number> => (await ask(url)).status;

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('it has not come about within a minute');
    await pause(50);
  }
}

/** A refusal that tells when to come again, in the one shape of errors. */
function expectAway({ status, headers, body }: Answer, message = 'The database cannot be reached'): void {
  expect({ status, body: JSON.parse(body) as unknown }).toEqual({
    status: 503,
    body: { error: { code: 503, message } },
  });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
}

let database: ScratchDatabase;
let proxy: DatabaseProxy;
let sql: pg.Client;
/** Has the database all the time; authors use it. */
let author: Stage;
let api = '';
let organization = '';

interface Site {
  readonly path: string;
  readonly base: string;
  readonly space: string;
  readonly pages: readonly string[];
}

async function write<Body>(path: string, body: object = {}, method = 'POST'): Promise<Body> {
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

/** A published site of two pages. */
async function site(visibility = 'public'): Promise<Site> {
  const space = await write<{ id: string }>(`/orgs/${organization}/spaces`, {
    title: 'Guide',
    empty: true,
    editMode: 'live',
  });
  const changes = ['Welcome', 'Install'].map((title) => ({
    operation: 'insert_page',
    title,
    document: { markdown: `The first words of ${title}.` },
  }));
  const written = await write<{ changes: { page: { id: string } }[] }>(`/spaces/${space.id}/content`, { changes });
  const made = await write<{ id: string; basename: string }>(`/orgs/${organization}/sites`, {
    title: 'Handbook',
    visibility,
    spaces: [space.id],
  });
  const path = `/orgs/${organization}/sites/${made.id}`;
  await write(`${path}/publish`);
  return { path, base: `/${made.basename}`, space: space.id, pages: written.changes.map(({ page }) => page.id) };
}

beforeAll(async () => {
  [database, author] = await Promise.all([scratchDatabase(), Stage.open()]);
  proxy = new DatabaseProxy(new URL(database.url));
  await proxy.join();
  sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  const { facts } = await author.serve({ env: { ...SETTINGS, DATABASE_URL: database.url } });
  api = facts.api;
  organization = facts.bootstrap?.organization.id ?? '';
}, LIMIT);
afterAll(async () => {
  await proxy.break();
  await author.close();
  await sql.end();
  await database.drop();
}, LIMIT);

/** A server behind a line to the database that can be cut, and its data directory. */
class Reader {
  private constructor(
    readonly stage: Stage,
    readonly env: Readonly<Record<string, string>>,
    readonly origin: string,
    readonly apiOrigin: string,
  ) {}

  static async open(more: Readonly<Record<string, string>> = {}): Promise<Reader> {
    const [port, publicPort] = [await freePort(), await freePort()];
    const ports = { PORT: String(port), PUBLIC_PORT: String(publicPort) };
    const env = { ...SETTINGS, DATABASE_URL: proxy.url, PUBLISHED_AWAY_SECONDS: '600', ...ports, ...more };
    return new Reader(await Stage.open(), env, `http://127.0.0.1:${publicPort}`, `http://127.0.0.1:${port}`);
  }

  /** Starts the server and waits until it serves, with its database or without. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<Process> {
    const server = this.stage.run(['serve', '--json'], { env: { ...this.env, ...env } });
    await until(async () => {
      if (server.over) throw new Error(`it ended: ${server.stderr}`);
      return (await statusOf(`${this.apiOrigin}/healthz`)) === 200;
    });
    return server;
  }

  /** Starts the server with its database, and shows these pages to a reader. */
  async show(...paths: readonly string[]): Promise<Process> {
    const server = await this.start();
    await server.announcement();
    for (const path of paths) expect([path, await statusOf(this.origin + path)]).toEqual([path, 200]);
    // Behind the requests.
    await pause(1000);
    return server;
  }
}

let reader: Reader;
afterEach(async () => {
  await reader.stage.close();
}, LIMIT);
beforeEach(() => proxy.break().then(() => proxy.join()));

describe('a server that starts while its database is away', () => {
  it.each([
    ['one process', '1', 'SIGKILL'],
    ['several workers', '2', 'SIGTERM'],
  ] as const)(
    'sends what everybody had read, and nothing else; goes on without a refused connection: %s',
    async (_, WORKERS, signal) => {
      const [open, leaving, gone, limited] = [await site(), await site(), await site(), await site('share-link')];
      const link = await write<{ urls: { published: string } }>(`${limited.path}/share-links`, { name: 'Guests' });
      const Cookie = `gitbook-share-key=${new URL(link.urls.published).pathname.split('/').at(-1) ?? ''}`;
      reader = await Reader.open({ WORKERS });
      const { origin, apiOrigin } = reader;
      const first = await reader.show(open.base, `${open.base}/install`, leaving.base, gone.base);
      const before = (await ask(origin + open.base)).body;
      expect((await ask(origin + limited.base, { Cookie })).status).toBe(200);
      // A change that this server hears of before it ends.
      await write(`${gone.path}/unpublish`);
      await until(async () => (await statusOf(origin + gone.base)) === 404);
      // The others are noted anew behind the requests.
      await pause(1000);
      await first.kill(signal);
      await proxy.break();

      await (await reader.start()).kill('SIGKILL');
      const server = await reader.start();
      expect(server.stderr).toMatch(
        /^The database .* cannot be reached \(.*\): .* stored pages of public sites are sent/m,
      );
      const shown = await ask(origin + open.base);
      expect(shown.status).toBe(200);
      expect(shown.headers['cache-status']).toMatch(/^Bindery; hit; ttl=-\d+$/);
      expect(shown.headers['surrogate-key']).toBeUndefined();
      const plain = (html: string): string => html.replaceAll(/nonce="[^"]+"/g, '');
      expect(plain(shown.body)).toBe(plain(before));
      expect((await ask(`${origin}${open.base}/install`)).body).toContain('The first words of Install.');
      expect(await ask(origin + open.base, {}, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
      expect((await ask(origin + open.base, { 'If-None-Match': shown.headers.etag ?? '' })).status).toBe(304);
      const style = /href="([^"]+site\.css)"/.exec(shown.body)?.[1] ?? '';
      expect(await ask(origin + style)).toMatchObject({ status: 200, headers: { 'content-type': /css/ } });
      expect((await ask(origin + leaving.base)).status).toBe(200);

      for (const refused of [
        await ask(origin + gone.base),
        await ask(`${origin}${leaving.base}/install`),
        await ask(`${origin}${open.base}?q=words`),
        await ask(`${origin}/~files/abc/picture.png`),
        await ask(origin + limited.base, { Cookie }),
        await ask(origin + open.base, { Cookie }),
        await ask(origin + open.base, {}, { method: 'POST' }),
        await ask(`${apiOrigin}/v1/orgs`, { Authorization: `Bearer ${TOKEN}` }),
      ])
        expectAway(refused);
      expectAway(await ask(`${apiOrigin}/readyz`), 'Not ready: the database cannot be reached');

      await write(`${leaving.path}/unpublish`);
      await write(`/spaces/${open.space}/content`, {
        changes: [
          { operation: 'update_page', page: open.pages[0], document: { markdown: 'The words of the time between.' } },
        ],
      });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const statuses = new Set<number>();
      let isOver = false;
      const readers = [undefined, agent].map(async (agent) => {
        while (!isOver) statuses.add((await ask(origin + open.base, {}, { agent })).status);
      });
      try {
        await proxy.join();
        await server.announcement();
        const [current, left] = [await ask(origin + open.base), await ask(origin + leaving.base)];
        expect(current.body).toContain('The words of the time between.');
        expect(current.headers['cache-status']).toBeUndefined();
        expect(left.status).toBe(404);
        await until(async () => (await statusOf(`${apiOrigin}/readyz`)) === 200);
        expect((await ask(`${apiOrigin}/v1/orgs`, { Authorization: `Bearer ${TOKEN}` })).status).toBe(200);
      } finally {
        isOver = true;
        await Promise.all(readers);
        agent.destroy();
      }
      expect([...statuses]).toEqual([200]);
      expect((await server.kill('SIGTERM')).code).toBe(0);
    },
    LIMIT,
  );

  it(
    'sends nothing once the limit is over, which no start prolongs',
    async () => {
      const open = await site();
      reader = await Reader.open({ PUBLISHED_AWAY_SECONDS: '12' });
      const first = await reader.show(open.base);
      await proxy.break();
      const brokenAt = Date.now();
      await first.kill('SIGTERM');
      const page = reader.origin + open.base;
      const second = await reader.start();
      expect(await statusOf(page)).toBe(200);
      await second.kill('SIGKILL');
      const server = await reader.start();
      expect(await statusOf(page)).toBe(200);
      await until(async () => (await statusOf(page)) === 503);
      expect(Date.now() - brokenAt).toBeLessThan(13_000);
      expectAway(await ask(page));
      await server.kill('SIGKILL');
      const last = await reader.start();
      expectAway(await ask(page));
      await proxy.join();
      await last.announcement();
      expect(await statusOf(page)).toBe(200);
    },
    LIMIT,
  );

  it(
    'ends at a signal, and with its line where a port is taken or the database refuses it, at once and later',
    async () => {
      const open = await site();
      reader = await Reader.open();
      await (await reader.show(open.base)).kill('SIGTERM');
      const wrong = new URL(proxy.url);
      wrong.password = 'hunter2';
      const refused = await reader.stage.finish(['serve'], { env: { ...reader.env, DATABASE_URL: wrong.toString() } });
      expect({ code: refused.code, stderr: refused.stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^bindery: The database .* refuses the user .*\n$/) as unknown,
      });
      await proxy.break();
      for (const signal of ['SIGTERM', 'SIGINT'] as const)
        expect(await (await reader.start()).kill(signal)).toMatchObject({ code: 0 });

      const server = await reader.start();
      expect(await statusOf(reader.origin + open.base)).toBe(200);
      for (const WORKERS of ['1', '2']) {
        const taken = await reader.stage.finish(['serve'], { env: { ...reader.env, WORKERS } });
        expect({ code: taken.code, lines: taken.stderr.match(/^bindery: .*/gm) }).toEqual({
          code: 1,
          lines: [expect.stringMatching(/^bindery: Port \d+ of 127\.0\.0\.1 is in use: /) as unknown],
        });
      }
      const newer = 'TomorrowContract9999999999999';
      await sql.query('INSERT INTO migration (timestamp, name) VALUES (9999999999999, $1)', [newer]);
      try {
        await proxy.join();
        expect(await server.ending).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/"message":"The database is newer than this release/) as unknown,
        });
        const again = await reader.stage.finish(['serve'], { env: reader.env });
        expect({ code: again.code, stderr: again.stderr }).toEqual({
          code: 1,
          stderr: expect.stringMatching(/^bindery: The database is newer than this release.*\n$/) as unknown,
        });
      } finally {
        await sql.query('DELETE FROM migration WHERE name = $1', [newer]);
      }
    },
    LIMIT,
  );

  it(
    'waits for nothing where no page is kept, or none may be sent',
    async () => {
      const open = await site();
      reader = await Reader.open();
      await (await reader.show(open.base)).kill('SIGTERM');
      await proxy.break();
      const unusable: Readonly<Record<string, string>>[] = [
        { PUBLISHED_AWAY_SECONDS: '0' },
        { PUBLISHED_PAGES_DISK_MB: '0' },
        { DATA_DIR: `${reader.stage.folder}/another` },
      ];
      for (const env of unusable) {
        const { code, stderr } = await reader.stage.finish(['serve'], { env: { ...reader.env, ...env } });
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: expect.stringMatching(/^bindery: The database .* cannot be reached \(.*\): .*\n$/) as unknown,
        });
      }
    },
    LIMIT,
  );
});
