import { FreeNames } from '../../content/domain/free-names.js';
import { numberedSlug, slugOf } from '../../content/domain/slug.js';
import type { ContentRef } from '../../../formats/document/types.js';
import { holdsNoPages } from '../../content/domain/content-item.js';
import { addressReference, isStorable } from '../../../formats/document/link-target.js';
import type { ResolveTarget } from '../../../formats/markdown/parse-context.js';
import type { RepositoryConfig } from './gitbook-yaml.js';
import { besides, type Neighbour } from './folder-neighbours.js';
import type { PlannedDocument } from './plan-pages.js';
import type { PlannedFile, PlannedPage, PlannedReusableContent, PlanProblem, SourceFile } from './plan-model.js';
import { type DraftPage, treeFromFolders, treeFromSummary } from './plan-tree.js';
import {
  baseOf,
  byName,
  directoryOf,
  isIndex,
  isMarkdown,
  joinPath,
  normalizePath,
  titleFromName,
  withoutExtension,
} from './repository-paths.js';
import { DIRECT_READS, type SourceReads } from './source-reads.js';
import { TAGS_FILE, type FolderTag } from './tags-file.js';
import { Targets } from './targets.js';
import { bytesFault, MAX_FOLDER_TEXT, textOfBytes } from './text-bytes.js';
import { detectTool, type ToolFolder } from './tools/detect.js';
import type { BookStackExport } from './tools/exports.js';
import {
  configOf,
  exportedData,
  isOwnFile,
  isPageOf,
  isPartial,
  readsOutside,
  treeOfTool,
  withAssets,
  withPages,
  type ToolTree,
} from './tools/tool-folder.js';

export interface ImportPlan {
  pages: PlannedPage[];
  files: PlannedFile[];
  reusableContents: PlannedReusableContent[];
  variables: Record<string, string | number | boolean>;
  /** Undefined for a folder that says nothing about tags. */
  tags: readonly FolderTag[] | undefined;
  /** `from` is a path without leading slash. */
  redirects: { from: string; target: ContentRef }[];
  problems: PlanProblem[];
  /** The path of a file in the source, by its path in the plan. */
  original(path: string): string;
  /** The content of a page; pages without a source are empty. Nothing is cached, so memory stays bounded. */
  readPage(page: PlannedPage): Promise<PlannedDocument>;
  readReusableContent(content: PlannedReusableContent): Promise<PlannedDocument>;
  /** Resolves targets in the file at `path`, as when it was read. */
  resolver(path: string): ResolveTarget;
}

export interface PlanOptions {
  /** Creates the ids of pages, files and reusable contents; all references in documents use them. */
  newId: () => string;
  /** The reader of texts; by default in the calling thread. */
  reads?: SourceReads;
  /** False for a folder that is read as our own, whichever tool it was written for. */
  foreign?: boolean;
  /** Titles that are known already, by the paths of their files in the source. */
  titles?: ReadonlyMap<string, string>;
  /** For one of several folders that refer to each other. */
  neighbour?: Neighbour | undefined;
}

const CONFIG = '.gitbook.yaml';
/** In every folder, such as that of another space in the same repository. */
const TABLE_OF_CONTENTS = 'SUMMARY.md';

/**
 * Plans the import of a documentation repository: the tree of pages from its `SUMMARY.md` or its
 * folders, its files, reusable contents, variables and redirects. Pages are read one by one, by
 * `readPage`, with their links already resolved to the ids of the plan.
 */
