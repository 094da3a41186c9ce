import type { JsonValue } from '../../../../formats/document/types.js';
import { DIALECTS } from '../../../../formats/markdown/dialects/dialect.js';
import { LABELS } from '../../../../formats/markdown/dialects/inline-syntax.js';
import { rewriteBody } from '../../../../formats/markdown/dialects/rewrite.js';
import { readYaml, yamlFault } from '../../../../formats/markdown/yaml.js';
import { baseOf, directoryOf, joinPath, normalizePath, titleFromName, withoutExtension } from '../repository-paths.js';
import { readSummary, type Summary, type SummaryEntry, type SummaryGroup } from '../summary.js';
import { confluenceGroups } from './exports.js';
import { literalAfter, LiteralReader } from './literal.js';
import { ToolPages, withoutOrderNumbers, type NavigationInput } from './pages.js';

/** The navigation of a tool, as a table of contents. */
export interface ToolNavigation extends Summary {
  /** Other addresses of pages, without a slash before them. */
  readonly aliases: readonly (readonly [string, string])[];
}

type Reader = (pages: ToolPages, source: string | undefined) => SummaryGroup[];

/** Reads the navigation of a tool. Files of JavaScript are read as data: nothing in them is run. */
export function readNavigation(input: NavigationInput): ToolNavigation {
  const [first] = input.sources;
  const pages = new ToolPages(input, linesIn(first?.text ?? ''));
  let groups: SummaryGroup[] = [];
  try {
    groups = READERS[input.tool](pages, first?.text);
  } catch (error) {
    const { line, reason } = yamlFault(error);
    pages.problems.push({ line, message: `the navigation cannot be read: ${reason}` });
  }
  const isEmpty = groups.every(({ entries }) => entries.length === 0);
  if (isEmpty && first !== undefined && NAMED.has(input.tool) && groups.length > 0)
    pages.problems.push({ line: 1, message: 'no navigation is found in it, so the folders are taken' });
  return {
    groups: isEmpty ? [{ line: 1, entries: pages.all() }] : groups,
    problems: pages.problems,
    aliases: aliasesOf(pages),
  };
}

/** Tools whose first source always has a navigation. */
const NAMED: ReadonlySet<string> = new Set(['mintlify']);

