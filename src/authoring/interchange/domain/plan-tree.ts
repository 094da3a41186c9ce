import type { PageType } from '../../content/domain/content-item.js';
import type { ComputedEntry, ComputedFault } from './computed-entry.js';
import type { RepositoryConfig } from './gitbook-yaml.js';
import type { PlanProblem } from './plan-model.js';
import {
  baseOf,
  byName,
  decodePath,
  directoryOf,
  isIndex,
  joinPath,
  normalizePath,
  titleFromName,
} from './repository-paths.js';
import type { Summary, SummaryEntry } from './summary.js';

/** A page before it has an id. */
export interface DraftPage {
  type: PageType;
  title: string;
  linkTitle?: string;
  path?: string;
  /** Its path without what a tool adds to names, from which its slug is made. */
  plainPath?: string;
  target?: string;
  computed?: ComputedEntry;
  line?: number;
  column?: number;
  hidden: boolean;
  children: DraftPage[];
}

/** The tree of a `SUMMARY.md`; pages that it does not name come last and hidden, and are in `missed`. */
export function treeFromSummary(
  summary: Summary,
  markdown: ReadonlySet<string>,
  config: RepositoryConfig,
  problems: PlanProblem[],
): { pages: DraftPage[]; missed: DraftPage[] } {
  const file = config.summary;
  for (const problem of summary.problems)
    problems.push({ file, level: 'notice', rule: 'table-of-contents', ...problem });
  const reading: Reading = { config, find: pageFinder(file, markdown), problems, used: new Set() };
  const pages: DraftPage[] = [];
  for (const group of summary.groups) {
    const children = group.entries.flatMap((entry) => draftEntry(entry, reading, group.title === undefined));
    if (group.title === undefined) pages.push(...children);
    else pages.push({ type: 'group', title: group.title, line: group.line, hidden: false, children });
  }
  if (markdown.has(config.readme) && !reading.used.has(config.readme)) {
    reading.used.add(config.readme);
    pages.unshift({
      type: 'document',
      title: titleFromName(config.readme),
      path: config.readme,
      hidden: false,
      children: [],
    });
    problems.push({
      file,
      level: 'notice',
      rule: 'unlisted-page',
      message: `${config.readme} is not in the table of contents and becomes the first page`,
    });
  }
  const missed = [...markdown]
    .filter((path) => !reading.used.has(path))
    .map((path): DraftPage => {
      problems.push({
        file: path,
        level: 'notice',
        rule: 'unlisted-page',
        message: 'the page is not in the table of contents and is imported hidden',
      });
      return { type: 'document', title: pageName(path), path, hidden: true, children: [] };
    });
  return { pages: [...pages, ...missed], missed };
}

interface Reading {
  config: RepositoryConfig;
  find: (target: string) => string | undefined;
  problems: PlanProblem[];
  used: Set<string>;
}

function draftEntry(entry: SummaryEntry, reading: Reading, isRoot: boolean): DraftPage[] {
  const { config, problems, used } = reading;
  if (entry.computed !== undefined) return draftComputed(entry.computed, entry.line, reading);
  const children = entry.children.flatMap((child) => draftEntry(child, reading, false));
  const base = {
    title: entry.title,
    ...placeOf(entry),
    hidden: false,
    ...(entry.linkTitle === undefined ? {} : { linkTitle: entry.linkTitle }),
  };
  if (entry.target === undefined) {
    const type = isRoot && children.length > 0 ? 'group' : 'document';
    return entry.title === '' ? children : [{ ...base, type, children }];
  }
  const [path = '', anchor] = decodePath(entry.target).split('#');
  const isLocal = !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(entry.target);
  const found = isLocal ? reading.find(path) : undefined;
  const leadsOut = normalizePath(joinPath(directoryOf(config.summary), path)) === undefined;
  const isOwn = isLocal && (path.startsWith('/') || config.summary.startsWith('..') || !leadsOut);
  // One that leads out of the folder is a link, which a neighbour may have the page of.
  if (found === undefined && isOwn && /\.(md|markdown|mdx)$/i.test(path)) {
    problems.push({
      file: config.summary,
      ...placeOf(entry),
      level: 'error',
      rule: 'missing-page',
      message: `${path} is not there; the page is imported empty`,
    });
    return [{ ...base, type: 'document', children }];
  }
  if (found !== undefined && anchor === undefined && used.has(found))
    problems.push({
      file: config.summary,
      ...placeOf(entry),
      level: 'notice',
      rule: 'duplicate-page',
      message: `${path} is named above already; the entry becomes a link to it`,
    });
  if (found === undefined || anchor !== undefined || used.has(found)) {
    if (children.length > 0)
      problems.push({
        file: config.summary,
        line: entry.line,
        level: 'notice',
        rule: 'table-of-contents',
        message: `a link has no pages under it; those of “${entry.title}” follow it`,
      });
    return [{ ...base, type: 'link', target: entry.target, children: [] }, ...children];
  }
  used.add(found);
  return [{ ...base, type: 'document', path: found, children }];
}

