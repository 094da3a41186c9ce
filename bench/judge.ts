import type { Share } from './cpu-shares.js';
import type { PublishedFindings } from './published.js';
import type { GitFigures } from './git-peer.js';
import type { Measured } from './measure.js';
import {
  CACHED_PAGE,
  FREQUENT_SEARCH,
  LIMIT,
  LIMIT_AGAIN,
  NOT_MODIFIED,
  TREE,
  UNCACHED_PAGE,
  UNCACHED_TREE,
} from './reads.js';
import { MERGE_OTHER, MERGE_SAME, MERGED_PAGES, type WriteMeasured } from './writes.js';

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
  /** Memory of the server after all pages were written and read, and after everything else. */
  readonly lists: readonly Measured[];
  readonly listSizes: readonly [small: string, large: string];
  readonly writes: readonly WriteMeasured[];
  readonly parallelWrites: readonly Measured[];
  readonly git?: GitFigures;
  /** The shares of the parts of the server in a page read by 16 connections. */
  readonly memory?: Memory;
  readonly memoryAtEnd?: Memory;
  /** The growth of one cost from one space to a larger or older one. */
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

export interface Verdict {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean;
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
  const ofSpaces = steps.flatMap(([from, to]) => [
    ...readGrowth(findings.reads, from, to),
    ...writeGrowth(findings, from, to),
  ]);
  return [...ofSpaces, ...readGrowth(findings.lists, ...findings.listSizes)];
}

function readGrowth(reads: readonly Measured[], from: string, to: string): Growth[] {
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
          ...(!MAY_GROW.has(small.operation) && { met: ratio <= GROWTH_LIMIT }),
        },
      ];
    });
}

function writeGrowth({ writes }: Findings, from: string, to: string): Growth[] {
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
          ...(!MAY_GROW.has(small.operation) && { met: ratio <= GROWTH_LIMIT && (rowsRatio ?? 1) <= GROWTH_LIMIT }),
        },
      ];
    });
}

const atLeast = (what: string, value: number, target: number, detail: string): Verdict => ({
  what,
  measured: `${value.toFixed(2)} (${detail})`,
  target: `>= ${target}`,
  met: value >= target,
});
const atMost = (what: string, value: number, target: number, detail: string): Verdict => ({
  what,
  measured: `${value.toFixed(2)} (${detail})`,
  target: `<= ${target}`,
  met: value <= target,
});

/** The performance targets of the product, as ratios to the limits of the machine in the same run. */
export function verdictsOf(findings: Findings): Verdict[] {
  const { memory, memoryAtEnd, starts } = findings;
  const verdicts = [...readVerdicts(findings), ...parallelVerdicts(findings), ...gitVerdicts(findings)];
  for (const [what, used] of [
    ['when all pages are written and read', memory],
    ['after all of this', memoryAtEnd],
  ] as const) {
    if (used !== undefined)
      verdicts.push({
        what: `memory of the server ${what}`,
        measured: `${used.nowMb.toFixed(0)} MB, peak ${used.peakMb.toFixed(0)} MB`,
        target: '< 512 MB',
        met: used.peakMb < 512,
      });
  }
  for (const [name, { ms, cpuMs, memoryMb }] of [
    ['with DATABASE_URL', starts.external],
    ['with the embedded database', starts.embedded],
  ] as const) {
    verdicts.push({
      what: `start on an existing database, ${name}`,
      measured: `${(ms / 1000).toFixed(2)} s (${(cpuMs / 1000).toFixed(2)} s of the processor, ${memoryMb.toFixed(0)} MB)`,
      target: '< 1 s',
      met: ms < 1000,
    });
  }
  return verdicts;
}

function readVerdicts({ reads, largest }: Findings): Verdict[] {
  const rate = (operation: string, subject: string): number =>
    reads.find((read) => read.operation === operation && read.subject === subject && read.connections === 16)
      ?.perSecond ?? 0;
  const pair = (what: string, operation: string, limit: string, target: number, beside = LIMIT): Verdict => {
    const [ours, best] = [rate(operation, largest), rate(limit, beside)];
    return atLeast(what, ours / best, target, `${ours.toFixed(0)} and ${best.toFixed(0)} requests/s`);
  };
  return [
    pair(
      'page by id, first read after a change, to bare node:http + pg',
      UNCACHED_PAGE,
      'bare: page',
      0.33,
      LIMIT_AGAIN,
    ),
    pair('page by id, first read after a change, to Express + pg', UNCACHED_PAGE, 'Express: page', 0.7, LIMIT_AGAIN),
    pair('page by id, read before, to bare', CACHED_PAGE, 'bare: page', 0.33),
    pair('page by id, read before, to Express', CACHED_PAGE, 'Express: page', 0.5),
    pair('page by id that the caller has (304), to bare', NOT_MODIFIED, 'bare: page', 0.33),
    pair('list of 100 to the bare list', 'list of 100 files', 'bare: list of 100', 0.33),
    pair('search with excerpts to ts_headline over whole bodies', FREQUENT_SEARCH, 'bare: search, ts_headline', 10),
  ];
}

function parallelVerdicts({ parallelWrites }: Findings): Verdict[] {
  const bare = parallelWrites.find((write) => write.subject === LIMIT);
  if (bare === undefined) return [];
  return parallelWrites
    .filter((write) => write !== bare)
    .flatMap((write) => {
      const failed = Object.values(write.failures).reduce((sum, count) => sum + count, 0);
      return [
        atLeast(
          `${write.operation}, 16 connections, to the bare update`,
          write.perSecond / bare.perSecond,
          0.25,
          `${write.perSecond.toFixed(0)} and ${bare.perSecond.toFixed(0)} requests/s`,
        ),
        {
          what: `${write.operation}, 16 connections, failures`,
          measured: `${failed} of ${write.requests}`,
          target: '0',
          met: failed === 0,
        },
      ];
    });
}

function gitVerdicts({ writes, git, largest }: Findings): Verdict[] {
  if (git === undefined) return [];
  const find = (operation: string): number | undefined =>
    writes.find((write) => write.operation === operation && write.subject === largest)?.medianMs;
  const pair = (what: string, operation: string, peer: number, target: number): Verdict[] => {
    const ours = find(operation);
    return ours === undefined
      ? [{ what, measured: 'not mergeable or not measured', target: `<= ${target}`, met: false }]
      : [atMost(what, ours / peer, target, `${ours.toFixed(1)} and ${peer.toFixed(1)} ms`)];
  };
  return [
    ...pair('one-page change to git commit', 'one-page edit in a change request', git.commitMs, 0.5),
    ...pair(
      `merge ${MERGED_PAGES} + ${MERGED_PAGES} other pages to git merge with work tree`,
      MERGE_OTHER,
      git.mergeOtherMs,
      0.5,
    ),
    ...pair(`merge ${MERGED_PAGES} + ${MERGED_PAGES} other pages to git merge-tree`, MERGE_OTHER, git.treeOtherMs, 1),
    ...pair(
      `merge ${MERGED_PAGES} + the same ${MERGED_PAGES} pages to git merge with work tree`,
      MERGE_SAME,
      git.mergeSameMs,
      0.5,
    ),
    ...pair(`merge ${MERGED_PAGES} + the same ${MERGED_PAGES} pages to git merge-tree`, MERGE_SAME, git.treeSameMs, 1),
  ];
}
