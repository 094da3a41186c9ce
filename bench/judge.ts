import type { Share } from './cpu-shares.js';
import type { PublishedFindings } from './published.js';
import type { GitFigures } from './git-peer.js';
import type { Held } from './held.js';
import type { Measured } from './measure.js';
import { TREE, UNCACHED_TREE } from './reads.js';
import type { WriteMeasured } from './writes.js';

export interface Memory {
  readonly nowMb: number;
  readonly peakMb: number;
}

/** All results of one run. */
export interface Findings {
  /** Labels of the smallest and the largest space. */
  readonly smallest: string;
  readonly largest: string;
  /** Label of the space with many revisions, which has as many pages as the smallest. */
  readonly edited?: string;
  readonly reads: readonly Measured[];
  readonly lists: readonly Measured[];
  readonly listSizes: readonly [small: string, large: string];
  readonly writes: readonly WriteMeasured[];
  readonly parallelWrites: readonly Measured[];
  readonly git?: GitFigures;
  readonly held: readonly Held[];
  /** Memory of the server after all pages were written and read, and after everything else. */
  readonly memory?: Memory;
  readonly memoryAtEnd?: Memory;
  /** The shares of the parts of the server in a page read by 16 connections. */
  readonly shares: readonly Share[];
  readonly published: PublishedFindings;
  readonly starts: { readonly external: StartFigures; readonly embedded: StartFigures };
}

/** A start on an existing database, up to the first answer: medians of a few. */
export interface StartFigures {
  readonly ms: number;
  /** Time of the processor that the server took, without PostgreSQL. */
  readonly cpuMs: number;
  readonly memoryMb: number;
}

/** One cost of the model in design terms: how it changes from one space to a larger or older one. */
export interface Growth {
  readonly operation: string;
  readonly from: string;
  readonly to: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly ratio: number;
  /** CPU milliseconds per request of server and database together, as a ratio; only for reads. */
  readonly cpuRatio?: number;
  readonly rowsRatio?: number;
  /** Undefined if the operation inherently grows. */
  readonly met?: boolean;
}

const MAY_GROW = new Set([TREE, UNCACHED_TREE]);
export const GROWTH_LIMIT = 1.5;

/**
 * The growth of each cost with the number of pages, with the number of revisions, and with the size of the
 * organization.
 */
export function growthOf(findings: Findings): Growth[] {
  const { smallest, largest, edited } = findings;
  const steps = [
    ...(smallest === largest ? [] : [[smallest, largest] as const]),
    ...(edited === undefined ? [] : [[smallest, edited] as const]),
  ];
  const ofSpaces = steps.flatMap(([from, to]) => growthBetween(findings, from, to));
  return [...ofSpaces, ...readGrowth(findings.lists, ...findings.listSizes)];
}

/** The growth of each cost from one subject to another, which may be at most `limit`. */
export function growthBetween(
  findings: Pick<Findings, 'reads' | 'writes'>,
  from: string,
  to: string,
  limit = GROWTH_LIMIT,
): Growth[] {
  return [...readGrowth(findings.reads, from, to, limit), ...writeGrowth(findings, from, to, limit)];
}

function readGrowth(reads: readonly Measured[], from: string, to: string, limit = GROWTH_LIMIT): Growth[] {
  return reads
    .filter((read) => read.subject === from && read.connections === 1)
    .flatMap((small) => {
      const large = reads.find(
        (read) => read.subject === to && read.operation === small.operation && read.connections === 1,
      );
      if (large === undefined) return [];
      const cpu = (read: Measured): number => read.appCpuMs + read.databaseCpuMs;
      const ratio = large.medianMs / small.medianMs;
      return [
        {
          operation: small.operation,
          from,
          to,
          fromMs: small.medianMs,
          toMs: large.medianMs,
          ratio,
          cpuRatio: cpu(large) / cpu(small),
          ...(!MAY_GROW.has(small.operation) && { met: ratio <= limit }),
        },
      ];
    });
}

function writeGrowth({ writes }: Pick<Findings, 'writes'>, from: string, to: string, limit: number): Growth[] {
  return writes
    .filter((write) => write.subject === from)
    .flatMap((small) => {
      const large = writes.find((write) => write.subject === to && write.operation === small.operation);
      if (large === undefined) return [];
      const ratio = large.medianMs / small.medianMs;
      const rowsRatio = small.rows === undefined || large.rows === undefined ? undefined : large.rows / small.rows;
      return [
        {
          operation: small.operation,
          from,
          to,
          fromMs: small.medianMs,
          toMs: large.medianMs,
          ratio,
          ...(rowsRatio !== undefined && { rowsRatio }),
          ...(!MAY_GROW.has(small.operation) && { met: ratio <= limit && (rowsRatio ?? 1) <= limit }),
        },
      ];
    });
}
