import { Unreadable } from '../../formats/openapi/domain/specification-problem.js';
import { presentProblem } from '../../formats/openapi/domain/present-problem.js';
import type { SpecificationReader } from '../../formats/openapi/reading/specification-reader.js';
import { FolderNeighbours, type Neighbour } from './domain/folder-neighbours.js';
import type { PlanProblem, SourceFile } from './domain/plan-model.js';
import { joinPath } from './domain/repository-paths.js';
import { RULES, type FolderRule, type Severity } from './domain/rules.js';
import type { SourceReads } from './domain/source-reads.js';
import { readContent, type StoreFile } from './folder-reader.js';
import type { Folder } from './markdown-folder.js';
import { readSiteFolder, type SiteFolder } from './site-folder.js';

/** A fault of a folder with its place, counted from 1; a column is known where the parser tells it. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
  readonly rule: FolderRule;
  readonly severity: Severity;
  readonly message: string;
}

/** The result of a check; findings are in the order of their files and lines. */
export interface FolderCheck {
  readonly pages: number;
  readonly findings: readonly Finding[];
}

export interface CheckTools {
  readonly reads: SourceReads;
  readonly specifications: Pick<SpecificationReader, 'read'>;
  /** The number of texts that are read at once. */
  readonly atOnce: number;
  readonly signal: AbortSignal;
}

/** Specifications have this many bytes at most, as those of the registry. */
const MAX_SPECIFICATION = 20 * 1024 ** 2;
/** The version that a specification in JSON or YAML states, near its beginning. */
const SPECIFICATION = /(?:^|[{,]\s*)["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?[23]\./m;
const LOOKED_AT = 16_384;

/** Finds what an import of a folder, or of a site in it, would report, weighed by rules, and the faults of its specifications. */
export async function checkFolder({ files, problems }: Folder, tools: CheckTools): Promise<FolderCheck> {
  const site = await readSiteFolder(files, tools.reads);
  const checks = site ? await checkSpaces(site, tools) : [await checkContent(files, tools)];
  const all = [...problems, ...(site?.problems ?? []), ...checks.flatMap((check) => check.problems)];
  return {
    pages: checks.reduce((sum, { pages }) => sum + pages, 0),
    findings: withoutRepetitions(all.flatMap(findingOf)).sort(byPlace),
  };
}

interface ContentCheck {
  readonly pages: number;
  readonly problems: readonly PlanProblem[];
}

/** Checks the folders of all spaces of a site together, since they refer to each other. */
function checkSpaces({ folders }: SiteFolder, tools: CheckTools): Promise<ContentCheck[]> {
  const neighbours = new FolderNeighbours(new Map([...folders.keys()].map((folder) => [folder, folder])));
  return Promise.all(
    [...folders].map(async ([folder, files]) => {
      const { pages, problems } = await neighbours.run(folder, (neighbour) => checkContent(files, tools, neighbour));
      return { pages, problems: problems.map((problem) => ({ ...problem, file: joinPath(folder, problem.file) })) };
    }),
  );
}

async function checkContent(
  files: ReadonlyMap<string, SourceFile>,
  tools: CheckTools,
  neighbour?: Neighbour,
): Promise<ContentCheck> {
  const content = await readContent(files, {
    reads: tools.reads,
    neighbour,
    atOnce: tools.atOnce,
    objects: new Map(),
    keep: () => null,
    store: forget,
  });
  const specifications = await specificationProblems(files, content.specifications, tools);
  return { pages: content.pages.length, problems: [...content.problems, ...specifications] };
}

const forget: StoreFile = async () => ({ hash: '', size: 0, contentType: '' });

async function specificationProblems(
  files: ReadonlyMap<string, SourceFile>,
  named: readonly string[],
  { specifications, signal }: CheckTools,
): Promise<PlanProblem[]> {
  const problems: PlanProblem[] = [];
  for (const [path, source] of files) {
    const isNamed = named.includes(path);
    if (!isNamed && !/\.(?:ya?ml|json)$/i.test(path)) continue;
    const problem = { file: path, line: 1, level: 'error', rule: 'invalid-specification' } as const;
    if (source.size > MAX_SPECIFICATION) {
      if (isNamed) problems.push({ ...problem, message: `it is larger than ${MAX_SPECIFICATION} bytes` });
      continue;
    }
    const text = (await source.read()).toString('utf8').replace(/^\uFEFF/, '');
    if (!isNamed && !SPECIFICATION.test(text.slice(0, LOOKED_AT))) continue;
    try {
      const { warnings } = await specifications.read({
        text,
        base: undefined,
        maxLength: MAX_SPECIFICATION,
        tolerant: true,
        fetch: nothing,
        signal,
      });
      for (const { line = 1, instead, ...fault } of warnings)
        problems.push({
          ...problem,
          line,
          level: 'warning',
          rule: 'faulty-specification',
          message: `${presentProblem(fault).message}; it ${instead}`,
        });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      for (const { line, ...fault } of error.problems)
        problems.push({ ...problem, ...(line !== undefined && { line }), message: presentProblem(fault).message });
    }
  }
  return problems;
}

/** A file of a space refers to itself only: nothing is fetched for its pages. */
const nothing = async () => ({ problem: 'no other document is read for a file of a space' });

function findingOf({ file, line = 1, column, rule, message }: PlanProblem): Finding[] {
  if (rule === undefined) return [];
  const { severity } = RULES[rule];
  return [{ file, line, ...(column !== undefined && { column }), rule, severity, message }];
}

/** A block whose target is missing is kept as written, which is the same fault. */
function withoutRepetitions(findings: readonly Finding[]): Finding[] {
  const missing = new Set(
    findings.filter(({ rule }) => rule.startsWith('missing-')).map(({ file, line }) => `${file}\n${line}`),
  );
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const { file, line, rule } = finding;
    const isNew = !seen.has(JSON.stringify(finding));
    seen.add(JSON.stringify(finding));
    return isNew && !(rule === 'unsupported-markup' && missing.has(`${file}\n${line}`));
  });
}

function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}
