import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { platform } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../operator-error.js';
import { isAlive } from '../process-alive.js';
import { readIfPresent } from './files.js';

/** The content of `postmaster.pid`. */
export type PostmasterFile = {
  readonly pid: number;
  readonly directory: string;
  /** Seconds since 1970. */
  readonly startedAt: number;
  readonly port: number;
  readonly status: 'starting' | 'stopping' | 'ready' | 'standby' | 'unknown';
};

const run = promisify(execFile);
const FILE = 'postmaster.pid';
const STOP_PATIENCE_SECONDS = 60;
const STATUSES = ['starting', 'stopping', 'ready', 'standby'] as const;

/**
 * Parses the lines pid, directory, start time, port, socket folder, address, shared memory, status; undefined for
 * anything else.
 */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, startedAt, port] = [lines[0], lines[2], lines[3]].map((line) =>
    /^\d+$/.test(line ?? '') ? Number(line) : undefined,
  );
  const directory = lines[1];
  if (pid === undefined || pid < 1 || !directory) return undefined;
  return {
    pid,
    directory,
    startedAt: startedAt ?? 0,
    port: port ?? 0,
    status: STATUSES.find((status) => status === lines[7]) ?? 'unknown',
  };
}

/** Reads the `postmaster.pid` of a cluster; undefined if it is absent or incomplete. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readIfPresent(join(cluster, FILE));
  return text === undefined ? undefined : parsePostmasterFile(text);
}

const isProgram = (path: string): boolean => /^postgres(\.exe)?( \(deleted\))?$/.test(basename(path));

async function isPostmasterOnLinux(pid: number, cluster: string): Promise<boolean> {
  const [program, folder, own, arguments_] = await Promise.all([
    readlink(`/proc/${pid}/exe`),
    stat(`/proc/${pid}/cwd`),
    stat(cluster),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
  ]);
  // Backends and helpers of the server work in the same folder, but do not keep the command line of the postmaster.
  const words = arguments_.split('\0');
  return isProgram(program) && folder.dev === own.dev && folder.ino === own.ino && words.includes('-D');
}

async function isPostmasterElsewhere(pid: number, cluster: string): Promise<boolean> {
  const { stdout } = await run('ps', ['-p', String(pid), '-o', 'command=']);
  return stdout.includes(`-D ${cluster}`) && isProgram(stdout.split(' -D ', 1)[0] ?? '');
}

/**
 * Tells whether the process is the postmaster of this very cluster. On Linux its program is `postgres` and its working
 * folder is the cluster, by device and inode, so that neither a recycled process number nor the server of another
 * folder is mistaken for it.
 */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  try {
    return platform() === 'linux' ? await isPostmasterOnLinux(pid, cluster) : await isPostmasterElsewhere(pid, cluster);
  } catch {
    return false;
  }
}

/**
 * Removes the `postmaster.pid` of a process that has ended and whose number another process has now: PostgreSQL would
 * mistake that process for itself and refuse to start. A file that changed meanwhile is restored.
 */
export async function removeStaleFile(cluster: string, stale: PostmasterFile): Promise<void> {
  const [path, aside] = [join(cluster, FILE), join(cluster, `${FILE}.${randomBytes(6).toString('hex')}`)];
  try {
    await rename(path, aside);
    const moved = parsePostmasterFile(await readFile(aside, 'utf8'));
    if (moved?.pid !== stale.pid || moved.startedAt !== stale.startedAt) await link(aside, path);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

/** Waits until the process is gone. @returns false after `seconds`. */
export async function waitForExit(pid: number, cluster: string, seconds: number): Promise<boolean> {
  const deadline = Date.now() + seconds * 1000;
  while (await isPostmasterOf(pid, cluster)) {
    if (Date.now() > deadline) return false;
    await new Promise((settle) => setTimeout(settle, 20));
  }
  return true;
}

/** Asks the postmaster to end all sessions and write everything to disk (`fast`), or to stop at once, to be recovered at the next start. */
export async function signalPostmaster(pid: number, how: 'fast' | 'immediate'): Promise<void> {
  try {
    process.kill(pid, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** Stops the postmaster if it still is that of the cluster, at once where it takes too long. */
export async function stopPostmaster(pid: number, { cluster }: { readonly cluster: string }): Promise<void> {
  if (!(await isPostmasterOf(pid, cluster))) return;
  await signalPostmaster(pid, 'fast');
  if (await waitForExit(pid, cluster, STOP_PATIENCE_SECONDS)) return;
  await signalPostmaster(pid, 'immediate');
  await waitForExit(pid, cluster, STOP_PATIENCE_SECONDS);
}
