import type { DialectName } from '../../../../formats/markdown/dialects/dialect.js';
import { BOOKSTACK_FILES } from '../../../../formats/markdown/exports/bookstack-page.js';
import { baseOf, directoryOf, isIndex, isMarkdown, joinPath, withoutExtension } from '../repository-paths.js';

/** A folder as another tool reads it. All paths begin at the root of the repository. */
export interface ToolFolder {
  readonly tool: DialectName;
  /** The folder of the pages. */
  readonly root: string;
  /** The files that say what the navigation is, the most important first. */
  readonly sources: readonly string[];
  /** Folders whose files are at the root of what is published. */
  readonly assets: readonly string[];
}

/** Folders of pages, the best first. */
const SPHINX_FOLDERS = ['docs/source', 'doc/source', 'docs', 'doc', 'source', ''];
const NOTION = / [0-9a-f]{32}\.(?:md|csv)$/;
const OUTLINE = /(?:^|\/)(?:uploads|public)\/[0-9a-f-]{36}\/[0-9a-f-]{36}\//;

/** A page of Confluence, whose name ends with its number. */
const CONFLUENCE = /^(?:.+_)?\d+\.html$/;

/** Finds out which tool a folder was written for; undefined for our own, and for one that no tool has marked. */
export function detectTool(paths: readonly string[]): ToolFolder | undefined {
  const all = new Set(paths);
  if (all.has('.gitbook.yaml') || all.has('SUMMARY.md')) return undefined;
  for (const find of FINDERS) {
    const found = find(paths, all);
    if (found) return found;
  }
  return undefined;
}

/** The HTML export of a space, which has an index, style sheets and a file for each page. */
function confluence(paths: readonly string[], all: ReadonlySet<string>): ToolFolder | undefined {
  const index = paths.find(
    (path) =>
      path.split('/').length <= 2 &&
      baseOf(path) === 'index.html' &&
      all.has(joinPath(directoryOf(path), 'styles/site.css')),
  );
  if (index === undefined) return undefined;
  const root = directoryOf(index);
  const isOne = paths.some((path) => directoryOf(path) === root && CONFLUENCE.test(baseOf(path)));
  return isOne ? { tool: 'confluence', root, sources: [index], assets: [] } : undefined;
}

/** A portable ZIP, which has nothing but its data and its files. */
function bookStack(paths: readonly string[]): ToolFolder | undefined {
  const data = paths.find((path) => path.split('/').length <= 2 && baseOf(path) === 'data.json');
  if (data === undefined) return undefined;
  const root = directoryOf(data);
  const files = `${joinPath(root, BOOKSTACK_FILES)}/`;
  const isOne = paths.every((path) => path === data || path.startsWith(files));
  return isOne ? { tool: 'bookstack', root, sources: [data], assets: [] } : undefined;
}

type Finder = (paths: readonly string[], all: ReadonlySet<string>) => ToolFolder | undefined;

/** The first path with a name that lies in the root or one folder below it. */
function shallow(paths: readonly string[], name: RegExp): string | undefined {
  return paths.find((path) => path.split('/').length <= 2 && name.test(baseOf(path)));
}

function holds(paths: readonly string[], folder: string): boolean {
  return paths.some((path) => path.startsWith(folder === '' ? '' : `${folder}/`) && isMarkdown(path));
}

const FINDERS: readonly Finder[] = [
  confluence,
  bookStack,
  (paths, all) => {
    const config = shallow(paths, /^docusaurus\.config\.[cm]?[jt]s$/);
    const sidebars = shallow(paths, /^sidebars\.(?:[cm]?[jt]s|json)$/);
    const categories = paths.filter((path) => /^_category_\.(?:json|ya?ml)$/.test(baseOf(path)));
    if (config === undefined && sidebars === undefined && categories.length === 0) return undefined;
    const base = directoryOf(config ?? sidebars ?? '');
    const root = [joinPath(base, 'docs'), 'docs'].find((folder) => holds(paths, folder)) ?? base;
    const own = [...all].find((path) => directoryOf(path) === base && /^sidebars\./.test(baseOf(path))) ?? sidebars;
    return {
      tool: 'docusaurus',
      root,
      sources: [...(own === undefined ? [] : [own]), ...categories.filter((path) => path.startsWith(root))],
      assets: [joinPath(base, 'static')],
    };
  },
  (paths, all) => {
    const config = ['mkdocs.yml', 'mkdocs.yaml'].find((path) => all.has(path));
    if (config === undefined) return undefined;
    return { tool: 'mkdocs', root: holds(paths, 'docs') ? 'docs' : '', sources: [config], assets: [] };
  },
  (paths, all) => {
    const config = ['docs.json', 'mint.json'].find((path) => all.has(path));
    const isOne = config !== undefined && (config === 'mint.json' || paths.some((path) => path.endsWith('.mdx')));
    return isOne ? { tool: 'mintlify', root: '', sources: [config], assets: [] } : undefined;
  },
  (paths) => {
    const config = paths.find((path) => /(?:^|\/)\.vitepress\/config\.[cm]?[jt]s$/.test(path));
    if (config === undefined) return undefined;
    const root = directoryOf(directoryOf(config));
    return { tool: 'vitepress', root, sources: [config], assets: [joinPath(root, 'public')] };
  },
  (paths) => {
    const config = shallow(paths, /^astro\.config\.[cm]?[jt]s$/);
    const base = directoryOf(config ?? '');
    const root = joinPath(base, 'src/content/docs');
    if (config === undefined || !holds(paths, root)) return undefined;
    return {
      tool: 'starlight',
      root,
      sources: [config],
      assets: [joinPath(base, 'public'), joinPath(base, 'src/assets')],
    };
  },
  (paths, all) => {
    const isRoot = (folder: string): boolean =>
      ['conf.py', 'myst.yml', '_toc.yml'].some((name) => all.has(joinPath(folder, name)));
    const root = SPHINX_FOLDERS.find(isRoot);
    if (root === undefined || !holds(paths, root)) return undefined;
    const sources = ['myst.yml', '_toc.yml'].map((name) => joinPath(root, name)).filter((path) => all.has(path));
    return { tool: 'sphinx', root, sources, assets: [] };
  },
  (_paths, all) =>
    all.has('_Sidebar.md') || all.has('_Footer.md')
      ? { tool: 'github-wiki', root: '', sources: ['_Sidebar.md'].filter((path) => all.has(path)), assets: [] }
      : undefined,
  (_paths, all) =>
    all.has('docmost-metadata.json')
      ? { tool: 'docmost', root: '', sources: ['docmost-metadata.json'], assets: [] }
      : undefined,
  (paths) =>
    paths.some((path) => NOTION.test(path)) ? { tool: 'notion', root: '', sources: [], assets: [] } : undefined,
  (paths) => {
    const markdown = paths.filter(isMarkdown);
    const folders = new Set(markdown.map(directoryOf));
    const isOne =
      paths.some((path) => OUTLINE.test(path)) ||
      (!markdown.some(isIndex) && markdown.some((path) => folders.has(withoutExtension(path))));
    return isOne ? { tool: 'outline', root: '', sources: [], assets: [] } : undefined;
  },
];
