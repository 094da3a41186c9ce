import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TICK_MS = 10;
const PATIENCE_MS = 300_000;
const FORCE_AFTER_MS = 10_000;
const RUN_TYPESCRIPT = new URL('../test/faults/run-typescript.mjs', import.meta.url).href;

export const pause = (milliseconds: number): Promise<void> => new Promise((settle) => setTimeout(settle, milliseconds));

interface ProcessFacts {
  readonly parent: number;
  readonly ownMs: number;
  /** For children that have ended and were waited for. */
  readonly endedChildrenMs: number;
}

/** The data of `/proc/<pid>/stat`; undefined if there is no such process, or no `/proc` at all. */
function factsOf(pid: number): ProcessFacts | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0] = [fields[1]];
  const ticks = (from: number): number => (fields[from] ?? 0) + (fields[from + 1] ?? 0);
  return { parent, ownMs: ticks(11) * TICK_MS, endedChildrenMs: ticks(13) * TICK_MS };
}

/** CPU time in milliseconds that a process has used so far, user and system (steps of 10 ms). */
export function cpuOf(pid: number): number {
  return factsOf(pid)?.ownMs ?? 0;
}

/** CPU time of a process with all its children, including ended ones: of PostgreSQL with its sessions. */
export function cpuOfFamily(pid: number): number {
  const root = factsOf(pid);
  if (root === undefined) return 0;
  let sum = root.ownMs + root.endedChildrenMs;
  for (const name of readdirSync('/proc')) {
    const facts = /^\d+$/.test(name) ? factsOf(Number(name)) : undefined;
    if (facts?.parent === pid) sum += facts.ownMs + facts.endedChildrenMs;
  }
  return sum;
}

/** Memory of a process in megabytes, current and peak; undefined without `/proc`. */
export function memoryOf(pid: number): { nowMb: number; peakMb: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const megabytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024;
    return { nowMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
  } catch {
    return undefined;
  }
}

/** Starts one of the benchmark's own TypeScript files as a process that communicates by messages. */
export function forkTypescript(file: string, args: readonly string[], options: ForkOptions = {}): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), [...args], {
    ...options,
    execArgv: ['--import', RUN_TYPESCRIPT],
  });
}

/** The next message of a process; fails if the process ends without one. */
export function messageOf<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => {
      child.off('message', received);
      reject(new Error(`a process of the benchmark ended with ${String(code)}`));
    };
    const received = (message: unknown): void => {
      child.off('exit', ended);
      resolve(message as Message);
    };
    child.once('message', received).once('exit', ended);
  });
}

/** Waits until a process answers; fails with the end of its log if it ends before, and after five minutes. */
export async function untilAnswering(
  name: string,
  child: ChildProcess,
  logFile: string,
  answers: () => Promise<boolean>,
): Promise<void> {
  const begin = performance.now();
  let failed: string | undefined;
  child.once('error', (error) => (failed = error.message));
  while (!(await answers())) {
    const over = failed ?? child.signalCode ?? (child.exitCode === null ? undefined : `status ${child.exitCode}`);
    if (over !== undefined || performance.now() - begin > PATIENCE_MS) {
      const ending = over === undefined ? 'does not answer' : `ended with ${over}`;
      throw new Error(`${name} did not start: it ${ending}\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
    }
    await pause(10);
  }
}

/** Ends a process that this one started, and waits until it has ended. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

const endings = new WeakMap<ChildProcess, Promise<void>>();

/**
 * Ends a process that was started as the leader of a group of its own, with all that it has started; by force after ten
 * seconds. Once only: the number of a group that is gone may become that of another.
 */
export function endGroup(child: ChildProcess): Promise<void> {
  const ending = endings.get(child) ?? endGroupOf(child);
  endings.set(child, ending);
  return ending;
}

async function endGroupOf(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-pid, name);
    } catch {
      // Nobody of the group is left.
    }
  };
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit');
    const force = setTimeout(() => signal('SIGKILL'), FORCE_AFTER_MS);
    signal('SIGTERM');
    await gone;
    clearTimeout(force);
  }
  signal('SIGKILL');
}