export async function planImport(
  files: ReadonlyMap<string, SourceFile>,
  { newId, reads = DIRECT_READS, foreign = true, titles, neighbour }: PlanOptions,
): Promise<ImportPlan> {
  const problems: PlanProblem[] = [];
  const configText = await textOf(files.get(CONFIG), CONFIG, problems);
  const tool = foreign ? detectTool([...files.keys()]) : undefined;
  const config = tool ? configOf(tool) : await reads.config(configText ?? '');
  for (const problem of config.problems)
    problems.push({ file: CONFIG, level: 'warning', rule: 'configuration', ...problem });
  const exported = await exportedData(tool, files, reads);
  const within = withPages(withinRoot(files, config, problems, tool), exported);
  const { files: inside, moved } = tool
    ? withAssets(tool, files, within)
    : { files: within, moved: new Map<string, string>() };
  const original = originalPaths(config.root, moved);
  const titleOf = (path: string): string | undefined => titles?.get(original(path));
  const folder: Folder = { files: inside, config, reads, problems, tool, exported, titleOf };
  const { drafts, aliases, names } = await draftTree(folder, files);
  const pages = placePages(drafts, newId, problems, config);
  const reusableContents = await reusableOf(folder, newId);
  const planned = filesOf(folder, newId, { original, names });
  const known = { redirects: new Map([...aliases, ...config.redirects]) };
  const targets = new Targets(pages.values(), planned, reusableContents, known, { root: config.root, moved });
  await neighbour?.meet(config.root, (target) => targets.find('', target));
  const finder = neighbour ? besides(targets, config.root, neighbour) : targets;
  linkPages(pages, drafts, finder, config, problems);
  const tags = await tagsOf(folder);
  const slugs = tags?.map(({ slug }) => slug);
  const read = async (path: string, page: PlannedPage | undefined): Promise<PlannedDocument> => {
    const unread: PlanProblem[] = [];
    const text = await textOf(inside.get(path), path, unread);
    const directory = directoryOf(path);
    const document = await reads.document(
      {
        path,
        text: text ?? '',
        ...(page && { page: { title: page.title, hidden: page.hidden }, tags: slugs }),
        ...(tool && { dialect: tool.tool }),
      },
      (written) => written.map((target) => finder.find(directory, target)),
    );
    return { ...document, problems: [...unread, ...document.problems] };
  };
  return {
    pages: [...pages.values()],
    files: planned,
    reusableContents,
    variables: await variablesOf(folder),
    tags,
    redirects: redirectsOf(config, finder, problems),
    problems,
    original,
    readPage: (page) => read(page.path ?? '', page),
    readReusableContent: (content) => read(content.path, undefined),
    resolver: (path) => (target) => finder.find(directoryOf(path), target).ref,
  };
}

/** The state of planning; problems are added as they are found. */
interface Folder {
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly config: RepositoryConfig;
  readonly reads: SourceReads;
  readonly problems: PlanProblem[];
  /** The tool that the folder was written for, if that is another one. */
  readonly tool: ToolFolder | undefined;
  readonly exported: BookStackExport | undefined;
  /** The title in a file, if it is known already. */
  readonly titleOf: (path: string) => string | undefined;
}

function originalPaths(root: string, moved: ReadonlyMap<string, string>): (path: string) => string {
  const origins = new Map([...moved].map(([from, to]) => [to, from]));
  return (path) => origins.get(path) ?? (path === CONFIG ? path : (normalizePath(joinPath(root, path)) ?? path));
}

/** Undefined for a file that does not exist, or is longer than any text. */
async function textOf(
  source: SourceFile | undefined,
  file: string,
  problems: PlanProblem[],
): Promise<string | undefined> {
  if (source === undefined) return undefined;
  if (source.size <= MAX_FOLDER_TEXT) {
    const bytes = await source.read();
    const fault = bytesFault(bytes, true);
    if (fault) problems.push({ file, line: 1, level: 'warning', ...fault });
    return textOfBytes(bytes);
  }
  problems.push({
    file,
    line: 1,
    level: 'error',
    rule: 'unreadable-text',
    message: `what it says is left out: a text has at most ${MAX_FOLDER_TEXT} bytes`,
  });
  return undefined;
}

/** The title in a file. A text that is too long is reported when it is read as a whole. */
async function titleIn({ files, reads, titleOf }: Folder, path: string): Promise<string> {
  return titleOf(path) ?? reads.title((await textOf(files.get(path), path, [])) ?? '');
}

