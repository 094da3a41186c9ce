import { type LoadGenerator, type LoadOrder, type LoadResult, quantile } from './load.js';
import { cpuOf, cpuOfFamily } from './processes.js';

/** The measurement of one operation with so many connections, the median of several slices of time. */
export interface Measured {
  readonly operation: string;
  readonly subject: string;
  readonly connections: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** CPU milliseconds per request, over all slices. */
  readonly appCpuMs: number;
  readonly databaseCpuMs: number;
  readonly bytes: number;
  readonly requests: number;
  readonly failures: Readonly<Record<string, number>>;
}

/** A measured operation: requests to one server. */
export interface Target {
  readonly operation: string;
  readonly subject: string;
  readonly connections: number;
  readonly server: { readonly port: number; readonly pid: number };
  readonly lanes: readonly (readonly string[])[];
  readonly expect: readonly number[];
  /** Size of one response. */
  readonly bytes: number;
  /** True for a server that was not asked before. */
  readonly isNew?: boolean;
  /** Runs before each slice, outside of the measurement. */
  readonly before?: () => Promise<unknown>;
}

interface Slice extends LoadResult {
  readonly appCpuMs: number;
  readonly databaseCpuMs: number;
}

const SLICES = 5;
/** The share of the given time that a slice takes. */
const SLICE_SHARE = 0.6;
const WARM_UP_MS = 200;
/** Servers that did nothing before are not compiled yet, as ours is, which has written all pages. */
const FIRST_WARM_UP_MS = 3000;

/**
 * Measures targets in alternation, so that other load of the machine affects all of them alike; those of one operation,
 * which are compared, follow one another.
 */
export async function measure(
  targets: readonly Target[],
  load: LoadGenerator,
  databasePid: number,
  seconds: number,
): Promise<Measured[]> {
  for (const target of targets) {
    const milliseconds = target.isNew ? FIRST_WARM_UP_MS : WARM_UP_MS;
    await load.run(orderOf(target, Math.min(milliseconds, seconds * 6000)));
  }
  const slices = targets.map((): Slice[] => []);
  const order = [...targets.entries()].sort(([, { operation: left }], [, { operation: right }]) =>
    left < right ? -1 : left > right ? 1 : 0,
  );
  for (let turn = 0; turn < SLICES; turn++) {
    for (const [index, target] of order) {
      await target.before?.();
      const app = cpuOf(target.server.pid);
      const database = cpuOfFamily(databasePid);
      const result = await load.run(orderOf(target, seconds * SLICE_SHARE * 1000));
      slices[index]?.push({
        ...result,
        appCpuMs: cpuOf(target.server.pid) - app,
        databaseCpuMs: cpuOfFamily(databasePid) - database,
      });
    }
  }
  return targets.map((target, index) => summaryOf(target, slices[index] ?? []));
}

const orderOf = ({ server, connections, lanes, expect }: Target, milliseconds: number): LoadOrder => ({
  port: server.port,
  connections,
  milliseconds,
  lanes,
  expect,
});

export function middle(values: readonly number[]): number {
  return quantile(
    [...values].sort((left, right) => left - right),
    0.5,
  );
}

function summaryOf({ operation, subject, connections, bytes }: Target, slices: readonly Slice[]): Measured {
  const requests = slices.reduce((sum, { count }) => sum + count, 0);
  const failures: Record<string, number> = {};
  for (const slice of slices)
    for (const [reason, count] of Object.entries(slice.failures)) failures[reason] = (failures[reason] ?? 0) + count;
  const perRequest = (pick: (slice: Slice) => number): number =>
    slices.reduce((sum, slice) => sum + pick(slice), 0) / Math.max(1, requests);
  return {
    operation,
    subject,
    connections,
    perSecond: middle(slices.map((slice) => slice.perSecond)),
    medianMs: middle(slices.map((slice) => slice.medianMs)),
    p99Ms: middle(slices.map((slice) => slice.p99Ms)),
    appCpuMs: perRequest((slice) => slice.appCpuMs),
    databaseCpuMs: perRequest((slice) => slice.databaseCpuMs),
    bytes,
    requests,
    failures,
  };
}
