import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { chooseAccount, isRoot } from '../src/kernel/platform/embedded-postgres/account.js';
import { locatePackage, prepareBinaries, repairLinks } from '../src/kernel/platform/embedded-postgres/binaries.js';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../src/kernel/platform/embedded-postgres/embedded-postgres.js';
import { isPostmasterOf, parsePostmasterFile } from '../src/kernel/platform/embedded-postgres/postmaster.js';
// Some of these run where ROUNDS is given.
import { inWholeRuns } from './whole.js';

const pause = (milliseconds: number) => new Promise((settle) => setTimeout(settle, milliseconds));

async function query<Row extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function until(what: string, holds: () => boolean | Promise<boolean>, seconds = 20): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${seconds} s: ${what}`);
    await pause(20);
  }
}

/** Numbers of the processes whose command line is one that `isOne` knows; only where there is a /proc. */
async function processes(isOne: (words: readonly string[], folder: string) => boolean): Promise<number[]> {
  const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = all.map(async (name) => {
    const words = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return isOne(words, await readlink(`/proc/${name}/cwd`).catch(() => '')) ? [Number(name)] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Watchers and processes of PostgreSQL that belong to a data directory. */
const watchersOf = (dataDir: string) =>
  processes((words) => words.includes('bindery-lifeline') && words.includes(join(dataDir, 'postgres')));
const processesOf = (dataDir: string) =>
  processes((words, folder) => folder.startsWith(dataDir) || words.includes(join(dataDir, 'postgres')));

/** Ids of the segments of shared memory of this machine; PostgreSQL keeps one for as long as it runs. */
async function sharedMemory(): Promise<string[]> {
  const lines = (await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '')).split('\n');
  return lines.slice(1).map((line) => line.trim().split(/\s+/)[1] ?? '');
}

describe('embedded PostgreSQL', () => {
  let root: string;
  let dataDir: string;
  /** Folder with a data directory in which a database was made and stopped. */
  let made: string;
  const running: EmbeddedPostgres[] = [];
  const children: ChildProcess[] = [];
  const undo: (() => Promise<unknown>)[] = [];

  async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const database = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined, ...options });
    running.push(database);
    return database;
  }

  /** A process of its own that holds the database of `dataDir`. */
  async function hold(role: 'server' | 'guest'): Promise<{ child: ChildProcess; url: string; pid: number }> {
    const child = spawn(
      process.execPath,
      [
        '--max-old-space-size=100',
        '--import',
        './test/faults/run-typescript.mjs',
        'test/faults/hold-database.ts',
        dataDir,
        role,
      ],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    children.push(child);
    for await (const line of createInterface(child.stdout)) {
      const { url, pid } = JSON.parse(line) as { url: string; pid: number };
      return { child, url, pid };
    }
    throw new Error('the holder ended without a word');
  }

  async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const over = once(child, 'exit');
    child.kill(signal);
    await over;
  }

  /** Spares a test that is not about making a database the time to make one. */
  function copyMade(): void {
    execFileSync('cp', ['-Rp', join(made, 'data'), dataDir]);
  }

  const runs = (pid: number) => isPostmasterOf(pid, join(dataDir, 'postgres'));

  async function openFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-'));
    await chmod(folder, 0o755);
    return folder;
  }

  beforeAll(async () => {
    made = await openFolder();
    await (await startEmbeddedPostgres({ dataDir: join(made, 'data'), durable: false, log: () => undefined })).stop();
  });

  afterAll(() => rm(made, { recursive: true, force: true }));

  beforeEach(async () => {
    root = await openFolder();
    dataDir = join(root, 'data');
  });

  afterEach(async () => {
    for (const child of children.splice(0))
      if (child.exitCode === null && child.signalCode === null) await kill(child, 'SIGKILL');
    await Promise.all(running.splice(0).map((database) => database.stop()));
    const file = parsePostmasterFile(
      await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => ''),
    );
    if (file !== undefined && (await runs(file.pid))) process.kill(file.pid, 'SIGQUIT');
    for (const step of undo.splice(0)) await step();
    await rm(root, { recursive: true, force: true });
  });

  it('creates a UTF8 database that only this machine and only the password reach', async () => {
    const { url, port } = await start();
    const settings = [
      'server_encoding',
      'lc_collate',
      'listen_addresses',
      'unix_socket_directories',
      'password_encryption',
      'port',
    ];
    const [facts] = await query<Record<string, string>>(
      url,
      `SELECT current_setting('server_encoding') AS server_encoding, datcollate AS lc_collate, current_database() AS name,
        (SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules) AS methods,
        (SELECT jsonb_object_agg(name, setting) FROM pg_settings WHERE name = ANY($1)) AS settings
        FROM pg_database WHERE datname = current_database()`,
      [settings],
    );
    expect(facts).toMatchObject({
      server_encoding: 'UTF8',
      lc_collate: 'C.UTF-8',
      name: 'bindery',
      methods: 'scram-sha-256',
      settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) },
    });
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(
      /password authentication failed/,
    );
    expect((await stat(join(dataDir, 'database-password'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
  });

  it('is durable unless a test asks otherwise', async () => {
    copyMade();
    const sql = `SELECT string_agg(setting, ' ' ORDER BY name) AS settings FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')`;
    const durable = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    running.push(durable);
    expect(await query(durable.url, sql)).toEqual([{ settings: 'on on on' }]);
    await durable.stop();
    expect(await query((await start()).url, sql)).toEqual([{ settings: 'off off on' }]);
  });

  it('keeps its data, and ends when it is stopped', async () => {
    copyMade();
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await first.stop();
    expect(await runs(first.pid)).toBe(false);
    const second = await start();
    expect(second.notice ?? '').not.toMatch(/already running/);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('refuses a second server on the same data directory in one line, and the first goes on', async () => {
    copyMade();
    const first = await start();
    await expect(start()).rejects.toThrow(
      new RegExp(
        `^Another server \\(process ${process.pid}\\) is using the data directory of .*: stop it, or set DATA_DIR to another folder$`,
      ),
    );
    expect(await query(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is shared by commands, and the last one to leave stops it', async () => {
    copyMade();
    const guest = await start({ role: 'guest' });
    const server = await start();
    const other = await start({ role: 'guest' });
    expect([server.port, other.port]).toEqual([guest.port, guest.port]);
    await guest.stop();
    await server.stop();
    expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await other.stop();
    expect(await runs(guest.pid)).toBe(false);
  });

  it('is created once although several processes start at the same time', async () => {
    const held = await Promise.all([hold('guest'), hold('guest'), start({ role: 'guest' })]);
    expect(new Set(held.map(({ url }) => url)).size).toBe(1);
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it.each<[string, NodeJS.Signals, string]>([
    ['was killed', 'SIGKILL', 'SIGKILL'],
    ['aborted', 'SIGHUP', 'SIGABRT'],
    ['had no memory left', 'SIGUSR2', 'SIGABRT'],
  ])(
    'ends within five seconds of a server that %s, and the next start finds every committed row',
    async (_, signal, ended) => {
      copyMade();
      const { child, url, pid } = await hold('server');
      // Sessions that are open and at work do not hold it up.
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      await client.connect();
      await client.query('CREATE TABLE kept AS SELECT 42 AS answer');
      void client.query('SELECT pg_sleep(60)').catch(() => undefined);
      const [, , , , , , shared = ''] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'))
        .split('\n')
        .map((line) => line.trim().split(/\s+/)[1]);
      expect(shared).toMatch(/^\d+$/);
      await kill(child, signal);
      expect(child.signalCode).toBe(ended);
      await until('PostgreSQL is gone', async () => !(await runs(pid)), 5);
      await until('nothing of it is left', async () => (await processesOf(dataDir)).length === 0, 5);
      expect(await sharedMemory()).not.toContain(shared);
      const names = await readdir(join(dataDir, 'postgres'));
      expect(names.filter((name) => /postmaster\.pid|lifeline/.test(name))).toEqual([]);
      const next = await start();
      expect(next.notice ?? '').not.toMatch(/already running/);
      expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
      expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('not properly shut down');
    },
  );

  it('stays with a command when the server beside it is killed, and ends with the command', async () => {
    copyMade();
    const server = await hold('server');
    const guest = await hold('guest');
    await kill(server.child, 'SIGKILL');
    await pause(500);
    expect(await query(guest.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await kill(guest.child, 'SIGKILL');
    await until('PostgreSQL is gone', async () => !(await runs(server.pid)), 5);
  });

  it('is watched again when its watcher was killed, and found by the next start where that was too late', async () => {
    if (platform() !== 'linux') return console.warn('skipped: processes are looked for in /proc');
    copyMade();
    const { child, url, pid } = await hold('server');
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const [watcher = Number.NaN] = await watchersOf(dataDir);
    process.kill(watcher, 'SIGKILL');
    await until('there is another watcher', async () => (await watchersOf(dataDir)).some((other) => other !== watcher));
    child.kill('SIGSTOP');
    for (const other of await watchersOf(dataDir)) process.kill(other, 'SIGKILL');
    await kill(child, 'SIGKILL');
    await pause(300);
    expect(await runs(pid)).toBe(true);
    const next = await start();
    expect(next.pid).toBe(pid);
    expect(next.notice).toContain(`already running on this data directory (process ${pid})`);
    expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(await watchersOf(dataDir)).toHaveLength(1);
    await next.stop();
    expect(await runs(pid)).toBe(false);
    await until('the watcher is gone', async () => (await watchersOf(dataDir)).length === 0, 5);
  });

  it('starts where it cannot be watched, and says so', async () => {
    copyMade();
    const path = process.env['PATH'];
    undo.push(async () => void (process.env['PATH'] = path));
    // Nothing but the program that finds the account of the database.
    const programs = join(root, 'programs');
    await mkdir(programs);
    await symlink(execFileSync('which', ['id']).toString().trim(), join(programs, 'id'));
    process.env['PATH'] = programs;
    const { notice, url } = await start();
    expect(notice).toMatch(/would outlive a killed server, because it cannot be watched \(.+\)/);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  inWholeRuns('recovers when server and PostgreSQL were both killed', async () => {
    copyMade();
    const { child, url, pid } = await hold('server');
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(pid, 'SIGKILL');
    await kill(child, 'SIGKILL');
    const next = await start();
    expect(next.pid).not.toBe(pid);
    expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('starts although another process has the number of its dead predecessor, and leaves that process alone', async () => {
    copyMade();
    const first = await start();
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    const words = await readFile(file, 'utf8');
    await first.stop();
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    const stranger = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], {
      stdio: 'ignore',
      cwd: '/',
      ...(isRoot() ? { uid, gid } : {}),
    });
    children.push(stranger);
    await once(stranger, 'spawn');
    await writeFile(file, words.replace(/^\d+/, String(stranger.pid)));
    const second = await start();
    expect(second.pid).not.toBe(stranger.pid);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  inWholeRuns('takes no PostgreSQL of another folder for its own', async () => {
    copyMade();
    const other = await start({ dataDir: join(root, 'other') });
    const first = await start();
    await first.stop();
    const words = await readFile(join(root, 'other', 'postgres', 'postmaster.pid'), 'utf8');
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), words, { mode: 0o600 });
    const second = await start();
    expect(second.port).not.toBe(other.port);
    await second.stop();
    expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  inWholeRuns('begins again where an earlier creation was interrupted', async () => {
    const gone = spawn(process.execPath, ['-e', '0']);
    await once(gone, 'exit');
    const draft = join(dataDir, `postgres.new-${gone.pid}-00ff00ff00ff`);
    await mkdir(join(draft, 'cluster', 'base'), { recursive: true });
    await writeFile(join(draft, 'cluster', 'PG_VERSION'), '18\n');
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  inWholeRuns('goes on after one of its processes was killed', async () => {
    copyMade();
    const lost: string[] = [];
    const lines: string[] = [];
    const { url } = await start({ onLost: (reason) => lost.push(reason), log: (line) => lines.push(line) });
    const [row] = await query<{ pid: number }>(
      url,
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'bindery server %'`,
    );
    process.kill(row?.pid ?? Number.NaN, 'SIGKILL');
    await until('the session is back', () => lines.some((line) => line.includes('restarted itself')));
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await expect(start()).rejects.toThrow(/^Another server/);
    expect(lost).toEqual([]);
  });

  inWholeRuns('tells its server when it is gone for good', async () => {
    copyMade();
    const lost: string[] = [];
    const { pid } = await start({ onLost: (reason) => lost.push(reason) });
    process.kill(pid, 'SIGKILL');
    await until('the loss is told', () => lost.length > 0);
    expect(lost).toHaveLength(1);
  });

  it('refuses a database of a newer major version, and of one whose programs it cannot get, in one line', async () => {
    copyMade();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '19\n');
    await expect(start()).rejects.toThrow(
      /^The database in .* was made by PostgreSQL 19, but this release brings PostgreSQL 18: start the release that made it, or a newer one$/,
    );
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '13\n');
    await expect(start()).rejects.toThrow(
      /^This release cannot get the programs of PostgreSQL 13 by itself: set EMBEDDED_POSTGRES_PREVIOUS to a folder [^\n]*$/,
    );
  });

  it('refuses a folder that holds no database in one line', async () => {
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'notes.txt'), 'mine');
    await expect(start()).rejects.toThrow(/^.*postgres holds no database: /);
    expect(await readFile(join(dataDir, 'postgres', 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('says in one line that the password of the database is lost', async () => {
    copyMade();
    await rm(join(dataDir, 'database-password'));
    await expect(start()).rejects.toThrow(
      /^The password in .* does not open the database in .*: bring back the file database-password/,
    );
    expect(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => 'none')).toBe('none');
  });

  it.each([
    ['below a file', async () => (await writeFile(join(root, 'file'), ''), join(root, 'file', 'data'))],
    ['where nothing can be made', async () => (isRoot() ? '/proc/bindery-data' : '/bindery-data')],
  ])('refuses a data directory %s in one line', async (_, place) => {
    const folder = await place();
    await expect(start({ dataDir: folder })).rejects.toThrow(
      /^The data directory .* cannot be written \([a-z -]+\): set DATA_DIR to [^\n]+$/,
    );
  });

  inWholeRuns('says in one line that the disk is full, and starts once there is room', async () => {
    if (!isRoot()) return console.warn('skipped: only root can mount a small disk');
    await mkdir(dataDir);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m,mode=755', 'bindery-test', dataDir], { stdio: 'ignore' });
    } catch {
      return console.warn('skipped: this machine lets nobody mount a small disk');
    }
    undo.push(async () => execFileSync('umount', ['-l', dataDir]));
    await expect(start()).rejects.toThrow(
      /^The database could not be created in .*: .*no space left on (?:the )?device$/i,
    );
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
    execFileSync('mount', ['-o', 'remount,size=500m', dataDir]);
    const database = await start();
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.stop();
  });

  it('lies in a folder of the system when its user cannot enter the data directory', async () => {
    if (!isRoot()) return console.warn('skipped: only root needs another user for the database');
    await chmod(root, 0o700);
    const lines: string[] = [];
    const first = await start({ log: (line) => lines.push(line) });
    const { home } = JSON.parse(await readFile(join(dataDir, 'database.json'), 'utf8')) as { home: string };
    expect(home).toMatch(/^\/[a-z]+(\/[a-z]+)?\/bindery-[0-9a-f]{12}$/);
    expect(lines.join('\n')).toContain(join(home, 'postgres'));
    const account = await chooseAccount();
    expect((await stat(join(home, 'postgres'))).uid).toBe(account?.uid);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    // The recorded place counts, even when another one would be chosen today.
    await chmod(root, 0o755);
    const second = await start();
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.remove();
    await expect(stat(home)).rejects.toThrow(/ENOENT/);
  });
});

describe('binaries of PostgreSQL', () => {
  let root: string;
  let native: string;
  const { version } = locatePackage();

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'bindery-'));
    await chmod(root, 0o755);
    native = join(root, 'package', 'native');
    await mkdir(join(root, 'package'));
    await cp(locatePackage().native, native, {
      recursive: true,
      verbatimSymlinks: true,
      filter: async (source) => !(await lstat(source)).isSymbolicLink() && !source.endsWith('.a'),
    });
  });

  afterEach(async () => {
    await chmod(join(native, 'lib'), 0o755);
    await rm(root, { recursive: true, force: true });
  });

  it('get the library links that the install script would have made', async () => {
    const missing = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    expect(await repairLinks(native)).toBe(true);
    for (const { target } of missing) expect((await stat(join(root, 'package', target))).isFile()).toBe(true);
    expect(await repairLinks(native)).toBe(true);
    expect((await prepareBinaries(join(root, 'home'), await chooseAccount(), { native, version })).folder).toBe(native);
  });

  it('are copied where the package cannot be used as it is, and the copy is used again', async () => {
    const account = await chooseAccount();
    // Root may write anywhere, but its database runs as a user who cannot enter this folder; others cannot write into lib.
    if (isRoot()) await chmod(join(root, 'package'), 0o700);
    else await chmod(join(native, 'lib'), 0o555);
    const home = join(root, 'home');
    const first = await prepareBinaries(home, account, { native, version });
    expect(first).toMatchObject({ folder: join(home, `postgres-${version}`, 'native'), major: 18 });
    const { ctimeMs } = await stat(first.folder);
    expect(await prepareBinaries(home, account, { native, version })).toEqual(first);
    expect((await stat(first.folder)).ctimeMs).toBe(ctimeMs);
  });

  it('never make a link outside of the package', async () => {
    await writeFile(
      join(native, 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/../../outside' }]),
    );
    await repairLinks(native);
    await expect(lstat(join(root, 'outside'))).rejects.toThrow(/ENOENT/);
  });

  it('tell in one line that they do not run here', async () => {
    await writeFile(join(native, 'bin', 'postgres'), 'no program');
    await symlink('nowhere', join(native, 'lib', 'broken'));
    await expect(prepareBinaries(join(root, 'home'), await chooseAccount(), { native, version })).rejects.toThrow(
      /^The embedded PostgreSQL does not run on this machine \(.+\): set DATABASE_URL[^\n]*$/,
    );
  });
});

describe('postmaster.pid', () => {
  const text = '4711\n/srv/data/postgres\n1763722000\n40393\n\n127.0.0.1\n  4456508         3\nready   \n';
  it.each<[string, string, unknown]>([
    [
      'a running server',
      text,
      { pid: 4711, directory: '/srv/data/postgres', startedAt: 1763722000, port: 40393, status: 'ready' },
    ],
    [
      'a stopping server',
      text.replace('ready   ', 'stopping'),
      { pid: 4711, directory: '/srv/data/postgres', startedAt: 1763722000, port: 40393, status: 'stopping' },
    ],
    [
      'a file that is just being written',
      '4711\n/srv/data/postgres\n',
      { pid: 4711, directory: '/srv/data/postgres', startedAt: 0, port: 0, status: 'unknown' },
    ],
    ['an empty file', '', undefined],
    ['a single-user process', text.replace('4711', '-4711'), undefined],
    ['something else', 'hello\nworld\n', undefined],
  ])('of %s', (_, given, expected) => {
    expect(parsePostmasterFile(given)).toEqual(expected);
  });
});