/** The files under the configured root, by path relative to it. */
function withinRoot(
  files: ReadonlyMap<string, SourceFile>,
  config: RepositoryConfig,
  problems: PlanProblem[],
  tool: ToolFolder | undefined,
): Map<string, SourceFile> {
  if (config.root === '') return new Map([...files].sort(([a], [b]) => byName(a, b)));
  const prefix = `${config.root}/`;
  const file = config.summary.startsWith('..') ? config.summary : CONFIG;
  const inside = [...files].filter(([path]) => path.startsWith(prefix));
  const outside = [...files.keys()].filter(
    (path) => !path.startsWith(prefix) && path !== CONFIG && !(tool && readsOutside(tool, path)),
  );
  if (outside.length > 0)
    problems.push({
      file,
      line: 1,
      level: 'notice',
      rule: 'outside-root',
      message: `${outside.length} files outside of ${config.root} are not imported`,
    });
  return new Map(
    inside.map(([path, source]) => [path.slice(prefix.length), source] as const).sort(([a], [b]) => byName(a, b)),
  );
}

async function draftTree(folder: Folder, all: ReadonlyMap<string, SourceFile>): Promise<ToolTree> {
  const { files, config, reads, problems, tool, exported } = folder;
  const markdown = [...files.keys()].filter(
    (path) =>
      isPageOf(tool, path) &&
      isContent(path) &&
      path !== config.summary &&
      baseOf(path) !== TABLE_OF_CONTENTS &&
      !(tool && isPartial(path)),
  );
  if (tool)
    return treeOfTool(tool, markdown, config, {
      reads,
      problems,
      exported,
      textOf: async (path) => (await textOf(files.get(path), path, [])) ?? '',
      sourceText: async (path) => (await textOf(all.get(path), path, problems)) ?? '',
    });
  const summary = await textOf(files.get(config.summary), config.summary, problems);
  if (summary === undefined) {
    const titles = new Map<string, string>();
    for (const path of markdown) titles.set(path, await titleIn(folder, path));
    return { drafts: treeFromFolders(markdown, titles, config), aliases: [] };
  }
  const draft = treeFromSummary(await reads.summary(summary), new Set(markdown), config, problems);
  for (const page of draft.missed) {
    const title = await titleIn(folder, page.path ?? '');
    if (title !== '') page.title = title;
  }
  return { drafts: draft.pages, aliases: [] };
}

/** Folders whose name begins with a dot contain no pages. */
function isContent(path: string): boolean {
  return !path.split('/').some((segment) => segment.startsWith('.') || segment === 'node_modules');
}

/** Assigns ids and slugs to the drafted pages, in tree order. */
function placePages(
  drafts: readonly DraftPage[],
  newId: () => string,
  problems: PlanProblem[],
  config: RepositoryConfig,
): Map<DraftPage, PlannedPage> {
  const placed = new Map<DraftPage, PlannedPage>();
  const place = (siblings: readonly DraftPage[], parent: string | undefined): void => {
    const taken = new FreeNames();
    for (const draft of siblings) {
      const page: PlannedPage = { id: newId(), parent, type: draft.type, title: draft.title, hidden: draft.hidden };
      if (draft.linkTitle !== undefined) page.linkTitle = draft.linkTitle;
      if (draft.path !== undefined) page.path = draft.path;
      if (draft.computed !== undefined) page.computed = draft.computed;
      if (!holdsNoPages(draft.type)) {
        const wanted = slugFrom(draft);
        page.slug = taken.take((number) => numberedSlug(wanted, number));
        if (page.slug !== wanted)
          problems.push({
            file: draft.path ?? config.summary,
            line: draft.line,
            level: 'notice',
            rule: 'path-taken',
            message: `the path of “${draft.title}” is taken, it becomes ${page.slug}`,
          });
      }
      placed.set(draft, page);
      place(draft.children, page.id);
    }
  };
  place(drafts, undefined);
  return placed;
}

/** The slug of a page is the name of its file, or of its folder if it is the page of one. */
function slugFrom(draft: DraftPage): string {
  if (draft.path === undefined) return slugOf(draft.title);
  const path = draft.plainPath ?? draft.path;
  const directory = directoryOf(path);
  const name = isIndex(path) && directory !== '' ? baseOf(directory) : withoutExtension(baseOf(path));
  return slugOf(name);
}

