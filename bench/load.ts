import type { ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { endProcess, forkTypescript, messageOf } from './processes.js';

/** A placeholder in a request for eight characters that differ from request to request. */
export const SERIAL_MARK = '@@@@@@@@';

export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Texts of requests; connection k uses lane k modulo their number. */
  readonly lanes: readonly (readonly string[])[];
  /** Status codes that count as success. */
  readonly expect: readonly number[];
}

export interface LoadResult {
  readonly count: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Number of failed requests, by status or reason. */
  readonly failures: Readonly<Record<string, number>>;
}

/** The quantile of sorted numbers; 0 of none. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function summarize(
  latencies: readonly number[],
  failures: Readonly<Record<string, number>>,
  milliseconds: number,
): LoadResult {
  const sorted = [...latencies].sort((left, right) => left - right);
  return {
    count: sorted.length,
    perSecond: (sorted.length * 1000) / milliseconds,
    medianMs: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
    failures,
  };
}

/** A separate process that sends requests, so that the load and this process do not disturb each other. */
export class LoadGenerator {
  private constructor(private readonly child: ChildProcess) {}

  /** A generator with `standsBack` runs at low priority, so that the server and the others get the processor first. */
  static start({ standsBack = false } = {}): LoadGenerator {
    const child = forkTypescript('./load-worker.ts', []);
    if (standsBack && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    return new LoadGenerator(child);
  }

  async run(order: LoadOrder): Promise<LoadResult> {
    const result = messageOf<LoadResult>(this.child);
    this.child.send(order);
    return result;
  }

  stop(): Promise<void> {
    return endProcess(this.child);
  }
}
