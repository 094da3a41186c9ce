import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { roundTrip } from '../authoring/interchange/domain/round-trip.js';
import { Exporter } from '../authoring/interchange/exporter.service.js';
import { Importer } from '../authoring/interchange/importer.service.js';
import { readFolder } from '../authoring/interchange/markdown-folder.js';
import { differences, portableItems } from '../authoring/interchange/portable-content.js';
import { SpaceContents } from '../authoring/interchange/space-content.js';
import { reportGitDiffs, type GitDiff } from './git-roundtrip.js';
import { EXIT, Output, exit, table } from './output.js';
import { withTemporaryService, type TemporaryService } from './temporary.js';

const MAX_VERBATIM = 0.005;
const SHOWN = 10;

/** The result of importing, exporting and importing a folder again. */
export interface RoundTripReport {
  readonly folder: string;
  readonly pages: number;
  readonly files: number;
  /** Problems that the import reports. */
  readonly problems: number;
  /** Pages, files and reusable contents that differ after import, export and import. */
  readonly differing: readonly string[];
  /**
   * Typed nodes (headings, links, cells, marks …) of the sources, and those that are missing or additional in the
   * documents.
   */
  readonly nodes: number;
  readonly wrongNodes: readonly string[];
  readonly words: number;
  readonly missingWords: readonly string[];
  /** Share of the text in verbatim blocks, 0 to 1. */
  readonly verbatim: number;
}

/**
 * Imports and exports a folder with the real database and storage of a service, and compares its documents with their
 * sources.
 */
export async function reportRoundTrip(
  { services, organizationId, userId }: Omit<TemporaryService, 'api' | 'token'>,
  folder: string,
): Promise<RoundTripReport> {
  const [importer, exporter, contents] = [services.get(Importer), services.get(Exporter), services.get(SpaceContents)];
  const title = basename(resolve(folder));
  const source = await readFolder(folder);
  const first = await importer.importFolder({ organizationId, userId, title, source });
  const copy = await mkdtemp(join(tmpdir(), 'bindery-roundtrip-'));
  try {
    await exporter.exportSpace(first.space, copy);
    const second = await importer.importFolder({ organizationId, userId, title, source: await readFolder(copy) });
    const [before, after] = [
      portableItems(await contents.read(first.space)),
      portableItems(await contents.read(second.space)),
    ];
    const facts = {
      folder,
      pages: first.pages,
      files: first.files,
      problems: first.problems.length,
      differing: differences(before, after),
    };
    return { ...facts, ...(await checkSources(source.files)) };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function checkSources(
  files: Parameters<typeof roundTrip>[0],
): Promise<Pick<RoundTripReport, 'nodes' | 'wrongNodes' | 'words' | 'missingWords' | 'verbatim'>> {
  const checks = [...(await roundTrip(files)).checks];
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  const named = (path: string, what: string, count: number): string =>
    `${path}: ${count} × ${what.replaceAll('\t', ' ')}`;
  return {
    nodes: sum(checks.map(([, check]) => check.facts)),
    wrongNodes: checks.flatMap(([path, check]) => [
      ...check.missing.map(({ what, count }) => named(path, `missing ${what}`, count)),
      ...check.surplus.map(({ what, count }) => named(path, `too many ${what}`, count)),
    ]),
    words: sum(checks.map(([, check]) => check.words)),
    missingWords: checks.flatMap(([path, check]) =>
      check.missingWords.map(({ what, count }) => named(path, what, count)),
    ),
    verbatim:
      sum(checks.map(([, check]) => check.verbatim)) / Math.max(1, sum(checks.map(([, check]) => check.characters))),
  };
}

/** Tells whether a folder survived the round trip without differences. */
export function isWhole({ differing, wrongNodes, missingWords, verbatim }: RoundTripReport): boolean {
  return differing.length === 0 && wrongNodes.length === 0 && missingWords.length === 0 && verbatim <= MAX_VERBATIM;
}

function linesOf(reports: readonly RoundTripReport[]): string[] {
  const rows = reports.map((report) => ({
    folder: report.folder,
    pages: report.pages,
    'differing pages': report.differing.length,
    files: report.files,
    problems: report.problems,
    'typed nodes': report.nodes,
    'wrong nodes': report.wrongNodes.length,
    words: report.words,
    'missing words': report.missingWords.length,
    verbatim: `${(report.verbatim * 100).toFixed(3)} %`,
  }));
  const details = reports.flatMap(({ folder, differing, wrongNodes, missingWords }) =>
    Object.entries({ differs: differing, 'wrong node': wrongNodes, 'missing word': missingWords }).flatMap(
      ([what, list]) => [
        ...list.slice(0, SHOWN).map((each) => `${folder}: ${what}: ${each}`),
        ...(list.length > SHOWN ? [`${folder}: ${what}: and ${list.length - SHOWN} more`] : []),
      ],
    ),
  );
  return [...table(rows), ...details];
}

function diffLinesOf(diffs: readonly GitDiff[]): string[] {
  return table(diffs.map(({ details: _details, ...diff }) => diff)).concat(
    diffs.flatMap(({ folder, change, details }) => [
      ...details.slice(0, SHOWN).map((each) => `${folder}: ${change}: ${each}`),
      ...(details.length > SHOWN ? [`${folder}: ${change}: and ${details.length - SHOWN} more`] : []),
    ]),
  );
}

/** `npm run roundtrip -- <folder…>`. */
export async function runRoundTrip(words: readonly string[]): Promise<void> {
  const program = new Command('roundtrip')
    .description(
      'Import folders into a temporary database, export them, import the exports and compare; check each document against its source',
    )
    .argument('<folder...>', 'folders of Markdown')
    .option('--git', 'measure the diffs of exports into a repository instead: after no change, and after some')
    .option('--json', 'print JSON');
  program.parse(words);
  const { json = false, git = false } = program.opts();
  const output = new Output(json);
  try {
    if (git) {
      const diffs = await withTemporaryService(async (service) => {
        const all: GitDiff[] = [];
        for (const folder of program.processedArgs[0]) all.push(...(await reportGitDiffs(service, folder)));
        return all;
      });
      output.result({ diffs }, diffLinesOf(diffs));
      return await exit(diffs.some(({ unasked }) => unasked > 0) ? EXIT.failure : EXIT.done);
    }
    const reports = await withTemporaryService(async (service) => {
      const all: RoundTripReport[] = [];
      for (const folder of program.processedArgs[0]) all.push(await reportRoundTrip(service, folder));
      return all;
    });
    output.result({ reports }, linesOf(reports));
    await exit(reports.every(isWhole) ? EXIT.done : EXIT.failure);
  } catch (error) {
    output.fault(error);
    await exit(EXIT.failure);
  }
}
