import type { DialectName } from '../../../../formats/markdown/dialects/dialect.js';
import { BOOKSTACK_FILES } from '../../../../formats/markdown/exports/bookstack-page.js';
import type { PlanProblem, SourceFile } from '../plan-model.js';
import { type DraftPage, pageName, treeFromSummary } from '../plan-tree.js';
import type { RepositoryConfig } from '../gitbook-yaml.js';
import { baseOf, byName, isMarkdown, joinPath, relativePath } from '../repository-paths.js';
import type { SourceReads } from '../source-reads.js';
import { textOfBytes } from '../text-bytes.js';
import type { ToolFolder } from './detect.js';
import type { BookStackExport } from './exports.js';
import type { ToolNavigation } from './navigation.js';
import type { ToolPageHead } from './page-head.js';

/** Maximum size of the data of an export in bytes. */
const MAX_EXPORT = 64 * 1024 ** 2;

/** Reads an export that has all of its pages in one file; undefined for all others. */
export async function exportedData(
  tool: ToolFolder | undefined,
  files: ReadonlyMap<string, SourceFile>,
  reads: SourceReads,
): Promise<BookStackExport | undefined> {
  const source = tool?.tool === 'bookstack' ? files.get(tool.sources[0] ?? '') : undefined;
  if (source === undefined) return undefined;
  if (source.size <= MAX_EXPORT) return reads.exported(textOfBytes(await source.read()));
  const problems = [{ line: 1, message: `nothing of it is read: it has more than ${MAX_EXPORT} bytes` }];
  return { pages: [], groups: [], aliases: [], names: [], problems };
}

/** The files of a folder, and the pages of its export as if they were files, too. */
export function withPages(
  files: ReadonlyMap<string, SourceFile>,
  exported: BookStackExport | undefined,
): Map<string, SourceFile> {
  const all = new Map(files);
  for (const [path, text] of exported?.pages ?? []) {
    const bytes = Buffer.from(text);
    all.set(path, { size: bytes.length, read: async () => bytes });
  }
  return all;
}

/** Files outside of the folder of pages that are read with it, by both of their paths. */
export interface MovedFiles {
  readonly files: ReadonlyMap<string, SourceFile>;
  /** From the path in the repository to the one in the folder. */
  readonly moved: ReadonlyMap<string, string>;
}

/** Reads assets that are published beside the pages as if they were in their folder. */
export function withAssets(
  { root, assets }: ToolFolder,
  all: ReadonlyMap<string, SourceFile>,
  inside: ReadonlyMap<string, SourceFile>,
): MovedFiles {
  const files = new Map(inside);
  const moved = new Map<string, string>();
  for (const [path, source] of all) {
    const folder = assets.find((each) => path.startsWith(`${each}/`));
    if (folder === undefined || isMarkdown(path)) continue;
    const to = path.slice(folder.length + 1);
    const isInside = root === '' || path.startsWith(`${root}/`);
    if (files.has(to)) continue;
    if (isInside) files.delete(root === '' ? path : path.slice(root.length + 1));
    files.set(to, source);
    moved.set(path, to);
  }
  return { files: new Map([...files].sort(([a], [b]) => byName(a, b))), moved };
}

/** Tells whether a file outside of the folder of pages is read all the same. */
export function readsOutside({ assets, sources }: ToolFolder, path: string): boolean {
  return sources.includes(path) || assets.some((folder) => path.startsWith(`${folder}/`));
}

/** The configuration of a folder that another tool was made for. */
export function configOf({ root, sources }: ToolFolder): RepositoryConfig {
  const [first] = sources;
  return {
    root,
    readme: '',
    // Relative to the folder of the pages, and so often outside of it.
    summary: first === undefined ? '' : relativePath(root, first),
    redirects: new Map(),
    redirectLines: new Map(),
    problems: [],
  };
}

export interface ToolTree {
  readonly drafts: DraftPage[];
  readonly aliases: ToolNavigation['aliases'];
  /** The names of files by their paths, where those differ. */
  readonly names?: ReadonlyMap<string, string>;
}

