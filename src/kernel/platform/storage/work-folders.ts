import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../process-alive.js';

/** Machines and containers that share a folder for temporary files have names of their own. */
const OF_THIS_MACHINE = `bindery-work-${hostname()}-`;
/** A restarted container often has the same process number again. */
const STARTED = Math.round(performance.timeOrigin);
const OWNER = /^(\d+)-(\d+)-/;

/** Runs `work` with a folder of its own, which is removed afterwards; where the process was killed, by the next start of a server. */
export async function withWorkFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `${OF_THIS_MACHINE}${process.pid}-${STARTED}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the folders of processes of this machine that have ended. */
export async function removeAbandonedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(OF_THIS_MACHINE)) continue;
    const [, pid, started] = OWNER.exec(name.slice(OF_THIS_MACHINE.length)) ?? [];
    if (pid === undefined || isInUse(Number(pid), Number(started))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isInUse(pid: number, started: number): boolean {
  return pid === process.pid ? started === STARTED : isAlive(pid);
}
