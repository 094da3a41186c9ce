import { type Findings, GROWTH_LIMIT, growthOf } from './judge.js';
import type { Measured } from './measure.js';
import type { NeighbourFindings } from './neighbours.js';
import { MERGED_PAGE, PUBLISHED_PAGE, type PublishedFindings, STATIC_PAGE } from './published.js';
import { verdictsOf } from './targets.js';

type Cell = string | number | undefined;

/** Rows under their heads, text to the left and numbers to the right; the second column of text is not repeated. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const cells = [heads, ...rows.map((row) => heads.map((_, column) => String(row[column] ?? '-')))];
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const numeric = heads.map(
    (_, column) =>
      rows.length > 0 && rows.every((row) => row[column] === undefined || /^[-\d.]+$/.test(String(row[column]))),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        numeric[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const [head = [], ...body] = cells;
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(line)].join('\n');
}

/** At most three significant digits. */
export function figure(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toFixed(3);
}

/** The failed requests of a measurement by their number and reason. */
export function failuresOf({ failures }: Measured): string {
  return (
    Object.entries(failures)
      .map(([reason, count]) => `${count} x ${reason}`)
      .join(', ') || '0'
  );
}

/** Measured requests as a table. */
export function throughput(measured: readonly Measured[]): string {
  const rows = measured.map((read) => [
    read.operation,
    read.subject,
    read.connections,
    figure(read.perSecond),
    figure(read.medianMs),
    figure(read.p99Ms),
    figure(read.appCpuMs),
    figure(read.databaseCpuMs),
    read.bytes === 0 ? undefined : read.bytes,
    failuresOf(read),
  ]);
  return table(
    ['operation', 'space', 'conn', 'req/s', 'median ms', 'p99 ms', 'CPU-ms app', 'CPU-ms pg', 'bytes', 'failures'],
    rows,
  );
}

export function section(title: string, text: string): string {
  return `\n${title}\n${'='.repeat(title.length)}\n${text}\n`;
}

/** Published pages beside a static server of the same HTML. */
export function publishedSection({ measured, memory }: PublishedFindings): string {
  const ratios = [1, 16].map((connections) => {
    const rate = (operation: string): number =>
      measured.find((each) => each.operation === operation && each.connections === connections)?.perSecond ?? 0;
    return `${connections} connections: ${(rate(PUBLISHED_PAGE) / rate(STATIC_PAGE)).toFixed(2)} of sirv, after a merge ${(rate(MERGED_PAGE) / rate(STATIC_PAGE)).toFixed(2)}`;
  });
  const used =
    memory === undefined
      ? []
      : [
          `memory of the server when all of them were read: ${memory.nowMb.toFixed(0)} MB, peak ${memory.peakMb.toFixed(0)} MB`,
        ];
  return section(
    'Published pages, as HTML without compression',
    [throughput(measured), '', ...ratios, ...used].join('\n'),
  );
}

/** One organization with a single connection beside another at full load. */
export function neighboursSection(findings: readonly NeighbourFindings[]): string {
  const rows = findings.map(({ of, alone, beside, greedyPerSecond }) => [
    of,
    figure(alone.medianMs),
    figure(beside.medianMs),
    figure(alone.p99Ms),
    figure(beside.p99Ms),
    (beside.p99Ms / alone.p99Ms).toFixed(2),
    figure(greedyPerSecond),
  ]);
  return section(
    'One organization beside another at full load',
    table(['operation', 'median alone', 'beside, ms', 'p99 alone', 'beside, ms', 'ratio', 'other, req/s'], rows),
  );
}

/** The word for a goal that is met, is not, or does not exist. */
export const verdict = (met: boolean | undefined): string => (met === undefined ? 'may grow' : met ? 'met' : 'NOT MET');

/** The whole report as text of fixed width. */
export function reportOf(findings: Findings): string {
  const { reads, lists, writes, parallelWrites, git, shares } = findings;
  const writeRows = writes.map((write) => [
    write.operation,
    write.subject,
    write.times,
    figure(write.medianMs),
    figure(write.p99Ms),
    write.rows?.toFixed(1),
  ]);
  const growthRows = growthOf(findings).map((growth) => [
    growth.operation,
    `${growth.from} -> ${growth.to}`,
    figure(growth.fromMs),
    figure(growth.toMs),
    growth.ratio.toFixed(2),
    growth.cpuRatio?.toFixed(2),
    growth.rowsRatio?.toFixed(2),
    verdict(growth.met),
  ]);
  const verdictRows = verdictsOf(findings).map(({ what, measured, target, met }) => [
    what,
    measured,
    target,
    verdict(met),
  ]);
  const gitRows =
    git === undefined
      ? []
      : [
          ['commit one changed page', git.pages, figure(git.commitMs)],
          ['merge-tree, other pages', git.pages, figure(git.treeOtherMs)],
          ['merge-tree, same pages', git.pages, figure(git.treeSameMs)],
          ['merge with work tree, other pages', git.pages, figure(git.mergeOtherMs)],
          ['merge with work tree, same pages', git.pages, figure(git.mergeSameMs)],
        ];
  return [
    section('Reads, and the limits of this machine (medians of five slices, in turns)', throughput(reads)),
    section(
      'What a page that was read before costs, by parts of the server (16 connections, profiled)',
      table(
        ['part', 'per cent of its CPU'],
        shares.map(({ part, share }) => [part, (100 * share).toFixed(1)]),
      ),
    ),
    section('Lists of organizations, one connection', throughput(lists)),
    section(
      'One after the other: writes, and reads of pages that have just changed',
      table(['operation', 'space', 'times', 'median ms', 'p99 ms', 'rows written'], writeRows),
    ),
    section('Writes of 16 connections into one space', throughput(parallelWrites)),
    section(
      'What another request waits for meanwhile (longest of each window, which has one of the operation)',
      table(
        ['operation', 'windows', 'median ms', 'longest ms'],
        findings.held.map(({ operation, times, medianMs, longestMs }) => [
          operation,
          times,
          figure(medianMs),
          figure(longestMs),
        ]),
      ),
    ),
    publishedSection(findings.published),
    section(
      'git on the same pages',
      git === undefined ? 'not measured' : table(['operation', 'pages', 'median ms'], gitRows),
    ),
    section(
      `Cost model: what must not grow (ratio of medians with one connection, at most ${GROWTH_LIMIT})`,
      table(['operation', 'from -> to', 'ms', 'ms', 'ratio', 'CPU', 'rows', 'verdict'], growthRows),
    ),
    section('Targets, in the largest space', table(['what', 'measured', 'target', 'verdict'], verdictRows)),
  ].join('');
}