/** The line of each text in quotes, or behind a colon or dash, that a file names; 1 for one that it does not. */
function linesIn(text: string): (value: string) => number {
  const lines = new Map<string, number>();
  text.split('\n').forEach((line, index) => {
    const named = [...line.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(([, double, single]) => double ?? single ?? '');
    const bare = line
      .slice(0, 500)
      .split(/(?:^|\s)-\s|:\s/)
      .at(-1)
      ?.trim();
    for (const value of [...named, ...(bare === undefined ? [] : [bare])])
      if (!lines.has(value)) lines.set(value, index + 1);
  });
  return (value) => lines.get(value) ?? lines.get(`${value}.md`) ?? lines.get(`/${value}`) ?? 1;
}

const READERS: Readonly<Record<NavigationInput['tool'], Reader>> = {
  docusaurus,
  mkdocs: (pages, source) => [ofNav(pages, record(readYaml(source ?? '')).nav)],
  mintlify: (pages, source) => {
    const value = record(new LiteralReader(source ?? '').readAt(0));
    return groupsOf(list(pages, value.navigation));
  },
  vitepress: (pages, source) => {
    const value = literalAfter(source ?? '', /\bsidebar\s*:\s*(?=[[{])/g)?.value;
    if (Array.isArray(value)) return groupsOf(list(pages, value));
    return groupsOf(
      Object.values(record(value)).flatMap((part) => {
        const { items, base } = record(part);
        return list(pages, Array.isArray(part) ? part : items, typeof base === 'string' ? base : '');
      }),
    );
  },
  starlight: (pages, source) => groupsOf(list(pages, literalAfter(source ?? '', /\bsidebar\s*:\s*(?=\[)/g)?.value)),
  sphinx,
  'github-wiki': (pages, source) => {
    if (source === undefined) return [];
    const { body } = rewriteBody(source, DIALECTS['github-wiki']);
    return readSummary(body).groups.map((group) => ({ ...group, entries: wikiEntries(pages, group.entries) }));
  },
  docmost: (pages, source) => {
    const { pages: given } = record(new LiteralReader(source ?? '').readAt(0));
    const order = Object.entries(record(given)).sort(([, a], [, b]) =>
      textOf(record(a).position) < textOf(record(b).position) ? -1 : 1,
    );
    order.forEach(([path], index) => pages.categories.set(path, { order: index }));
    return [];
  },
  outline: () => [],
  confluence: (pages, source) => confluenceGroups(pages, source ?? ''),
  // Its pages and their tree are read at once.
  bookstack: () => [],
  notion: () => [],
};

function docusaurus(pages: ToolPages): SummaryGroup[] {
  const ids = idsOf(pages);
  let sidebars: JsonValue | undefined;
  for (const { path, text } of pages.input.sources) {
    if (!baseOf(path).startsWith('_category_')) {
      sidebars = path.endsWith('.json') ? new LiteralReader(text).readAt(0) : literalAfter(text, SIDEBARS)?.value;
      continue;
    }
    const given = record(path.endsWith('.json') ? new LiteralReader(text).readAt(0) : readYaml(text));
    const link = record(given.link);
    const page = typeof link.id === 'string' ? ids.get(link.id) : undefined;
    pages.categories.set(directoryOf(path), {
      ...(typeof given.label === 'string' && { label: given.label }),
      ...(typeof given.position === 'number' && { order: given.position }),
      ...(page !== undefined && { page }),
    });
  }
  const all = Object.entries(record(sidebars));
  return all.map(([name, items]) => ({
    ...(all.length > 1 && { title: titleFromName(name.replace(/Sidebar$/, '')) }),
    line: 1,
    entries: sidebarItems(pages, ids, items),
  }));
}

const SIDEBARS =
  /(?:module\.exports|\b(?:const|let|var)\s+\w{1,60}\s*(?::\s*[\w.]{1,60})?)\s*=\s*(?=\{)|\bexport\s+default\s+(?=\{)/g;

function sidebarItems(
  pages: ToolPages,
  ids: ReadonlyMap<string, string>,
  items: JsonValue | undefined,
): SummaryEntry[] {
  const children = (given: JsonValue | undefined): SummaryEntry[] => sidebarItems(pages, ids, given);
  const doc = (id: string, label: string, below: SummaryEntry[] = []): SummaryEntry => {
    const path = ids.get(id);
    return path === undefined ? pages.entry(label === '' ? id : label, id, below) : pages.page(path, below, label);
  };
  if (!Array.isArray(items))
    return Object.entries(record(items)).map(([label, given]) => ({
      title: label,
      line: 1,
      children: children(given),
    }));
  return items.flatMap((item): SummaryEntry[] => {
    if (typeof item === 'string') return [doc(item, '')];
    const { type, id, label, href, items: below, link, dirName } = record(item);
    const title = typeof label === 'string' ? label : '';
    if (type === 'autogenerated') return dirName === '.' ? pages.all() : pages.folder(textOf(dirName));
    if (type === 'link') return [pages.entry(title, textOf(href))];
    if ((type === 'doc' || type === 'ref') && typeof id === 'string') return [doc(id, title)];
    if (type === 'html') return [];
    if (type !== 'category') return children(item);
    const page = record(link).id;
    return [
      typeof page === 'string' ? doc(page, title, children(below)) : { title, line: 1, children: children(below) },
    ];
  });
}

/** The pages of Docusaurus by their ids. */
function idsOf({ heads }: ToolPages): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [path, { id }] of heads) {
    const own = withoutOrderNumbers(withoutExtension(path));
    ids.set(joinPath(directoryOf(own), id ?? baseOf(own)), path);
    if (!ids.has(withoutExtension(path))) ids.set(withoutExtension(path), path);
  }
  return ids;
}

function ofNav(pages: ToolPages, nav: unknown): SummaryGroup {
  const entries = (items: unknown): SummaryEntry[] =>
    Array.isArray(items)
      ? items.flatMap((item): SummaryEntry[] => {
          if (typeof item === 'string') return [pages.entry('', item)];
          return Object.entries(record(item)).map(([title, below]) =>
            typeof below === 'string' ? pages.entry(title, below) : withOwnPage(pages, title, entries(below)),
          );
        })
      : [];
  return { line: 1, entries: entries(nav) };
}

/** A section whose first page is the index of its folder opens with that page. */
function withOwnPage(pages: ToolPages, title: string, children: SummaryEntry[]): SummaryEntry {
  const [first, ...rest] = children;
  const isOwn = first?.title === '' && first.children.length === 0 && /\/index\.md$/.test(first.target ?? '');
  return isOwn ? { ...first, title, children: rest } : pages.entry(title, undefined, children);
}

/** Lists of pages in the terms of Mintlify, VitePress and Starlight, which all nest objects. */
function list(pages: ToolPages, items: JsonValue | undefined, base = ''): SummaryEntry[] {
  const given = Array.isArray(items) ? items : items === undefined || items === null ? [] : partsOf(record(items));
  return given.flatMap((item): SummaryEntry[] => {
    if (typeof item === 'string') {
      if (!/^[A-Z]+ \//.test(item)) return [pages.entry('', item)];
      pages.problems.push({ line: 1, message: `the operation ${item} is no page and is left out` });
      return [];
    }
    const value = record(item);
    const title = NAMES.map((name) => value[name]).find((name) => typeof name === 'string');
    const name = typeof title === 'string' ? title : '';
    const { autogenerate } = value;
    if (autogenerate !== undefined) {
      const below = pages.folder(textOf(record(autogenerate).directory));
      return name === '' ? below : [pages.entry(name, undefined, below)];
    }
    const own = typeof value.base === 'string' ? value.base : base;
    const children = partsOf(value).length === 0 ? [] : list(pages, partsOf(value), own);
    const target = ['root', 'slug', 'link', 'href'].map((key) => value[key]).find((each) => typeof each === 'string');
    if (typeof target !== 'string') return name === '' ? children : [pages.entry(name, undefined, children)];
    const isOutside = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target);
    return [
      pages.entry(name, isOutside ? target : joinPath(own.replace(/\/$/, ''), target.replace(/^\//, '')), children),
    ];
  });
}

const NAMES = ['text', 'label', 'group', 'tab', 'anchor', 'dropdown', 'language', 'version', 'product', 'item', 'menu'];
const PARTS = ['languages', 'versions', 'products', 'tabs', 'anchors', 'dropdowns', 'menu', 'groups', 'pages', 'items'];

function partsOf(value: Record<string, JsonValue>): JsonValue[] {
  return PARTS.flatMap((name) => {
    const parts = value[name];
    return Array.isArray(parts) ? parts : [];
  });
}

/** Entries of the highest level that lead nowhere are groups. */
function groupsOf(entries: readonly SummaryEntry[]): SummaryGroup[] {
  const groups: SummaryGroup[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (entry.target === undefined) groups.push({ title: entry.title, line: entry.line, entries: entry.children });
    else if (last && last.title === undefined) last.entries.push(entry);
    else groups.push({ line: entry.line, entries: [entry] });
  }
  return groups;
}

function sphinx(pages: ToolPages): SummaryGroup[] {
  for (const { path, text } of pages.input.sources) {
    const value = record(readYaml(text));
    const toc = path.endsWith('myst.yml') ? record(value.project).toc : value;
    if (toc !== undefined) return [{ line: 1, entries: tocEntries(pages, toc) }];
  }
  const home = pages.find('index');
  if (home === undefined) return [];
  const seen = new Set([home]);
  const below = (path: string): SummaryGroup[] =>
    (pages.heads.get(path)?.tables ?? []).map(({ caption, entries }) => ({
      ...(caption !== undefined && { title: caption }),
      line: 1,
      entries: entries.flatMap(({ title = '', target }): SummaryEntry[] => {
        const found = pages.find(target, directoryOf(path));
        if (found === undefined) return target.includes('*') ? [] : [pages.entry(title, target, [], directoryOf(path))];
        if (seen.has(found)) return [];
        seen.add(found);
        return [
          pages.page(
            found,
            below(found).flatMap((group) => group.entries),
            title,
          ),
        ];
      }),
    }));
  return [{ line: 1, entries: [pages.page(home)] }, ...below(home)];
}

/** `_toc.yml` of Jupyter Book and `toc` of MyST. */
function tocEntries(pages: ToolPages, value: unknown): SummaryEntry[] {
  if (Array.isArray(value)) return value.flatMap((item) => tocEntries(pages, item));
  const { root, file, url, title, caption, parts, chapters, sections, children } = record(value);
  const below = [parts, chapters, sections, children].flatMap((each) =>
    each === undefined ? [] : tocEntries(pages, each),
  );
  const name = [title, caption].find((each) => typeof each === 'string');
  const label = typeof name === 'string' ? name : '';
  if (typeof root === 'string') return [pages.entry('', root), ...below];
  const target = typeof file === 'string' ? file : url;
  if (typeof target === 'string') return [pages.entry(label, target, below)];
  return label === '' ? below : [pages.entry(label, undefined, below)];
}

function wikiEntries(pages: ToolPages, entries: readonly SummaryEntry[]): SummaryEntry[] {
  return entries.map(({ title, target, line, children }) => {
    const written = target?.replace(/^https:\/\/github\.com\/[^/]+\/[^/]+\/wiki\//, '');
    const below = wikiEntries(pages, children);
    if (written === undefined) return { title, line, children: below };
    const name = decoded(written.replace(/#.*$/s, ''));
    const page = pages.byName.get(name);
    return { ...(page === undefined ? pages.entry(title, written, below) : pages.page(page, below, title)), line };
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The addresses of pages that differ from their paths. */
function aliasesOf(pages: ToolPages): (readonly [string, string])[] {
  const { tool } = pages.input;
  const aliases: (readonly [string, string])[] = [];
  const add = (address: string, path: string): void => {
    const from = normalizePath(address);
    if (from !== undefined && from !== '' && from !== path) aliases.push([from, path]);
  };
  for (const [path, { slug, labels }] of pages.heads) {
    for (const label of labels) add(`${LABELS}${label}`, path);
    if (tool === 'github-wiki') add(withoutExtension(baseOf(path)), path);
    if (tool === 'starlight' && slug !== undefined) add(slug, path);
    if (tool !== 'docusaurus') continue;
    const address = slug?.startsWith('/') === false ? joinPath(directoryOf(path), slug) : slug;
    if (address !== undefined) {
      add(`docs/${address}`, path);
      add(address, path);
    }
  }
  if (tool === 'docusaurus')
    for (const [id, path] of idsOf(pages)) {
      const own = id.replace(/(?:^|\/)(?:index|readme)$/i, '');
      add(`docs/${own}`, path);
      add(own, path);
    }
  return aliases;
}

function record(value: unknown): Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, JsonValue>)
    : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
