import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { chown, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { OperatorError, codeOf, reasonOf } from '../operator-error.js';
import { type Account, spawnOptions } from './account.js';
import type { Binaries } from './binaries.js';
import { completeSwitch } from './cluster-switch.js';
import { exists, readIfPresent, syncFolder } from './files.js';
import type { Layout } from './layout.js';
import { ProcessWatchdog } from './process-watchdog.js';
import { isAlive } from '../process-alive.js';
import { readPostmasterFile } from './postmaster.js';

export const SUPERUSER = 'bindery';

const LOG_LIMIT = 10 * 1024 ** 2;
const DRAFT = /\.new-(\d+)-[0-9a-f]+$/;
/** Clusters that this process is creating. */
const underway = new Set<string>();

const lastLine = (text: string): string => {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) => /(FATAL|PANIC|error|could not|No space)/.test(line));
  return (telling.at(-1) ?? lines.at(-1) ?? 'no reason given')
    .replace(/^.*?(?:FATAL|PANIC): +/, '')
    .replace(/^initdb: error: /, '');
};

function runProgram(
  program: string,
  words: readonly string[],
  account: Account | undefined,
): Promise<{ code: number | null; output: string }> {
  return new Promise((settle, fail) => {
    const child = spawn(program, words, { ...spawnOptions(account), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => (output += text));
    }
    child.once('error', fail);
    child.once('close', (code) => settle({ code, output }));
  });
}