const INCLUDES = '.gitbook/includes';
const ASSETS = '.gitbook/assets';
const VARIABLES = '.gitbook/vars.yaml';

async function reusableOf(folder: Folder, newId: () => string): Promise<PlannedReusableContent[]> {
  const contents: PlannedReusableContent[] = [];
  for (const path of folder.files.keys()) {
    if (!isMarkdown(path) || !isIncluded(folder, path)) continue;
    const title = await titleIn(folder, path);
    contents.push({ id: newId(), title: title === '' ? titleFromName(baseOf(path)) : title, path });
  }
  return contents;
}

function isIncluded({ tool }: Folder, path: string): boolean {
  return path.startsWith(`${INCLUDES}/`) || (tool !== undefined && isPartial(path));
}

function filesOf(
  folder: Folder,
  newId: () => string,
  { original, names }: Pick<ImportPlan, 'original'> & Pick<ToolTree, 'names'>,
): PlannedFile[] {
  const { files, config, tool } = folder;
  const planned: PlannedFile[] = [];
  for (const [path, { size }] of files) {
    const asset = path.startsWith(`${ASSETS}/`);
    const isOwn =
      [config.summary, CONFIG, VARIABLES, TAGS_FILE].includes(path) ||
      tool?.sources.includes(original(path)) === true ||
      (tool !== undefined && isOwnFile(tool, path)) ||
      (isPageOf(tool, path) && (isContent(path) || path.startsWith(INCLUDES)));
    if (!isOwn || asset) planned.push({ id: newId(), path, name: names?.get(path) ?? baseOf(path), size, asset });
  }
  return planned;
}

/** Sets the targets of links, which may be pages that come after them. */
function linkPages(
  pages: ReadonlyMap<DraftPage, PlannedPage>,
  drafts: readonly DraftPage[],
  targets: Pick<Targets, 'find'>,
  config: RepositoryConfig,
  problems: PlanProblem[],
): void {
  const visit = (draft: DraftPage): void => {
    const page = pages.get(draft);
    if (page?.type === 'link' && draft.target !== undefined) {
      const found = targets.find(directoryOf(config.summary), draft.target);
      if (found.ref === undefined && (found.local || !isStorable(draft.target)))
        problems.push({
          file: config.summary,
          line: draft.line,
          ...(draft.column !== undefined && { column: draft.column }),
          level: 'warning',
          rule: 'broken-link',
          message: `${draft.target} leads nowhere`,
        });
      page.target = found.ref ?? addressReference(draft.target);
    }
    draft.children.forEach(visit);
  };
  drafts.forEach(visit);
}

function redirectsOf(
  config: RepositoryConfig,
  targets: Pick<Targets, 'find'>,
  problems: PlanProblem[],
): ImportPlan['redirects'] {
  return [...config.redirects].flatMap(([from, to]) => {
    const found = targets.find('', to);
    if (found.ref !== undefined) return [{ from, target: found.ref }];
    if (!found.local) return [{ from, target: { kind: 'url' as const, url: to } }];
    problems.push({
      file: CONFIG,
      line: config.redirectLines.get(from) ?? 1,
      level: 'warning',
      rule: 'broken-link',
      message: `the redirect from ${from} leads to ${to}, which is not there`,
    });
    return [];
  });
}

async function variablesOf({ files, reads, problems }: Folder): Promise<Record<string, string | number | boolean>> {
  const source = await textOf(files.get(VARIABLES), VARIABLES, problems);
  const read = await reads.variables(source ?? '');
  for (const problem of read.problems)
    problems.push({ file: VARIABLES, level: 'warning', rule: 'configuration', ...problem });
  return read.variables;
}

async function tagsOf({ files, reads, problems }: Folder): Promise<readonly FolderTag[] | undefined> {
  const source = await textOf(files.get(TAGS_FILE), TAGS_FILE, problems);
  if (source === undefined) return undefined;
  const read = await reads.tags(source);
  for (const problem of read.problems)
    problems.push({ file: TAGS_FILE, level: 'warning', rule: 'configuration', ...problem });
  return read.tags;
}