function placeOf({ line, column }: SummaryEntry): { line: number; column?: number } {
  return { line, ...(column !== undefined && { column }) };
}

function draftComputed(
  computed: ComputedEntry | ComputedFault,
  line: number,
  { config, problems }: Reading,
): DraftPage[] {
  if ('source' in computed)
    return [{ type: 'computed', title: computed.title, computed, line, hidden: false, children: [] }];
  problems.push({
    file: config.summary,
    line: line + computed.line,
    level: 'warning',
    rule: 'configuration',
    message: computed.message,
  });
  return [];
}

/** Finds the pages that a table of contents at the path `summary` names, among the files `markdown`. */
export function pageFinder(summary: string, markdown: ReadonlySet<string>): (target: string) => string | undefined {
  // Names of files may differ in case only: the first file counts.
  const lowercase = new Map([...markdown].reverse().map((path) => [path.toLowerCase(), path]));
  return (target) => {
    const from = target.startsWith('/') ? '' : directoryOf(summary);
    const path = normalizePath(joinPath(from, target));
    if (path === undefined) return undefined;
    const candidates = [path, joinPath(path, 'README.md'), `${path}.md`];
    return candidates.find((candidate) => markdown.has(candidate)) ?? lowercase.get(path.toLowerCase());
  };
}

/**
 * The tree of the folders themselves: the page of a folder contains the pages in it; the root's own page comes first.
 */
export function treeFromFolders(
  markdown: readonly string[],
  titles: ReadonlyMap<string, string>,
  config: RepositoryConfig,
): DraftPage[] {
  const folders = new Map<string, { pages: string[]; folders: Set<string> }>();
  const folder = (path: string): { pages: string[]; folders: Set<string> } => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const made = { pages: [], folders: new Set<string>() };
    folders.set(path, made);
    if (path !== '') folder(directoryOf(path)).folders.add(path);
    return made;
  };
  for (const path of markdown) folder(directoryOf(path)).pages.push(path);
  const draft = (path: string, children: DraftPage[]): DraftPage => ({
    type: 'document',
    title: titles.get(path) || pageName(path),
    path,
    hidden: false,
    children,
  });
  const inside = (path: string): DraftPage[] => {
    const { pages, folders: inner } = folder(path);
    const own = ownPage(path, pages, config);
    const entries = [
      ...pages.filter((page) => page !== own).map((page) => ({ name: baseOf(page), make: () => draft(page, []) })),
      ...[...inner].map((name) => ({ name: baseOf(name), make: () => ofFolder(name) })),
    ];
    return entries.sort((a, b) => byName(a.name, b.name)).map(({ make }) => make());
  };
  const ofFolder = (path: string): DraftPage => {
    const own = ownPage(path, folder(path).pages, config);
    if (own !== undefined) return draft(own, inside(path));
    return { type: 'document', title: titleFromName(baseOf(path)), hidden: false, children: inside(path) };
  };
  const home = ownPage('', folder('').pages, config);
  return [...(home === undefined ? [] : [draft(home, [])]), ...inside('')];
}

function ownPage(directory: string, pages: readonly string[], config: RepositoryConfig): string | undefined {
  if (directory === directoryOf(config.readme) && pages.includes(config.readme)) return config.readme;
  const indexes = pages.filter(isIndex);
  return indexes.find((page) => /^readme\./i.test(baseOf(page))) ?? indexes[0];
}

/** The title of a page that nothing else names. */
export function pageName(path: string): string {
  const directory = directoryOf(path);
  return titleFromName(isIndex(path) && directory !== '' ? baseOf(directory) : baseOf(path));
}