/** Removes unfinished clusters of earlier processes. Those of running processes stay. */
async function removeDrafts(layout: Layout): Promise<void> {
  const prefix = `${basename(layout.cluster)}.new-`;
  for (const name of await readdir(layout.home)) {
    const pid = Number(DRAFT.exec(name)?.[1]);
    if (!name.startsWith(prefix) || Number.isNaN(pid) || underway.has(join(layout.home, name))) continue;
    // A process in a container often has the same process number as its predecessor.
    if (isAlive(pid) && pid !== process.pid) continue;
    // An orphaned initdb may still be writing there; files that cannot be removed now are removed at the next start.
    await rm(join(layout.home, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function runInitdb(
  binaries: Binaries,
  layout: Layout,
  draft: string,
  passwordFile: string,
  durable: boolean,
): Promise<void> {
  const words = [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  let result = await runProgram(binaries.initdb, [...words, '--locale=C.UTF-8'], layout.account);
  if (result.code !== 0 && result.output.includes('invalid locale')) {
    // Systems whose C library has no C.UTF-8 (older ones, macOS): PostgreSQL 17 and newer provide the same locale
    // themselves.
    result = await runProgram(
      binaries.initdb,
      [...words, '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      layout.account,
    );
  }
  if (result.code !== 0) {
    throw new OperatorError(`The database could not be created in ${layout.home}: ${lastLine(result.output)}`);
  }
}

/**
 * Makes a new cluster under another name, in a folder that goes with this process or the next start, and calls `work`
 * with its place, from which it may be renamed.
 */
export async function withNewCluster<T>(
  binaries: Binaries,
  layout: Layout,
  password: string,
  durable: boolean,
  work: (cluster: string) => Promise<T>,
): Promise<T> {
  const draft = `${layout.cluster}.new-${process.pid}-${randomBytes(6).toString('hex')}`;
  const passwordFile = join(draft, 'password');
  underway.add(draft);
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (layout.account !== undefined) {
      const { uid, gid } = layout.account;
      await Promise.all([draft, passwordFile].map((path) => chown(path, uid, gid)));
    }
    await runInitdb(binaries, layout, join(draft, 'cluster'), passwordFile, durable);
    return await work(join(draft, 'cluster'));
  } finally {
    await rm(draft, { recursive: true, force: true });
    underway.delete(draft);
  }
}

/** Writes all files of a cluster that was filled without durability to disk; nothing may run on it. */
export async function syncCluster(binaries: Binaries, layout: Layout): Promise<void> {
  const result = await runProgram(binaries.initdb, ['--sync-only', `--pgdata=${layout.cluster}`], layout.account);
  if (result.code !== 0) throw new OperatorError(lastLine(result.output));
}

/**
 * Creates the cluster if it does not exist. It is created under another name and renamed when complete, so that an
 * interrupted creation can simply be repeated; of two servers that start at once the first to finish wins.
 */
export async function ensureCluster(
  binaries: Binaries,
  layout: Layout,
  password: string,
  durable: boolean,
): Promise<void> {
  await removeDrafts(layout);
  if ((await exists(layout.cluster)) || (await completeSwitch(layout))) return checkVersion(binaries, layout);
  try {
    await withNewCluster(binaries, layout, password, durable, (cluster) => rename(cluster, layout.cluster));
    if (durable) await syncFolder(layout.home);
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) return checkVersion(binaries, layout);
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The database could not be created in ${layout.home}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** The major version of PostgreSQL that made the cluster, such as `17`; undefined if it does not exist. */
export const clusterVersion = ({ cluster }: Pick<Layout, 'cluster'>): Promise<string | undefined> =>
  readIfPresent(join(cluster, 'PG_VERSION'));

async function checkVersion(binaries: Binaries, layout: Layout): Promise<void> {
  const version = await clusterVersion(layout);
  if (version === String(binaries.major)) return;
  throw new OperatorError(
    version === undefined
      ? `${layout.cluster} holds no database: remove or rename that folder, or set DATA_DIR to another one`
      : `The database in ${layout.cluster} was made by PostgreSQL ${version}, but this release brings PostgreSQL ${binaries.major}: start the release that made it, or a newer one`,
  );
}

/** A port of the loopback address that is free at this moment. */
export function freePort(): Promise<number> {
  return new Promise((settle, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? settle(address.port) : fail(new Error('no address')),
      );
    });
  });
}

/** Settings of PostgreSQL by their names. */
type Settings = Readonly<Record<string, string | number>>;

const settingsFor = (port: number, durable: boolean, more: Settings): string[] => {
  const settings: Settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    // Running queries of a killed server end by themselves, so that the next server finds none of them.
    client_connection_check_interval: '2s',
    // The server logs errors of statements itself; this log keeps starts, stops and recoveries, so it stays small.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
    jit: 'off',
    // A space can grow from nothing to thousands of pages in a minute, and the planner needs current statistics.
    autovacuum_naptime: '10s',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', max_wal_size: '4GB' }),
    ...more,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
};

async function openLog(layout: Layout): Promise<{ descriptor: number; offset: number }> {
  const size = (await exists(layout.log)) ? (await stat(layout.log)).size : 0;
  if (size > LOG_LIMIT) await rename(layout.log, `${layout.log}.1`);
  return { descriptor: openSync(layout.log, 'a', 0o600), offset: size > LOG_LIMIT ? 0 : size };
}

/** The result of a start: ready on a port, or ended before that, with the last log lines of PostgreSQL. */
export type Launch =
  | { readonly ready: true; readonly pid: number; readonly port: number; readonly lifeline: ProcessWatchdog }
  | { readonly ready: false; readonly reason: string };

/**
 * Starts PostgreSQL in a process group of its own, so that Ctrl-C in a terminal reaches only the server, which stops
 * the database when its requests are done. Returns as soon as connections are accepted; crash recovery may take some
 * time.
 */
export async function launch(
  binaries: Binaries,
  layout: Layout,
  durable: boolean,
  whileStarting: () => void = () => undefined,
  more: Settings = {},
): Promise<Launch> {
  const port = await freePort();
  const { descriptor, offset } = await openLog(layout);
  const child = spawn(binaries.postgres, ['-D', layout.cluster, ...settingsFor(port, durable, more)], {
    ...spawnOptions(layout.account),
    // The working folder distinguishes a postmaster from other processes, from its first moment on.
    cwd: layout.cluster,
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
  });
  closeSync(descriptor);
  const lifeline =
    child.pid === undefined ? undefined : ProcessWatchdog.hold(child.pid, layout.cluster, layout.account);
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended ??= `PostgreSQL ended with ${signal ?? `code ${code ?? 'unknown'}`}`));
  child.unref();
  whileStarting();
  for (;;) {
    if (ended !== undefined) {
      lifeline?.release();
      const words = (await readFile(layout.log)).subarray(offset).toString('utf8');
      return { ready: false, reason: words.trim() === '' ? ended : lastLine(words) };
    }
    const file = await readPostmasterFile(layout.cluster);
    if (lifeline !== undefined && file?.pid === child.pid && file?.status === 'ready')
      return { ready: true, pid: file.pid, port, lifeline };
    await new Promise((settle) => setTimeout(settle, 10));
  }
}

/** Tells whether the last start failed because of the port, so that another port helps. */
export const isPortClash = (reason: string): boolean => /could not (bind|create any TCP)/.test(reason);

/** Tells whether another process holds the cluster, or remains of a killed process hold it for a moment. */
export const isOccupied = (reason: string): boolean =>
  /lock file ".*" already exists|pre-existing shared memory block|is empty/.test(reason);
