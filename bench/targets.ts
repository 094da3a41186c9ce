import { type Findings, growthOf } from './judge.js';
import { MERGED_PAGE, PUBLISHED_PAGE, STATIC_PAGE } from './published.js';
import {
  CACHED_PAGE,
  FREQUENT_SEARCH,
  LIMIT,
  LIMIT_AGAIN,
  NOT_MODIFIED,
  UNCACHED_PAGE,
  UNCACHED_TREE,
} from './reads.js';
import { MERGE_OTHER, MERGE_SAME, MERGED_PAGES } from './writes.js';

export interface Verdict {
  readonly what: string;
  readonly measured: string;
  readonly target: string;
  readonly met: boolean;
}

const CONNECTIONS = 16;
/** Maximum memory of the server in MB. */
const MEMORY_MB = 400;

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

/** The performance targets of the product in the largest space, most of them as ratios to the limits of the machine in the same run. */
export function verdictsOf(findings: Findings): Verdict[] {
  return [
    ...readVerdicts(findings),
    ...publishedVerdicts(findings),
    ...treeAndMemberVerdicts(findings),
    ...parallelVerdicts(findings),
    ...heldVerdicts(findings),
    ...gitVerdicts(findings),
    ...processVerdicts(findings),
  ];
}

function readVerdicts({ reads, largest }: Findings): Verdict[] {
  const rate = (operation: string, subject: string): number =>
    reads.find((read) => read.operation === operation && read.subject === subject && read.connections === CONNECTIONS)
      ?.perSecond ?? 0;
  const pair = (what: string, operation: string, limit: string, target: number, beside = LIMIT): Verdict => {
    const [ours, best] = [rate(operation, largest), rate(limit, beside)];
    return atLeast(what, ours / best, target, `${ours.toFixed(0)} and ${best.toFixed(0)} requests/s`);
  };
  const searches = rate(FREQUENT_SEARCH, largest);
  return [
    pair('page by id, read before, to Express + pg', CACHED_PAGE, 'Express: page', 0.8),
    pair('page by id, read before, to bare node:http + pg', CACHED_PAGE, 'bare: page', 0.4),
    pair('page by id, first read after a change, to Express + pg', UNCACHED_PAGE, 'Express: page', 0.5, LIMIT_AGAIN),
    pair('page by id that the caller has (304), to bare', NOT_MODIFIED, 'bare: page', 0.33),
    pair('list of 100 to the bare list', 'list of 100 files', 'bare: list of 100', 0.4),
    pair('search with excerpts to ts_headline over whole bodies', FREQUENT_SEARCH, 'bare: search, ts_headline', 10),
    atLeast(FREQUENT_SEARCH, searches, 500, 'requests/s'),
  ];
}

function publishedVerdicts({ published: { measured } }: Findings): Verdict[] {
  const rate = (operation: string): number =>
    measured.find((each) => each.operation === operation && each.connections === CONNECTIONS)?.perSecond ?? 0;
  const [page, file, merged] = [rate(PUBLISHED_PAGE), rate(STATIC_PAGE), rate(MERGED_PAGE)];
  return [
    atLeast(
      'published page, read before, to sirv with the same file',
      page / file,
      0.7,
      `${page.toFixed(0)} and ${file.toFixed(0)} requests/s`,
    ),
    atLeast(MERGED_PAGE, merged, 800, 'requests/s'),
  ];
}

function treeAndMemberVerdicts(findings: Findings): Verdict[] {
  const { writes, largest } = findings;
  const tree = writes.find(({ operation, subject }) => operation === UNCACHED_TREE && subject === largest);
  const members = growthOf(findings).find(({ operation }) => operation === 'members by role, first page, an admin');
  return [
    ...(tree ? [atMost(UNCACHED_TREE, tree.medianMs, 40, 'ms')] : []),
    ...(members
      ? [atMost('members by role, first page, with a hundred times the spaces', members.ratio, 1.3, 'of medians')]
      : []),
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
          0.35,
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

/** Milliseconds for which one operation may keep the others of a server waiting. */
const HELD_MS: Readonly<Record<string, number>> = { [UNCACHED_TREE]: 20, [MERGE_OTHER]: 50, [MERGE_SAME]: 50 };

function heldVerdicts({ held }: Findings): Verdict[] {
  return held.flatMap(({ operation, medianMs, longestMs }) => {
    const target = HELD_MS[operation];
    return target === undefined
      ? []
      : [atMost(`another request during ${operation}, ms`, medianMs, target, `longest ${longestMs.toFixed(1)} ms`)];
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
      0.3,
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

function processVerdicts({ published, memory, memoryAtEnd, starts }: Findings): Verdict[] {
  const memories = [
    ['when all pages are written and read', memory],
    ['when all published pages are read as well', published.memory],
    ['after all of this', memoryAtEnd],
  ] as const;
  const times = [
    ['with DATABASE_URL', starts.external],
    ['with the embedded database', starts.embedded],
  ] as const;
  return [
    ...memories.flatMap(([what, used]) =>
      used === undefined
        ? []
        : [
            {
              what: `memory of the server ${what}`,
              measured: `${used.nowMb.toFixed(0)} MB, peak ${used.peakMb.toFixed(0)} MB`,
              target: `< ${MEMORY_MB} MB`,
              met: used.nowMb < MEMORY_MB,
            },
          ],
    ),
    ...times.map(([name, { ms, cpuMs, memoryMb }]) => ({
      what: `start on an existing database, ${name}`,
      measured: `${(ms / 1000).toFixed(2)} s (${(cpuMs / 1000).toFixed(2)} s of the processor, ${memoryMb.toFixed(0)} MB)`,
      target: '< 1 s',
      met: ms < 1000,
    })),
  ];
}