/** The tree of the pages as another tool shows it. */
export async function treeOfTool(
  folder: ToolFolder,
  markdown: readonly string[],
  config: RepositoryConfig,
  {
    reads,
    textOf,
    sourceText,
    problems,
    exported,
  }: {
    readonly reads: SourceReads;
    readonly textOf: (path: string) => Promise<string>;
    readonly sourceText: (path: string) => Promise<string>;
    readonly problems: PlanProblem[];
    /** The data of an export, which has all of its pages in one file. */
    readonly exported: BookStackExport | undefined;
  },
): Promise<ToolTree> {
  const { tool, root } = folder;
  const heads = new Map<string, ToolPageHead>();
  for (const path of markdown) heads.set(path, await reads.head({ text: await textOf(path), tool }));
  const sources: { path: string; text: string }[] = [];
  for (const path of exported ? [] : folder.sources) {
    const inside = root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
    sources.push({ path: inside, text: await sourceText(path) });
  }
  const given = await reads.navigation({ tool, sources, pages: [...heads] });
  const navigation = exported
    ? { ...given, ...exported, groups: [...exported.groups], problems: [...exported.problems] }
    : given;
  const { pages } = treeFromSummary(navigation, new Set(markdown), config, problems);
  name(pages, heads, tool);
  const named = exported?.names ?? [...heads.values()].flatMap(({ files = [] }) => files);
  return { drafts: pages, aliases: navigation.aliases, names: new Map(named) };
}

/** Pages have the titles that they say themselves; those of the navigation are their names there. */
function name(drafts: readonly DraftPage[], heads: ReadonlyMap<string, ToolPageHead>, tool: DialectName): void {
  for (const draft of drafts) {
    name(draft.children, heads, tool);
    const head = draft.path === undefined ? undefined : heads.get(draft.path);
    if (!head || draft.path === undefined) continue;
    draft.plainPath = plainName(draft.path, tool, head.title);
    const label = draft.hidden ? '' : draft.title;
    draft.title = head.title || label || pageName(draft.plainPath);
    const linkTitle = label || head.label;
    if (linkTitle !== undefined && linkTitle !== draft.title) draft.linkTitle = linkTitle;
  }
}

/** A path whose name lacks what its tool adds: an id behind it, or a number before it. */
function plainName(path: string, tool: DialectName, title: string): string {
  if (tool === 'bookstack') return path;
  if (tool === 'confluence') return /^\d+\.html$/.test(path) ? `${title}.html` : path.replace(/_\d+(?=\.html$)/, '');
  const own = baseOf(path)
    .replace(/ [0-9a-f]{32}(?=\.[^.]+$)/, '')
    .replace(/^\d{1,6}[-_. ]+(?=[^.\d])/, '');
  return joinPath(path.slice(0, path.length - baseOf(path).length).replace(/\/$/, ''), own);
}

/** The files that the export of a tool brings along for itself. */
const OWN_FILES = /^(?:styles|images|attachments\/thumbnails)\//;

/** Tells whether a file is part of how an export is shown, and of no page. */
export function isOwnFile({ tool }: ToolFolder, path: string): boolean {
  return tool === 'confluence' && OWN_FILES.test(path);
}

/** Tells whether a path in the folder is that of a page. */
export function isPageOf(folder: ToolFolder | undefined, path: string): boolean {
  if (folder?.tool === 'confluence') return /\.html?$/i.test(path) && baseOf(path) !== 'index.html';
  if (folder?.tool === 'bookstack') return !path.startsWith(`${BOOKSTACK_FILES}/`) && path !== 'data.json';
  return isMarkdown(path);
}

/** Contents that pages of a tool include. */
export function isPartial(path: string): boolean {
  return /(?:^|\/)_[^/]*$/.test(path) || path.startsWith('snippets/') || path.startsWith('_snippets/');
}
