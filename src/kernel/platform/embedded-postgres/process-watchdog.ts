import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readdirSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { codeOf, reasonOf } from '../operator-error.js';
import { isAlive } from '../process-alive.js';
import { type Account, spawnOptions } from './account.js';

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const NAME = /^lifeline\.(\d+)$/;

/**
 * Reads a named pipe until no process has it open for writing any more, which holds for every way in which a process
 * can end. Then it stops PostgreSQL as `pg_ctl stop --mode=fast` does, and after three seconds as `--mode=immediate`.
 * It signals no process but the postmaster of this cluster. Arguments: process number, folder of the cluster, named
 * pipe.
 */
const WATCH = `
while read -r _; do :; done
ours() {
  first=
  { read -r first _ < "$2/postmaster.pid"; } 2>/dev/null
  [ "\${first:-$1}" = "$1" ] || return 1
  if [ -d /proc/self ]; then [ "/proc/$1/cwd" -ef "$2" ]; else ps -p "$1" -o command= | grep -qF -- "-D $2"; fi
}
tenths=0
while [ $tenths -lt 600 ] && ours "$1" "$2"; do
  case $tenths in 0) kill -INT "$1" ;; 30) kill -QUIT "$1" ;; esac
  sleep 0.1
  tenths=$((tenths + 1))
done
rm -f "$3"
`;

/**
 * Ties PostgreSQL to the processes that use it: it ends with the last of them, even one that is killed or runs out of memory. Each
 * holds the writing end of a named pipe in the cluster's folder; a shell reads the other end (1.5 MB, most of it shared).
 */
export class ProcessWatchdog {
  /**
   * The reason why this machine has no watchdog; PostgreSQL then outlives a killed server until the next start finds
   * it.
   */
  readonly fault: string | undefined;
  private readonly pipe: string;
  private held: number | undefined;

  private constructor(
    private readonly pid: number,
    private readonly cluster: string,
    private readonly account: Account | undefined,
  ) {
    this.pipe = join(cluster, `lifeline.${pid}`);
    if (platform() === 'win32') return;
    try {
      this.hold();
    } catch (error) {
      this.release();
      this.fault = reasonOf(error);
    }
  }

  /** Attaches this process to a postmaster that was just started or found. */
  static hold(pid: number, cluster: string, account: Account | undefined): ProcessWatchdog {
    return new ProcessWatchdog(pid, cluster, account);
  }

  /** Detaches this process: PostgreSQL stops unless another process is attached. May be called twice. */
  release(): void {
    if (this.held !== undefined) closeSync(this.held);
    this.held = undefined;
  }

  private hold(): void {
    try {
      this.held = openSync(this.pipe, O_WRONLY | O_NONBLOCK);
      return;
    } catch (error) {
      // The pipe has no reader: its watcher was killed.
      if (codeOf(error) !== 'ENXIO') this.make(error);
    }
    // Opening it for writing needs a reader, and opening it for blocking reading, as the shell does, needs a writer.
    const first = openSync(this.pipe, O_RDONLY | O_NONBLOCK);
    try {
      this.held = openSync(this.pipe, O_WRONLY | O_NONBLOCK);
      this.watch();
    } finally {
      closeSync(first);
    }
  }

  private make(error: unknown): void {
    if (codeOf(error) !== 'ENOENT') throw error;
    for (const name of readdirSync(this.cluster)) {
      const pid = Number(NAME.exec(name)?.[1]);
      if (!Number.isNaN(pid) && !isAlive(pid)) rmSync(join(this.cluster, name), { force: true });
    }
    try {
      execFileSync('mkfifo', ['-m', '600', this.pipe], {
        ...spawnOptions(this.account),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    } catch (failure) {
      // Another process may have been faster.
      if (!readdirSync(this.cluster).includes(`lifeline.${this.pid}`)) throw failure;
    }
  }

  private watch(): void {
    const reading = openSync(this.pipe, O_RDONLY);
    let child: ChildProcess;
    try {
      child = spawn('/bin/sh', ['-c', WATCH, 'bindery-lifeline', String(this.pid), this.cluster, this.pipe], {
        ...spawnOptions(this.account),
        detached: true,
        stdio: [reading, 'ignore', 'ignore'],
      });
    } finally {
      closeSync(reading);
    }
    child.once('error', () => undefined);
    // It exits by itself only when no process holds the pipe.
    child.once('exit', (_, signal) => {
      if (signal !== null && this.held !== undefined && isAlive(this.pid)) this.watchAgain();
    });
    child.unref();
  }

  private watchAgain(): void {
    try {
      this.watch();
    } catch {
      // As on a machine without a watchdog: the next start finds what is left.
    }
  }
}
