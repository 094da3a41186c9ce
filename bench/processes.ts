import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TICK_MS = 10;
const RUN_TYPESCRIPT = new URL('../test/faults/run-typescript.mjs', import.meta.url).href;

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

/** Ends a process that this one started, and waits until it has ended. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
