import { freeSlug, slugOf } from '../../content/domain/slug.js';
import type { ContentRef } from '../../content/domain/document/types.js';
import { holdsNoPages } from '../../content/domain/item.js';
import type { ResolveTarget } from '../../content/markdown/context.js';
import { readYaml, YamlLines } from '../../content/markdown/yaml.js';
import { lineOfFault, readConfig, type RepositoryConfig } from './gitbook-yaml.js';
import { PageReader, type PlannedDocument } from './plan-pages.js';
import type { PlannedFile, PlannedPage, PlannedReusableContent, PlanProblem, SourceFile } from './plan-model.js';
import { type DraftPage, treeFromFolders, treeFromSummary } from './plan-tree.js';
import { baseOf, byName, directoryOf, isIndex, isMarkdown, joinPath, titleFromName, withoutExtension } from './repository-paths.js';
import { Targets } from './targets.js';

export interface ImportPlan {
  pages: PlannedPage[];
  files: PlannedFile[];
  reusableContents: PlannedReusableContent[];
  variables: Record<string, string | number | boolean>;
  /** `from` is a path without leading slash. */
  redirects: { from: string; target: ContentRef }[];
  problems: PlanProblem[];
  /** The content of a page; pages without a source are empty. Nothing is kept, so memory stays bounded. */
  readPage(page: PlannedPage): Promise<PlannedDocument>;
  readReusableContent(content: PlannedReusableContent): Promise<PlannedDocument>;
  /** What the targets in the file at `path` mean, as they were understood when it was read. */
  resolver(path: string): ResolveTarget;
  /** The path in the whole repository, of one that counts from the configured root. */
  sourcePath(path: string): string;
}

export interface PlanOptions {
  /** Makes the ids of pages, files and reusable contents; all references in documents use them. */
  newId: () => string;
}

const CONFIG = '.gitbook.yaml';

/**
 * Plans the import of a documentation repository: the tree of pages from its `SUMMARY.md` or its
 * folders, its files, reusable contents, variables and redirects. Pages are read one by one, by
 * `readPage`, with their links already resolved to the ids of the plan.
 */
export async function planImport(files: ReadonlyMap<string, SourceFile>, options: PlanOptions): Promise<ImportPlan> {
  const problems: PlanProblem[] = [];
  const config = readConfig(await textOf(files.get(CONFIG)));
  for (const problem of config.problems) problems.push({ file: CONFIG, level: 'warning', ...problem });
  const inside = withinRoot(files, config, problems);
  const sources = new Map([...inside].map(([path, source]) => [path, () => textOf(source)] as const));
  const drafts = await draftTree(inside, config, problems);
  const pages = placePages(drafts, options.newId, problems, config);
  const reusableContents = await reusableOf(inside, options.newId);
  const planned = filesOf(inside, config, options.newId);
  const targets = new Targets(pages, planned, reusableContents, config);
  linkPages(pages, drafts, targets, config, problems);
  const reader = new PageReader(sources, targets);
  return {
    pages: [...pages.values()],
    files: planned,
    reusableContents,
    variables: await variablesOf(inside, problems),
    redirects: redirectsOf(config, (await textOf(files.get(CONFIG))) ?? '', targets, problems),
    problems,
    readPage: (page) => reader.page(page),
    readReusableContent: (content) => reader.reusable(content),
    resolver: (path) => (target) => targets.find(directoryOf(path), target).ref,
    sourcePath: (path) => joinPath(config.root, path),
  };
}

async function textOf(source: SourceFile | undefined): Promise<string | undefined> {
  return source === undefined ? undefined : (await source.read()).toString('utf8');
}

/** The files under the configured root, by their path from there. */
function withinRoot(files: ReadonlyMap<string, SourceFile>, config: RepositoryConfig, problems: PlanProblem[]): Map<string, SourceFile> {
  if (config.root === '') return new Map([...files].sort(([a], [b]) => byName(a, b)));
  const prefix = `${config.root}/`;
  const inside = [...files].filter(([path]) => path.startsWith(prefix));
  const outside = [...files.keys()].filter((path) => !path.startsWith(prefix) && path !== CONFIG);
  if (outside.length > 0) problems.push({ file: CONFIG, line: 1, level: 'notice', message: `${outside.length} files outside of ${config.root} are not imported` });
  return new Map(inside.map(([path, source]) => [path.slice(prefix.length), source] as const).sort(([a], [b]) => byName(a, b)));
}

async function draftTree(files: ReadonlyMap<string, SourceFile>, config: RepositoryConfig, problems: PlanProblem[]): Promise<DraftPage[]> {
  const markdown = [...files.keys()].filter((path) => isMarkdown(path) && isContent(path) && path !== config.summary);
  const summary = await textOf(files.get(config.summary));
  if (summary === undefined) {
    const titles = new Map<string, string>();
    for (const path of markdown) titles.set(path, await PageReader.titleOf((await textOf(files.get(path))) ?? ''));
    return treeFromFolders(markdown, titles, config);
  }
  const draft = treeFromSummary(summary, new Set(markdown), config, problems);
  for (const page of draft.missed) {
    const title = await PageReader.titleOf((await textOf(files.get(page.path ?? ''))) ?? '');
    if (title !== '') page.title = title;
  }
  return draft.pages;
}

/** Folders whose name begins with a dot hold no pages. */
function isContent(path: string): boolean {
  return !path.split('/').some((segment) => segment.startsWith('.') || segment === 'node_modules');
}

/** Gives the drafted pages their ids and slugs, in the order of the tree. */
function placePages(drafts: readonly DraftPage[], newId: () => string, problems: PlanProblem[], config: RepositoryConfig): Map<DraftPage, PlannedPage> {
  const placed = new Map<DraftPage, PlannedPage>();
  const place = (siblings: readonly DraftPage[], parent: string | undefined): void => {
    const taken = new Set<string>();
    for (const draft of siblings) {
      const page: PlannedPage = { id: newId(), parent, type: draft.type, title: draft.title, hidden: draft.hidden };
      if (draft.linkTitle !== undefined) page.linkTitle = draft.linkTitle;
      if (draft.path !== undefined) page.path = draft.path;
      if (draft.computed !== undefined) page.computed = draft.computed;
      if (!holdsNoPages(draft.type)) {
        const wanted = slugFrom(draft);
        page.slug = freeSlug(wanted, taken);
        if (page.slug !== wanted) problems.push({ file: draft.path ?? config.summary, line: draft.line, level: 'notice', message: `the path of “${draft.title}” is taken, it becomes ${page.slug}` });
        taken.add(page.slug);
      }
      placed.set(draft, page);
      place(draft.children, page.id);
    }
  };
  place(drafts, undefined);
  return placed;
}

/** A page is addressed by the name of its file, or of its folder if it is the page of one. */
function slugFrom(draft: DraftPage): string {
  if (draft.path === undefined) return slugOf(draft.title);
  const directory = directoryOf(draft.path);
  const name = isIndex(draft.path) && directory !== '' ? baseOf(directory) : withoutExtension(baseOf(draft.path));
  return slugOf(name);
}

const INCLUDES = '.gitbook/includes';
const ASSETS = '.gitbook/assets';
const VARIABLES = '.gitbook/vars.yaml';

async function reusableOf(files: ReadonlyMap<string, SourceFile>, newId: () => string): Promise<PlannedReusableContent[]> {
  const contents: PlannedReusableContent[] = [];
  for (const path of files.keys()) {
    if (!path.startsWith(`${INCLUDES}/`) || !isMarkdown(path)) continue;
    const title = await PageReader.titleOf((await textOf(files.get(path))) ?? '');
    contents.push({ id: newId(), title: title === '' ? titleFromName(baseOf(path)) : title, path });
  }
  return contents;
}

function filesOf(files: ReadonlyMap<string, SourceFile>, config: RepositoryConfig, newId: () => string): PlannedFile[] {
  const planned: PlannedFile[] = [];
  for (const [path, { size }] of files) {
    const asset = path.startsWith(`${ASSETS}/`);
    const isOwn = [config.summary, CONFIG, VARIABLES].includes(path) || (isMarkdown(path) && (isContent(path) || path.startsWith(INCLUDES)));
    if (!isOwn || asset) planned.push({ id: newId(), path, name: baseOf(path), size, asset });
  }
  return planned;
}

/** Sets the targets of links, which may be pages that come after them. */
function linkPages(pages: ReadonlyMap<DraftPage, PlannedPage>, drafts: readonly DraftPage[], targets: Targets, config: RepositoryConfig, problems: PlanProblem[]): void {
  const visit = (draft: DraftPage): void => {
    const page = pages.get(draft);
    if (page?.type === 'link' && draft.target !== undefined) {
      const found = targets.find(directoryOf(config.summary), draft.target);
      if (found.ref === undefined && found.local) problems.push({ file: config.summary, line: draft.line, level: 'warning', message: `${draft.target} leads nowhere` });
      page.target = found.ref ?? { kind: 'url', url: draft.target };
    }
    draft.children.forEach(visit);
  };
  drafts.forEach(visit);
}

function redirectsOf(config: RepositoryConfig, source: string, targets: Targets, problems: PlanProblem[]): ImportPlan['redirects'] {
  if (config.redirects.size === 0) return [];
  const lines = new YamlLines(source);
  return [...config.redirects].flatMap(([from, to]) => {
    const found = targets.find('', to);
    if (found.ref !== undefined) return [{ from, target: found.ref }];
    if (!found.local) return [{ from, target: { kind: 'url' as const, url: to } }];
    problems.push({ file: CONFIG, line: lines.ofRedirect(from), level: 'warning', message: `the redirect from ${from} leads to ${to}, which is not there` });
    return [];
  });
}

async function variablesOf(files: ReadonlyMap<string, SourceFile>, problems: PlanProblem[]): Promise<Record<string, string | number | boolean>> {
  const source = await textOf(files.get(VARIABLES));
  if (source === undefined) return {};
  const variables: Record<string, string | number | boolean> = {};
  try {
    const value = readYaml(source);
    const lines = new YamlLines(source);
    for (const [name, item] of Object.entries((value ?? {}) as Record<string, unknown>)) {
      if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') variables[name] = item;
      else problems.push({ file: VARIABLES, line: lines.of(name), level: 'warning', message: `${name} is neither text, number nor truth value` });
    }
  } catch (error) {
    problems.push({ file: VARIABLES, line: lineOfFault(error), level: 'warning', message: error instanceof Error ? error.message : 'it is no YAML' });
  }
  return variables;
}

