import type { DialectName } from '../../../../formats/markdown/dialects/dialect.js';
import {
  baseOf,
  byName,
  directoryOf,
  isIndex,
  joinPath,
  normalizePath,
  titleFromName,
  withoutExtension,
} from '../repository-paths.js';
import type { SummaryEntry } from '../summary.js';
import type { ToolPageHead } from './page-head.js';

/** The files from which the navigation of a tool is read. Paths are relative to the folder of the pages. */
export interface NavigationInput {
  readonly tool: DialectName;
  readonly sources: readonly { readonly path: string; readonly text: string }[];
  readonly pages: readonly (readonly [string, ToolPageHead])[];
}

/** A folder's own name and place in the navigation. */
export interface Category {
  readonly label?: string;
  readonly order?: number;
  /** The page that it opens. */
  readonly page?: string;
}

/** Numbers in front of names, which only order them. */
const NUMBER = /^\d{1,6}[-_. ]+(?=.)/;

/** The pages of a folder, by path, address and id. */
export class ToolPages {
  readonly heads: ReadonlyMap<string, ToolPageHead>;
  readonly problems: { line: number; message: string }[] = [];
  readonly categories = new Map<string, Category>();
  private readonly folders = new Map<string, Set<string>>();
  private readonly pagesOf = new Map<string, string[]>();
  /** Pages by their path without extension and id. */
  private readonly named = new Map<string, string>();
  /** Pages by their name alone. */
  readonly byName = new Map<string, string>();

  constructor(
    readonly input: NavigationInput,
    private readonly lines: (value: string) => number,
  ) {
    this.heads = new Map(input.pages);
    for (const path of this.heads.keys()) {
      const directory = directoryOf(path);
      const beside = this.pagesOf.get(directory) ?? [];
      beside.push(path);
      this.pagesOf.set(directory, beside);
      const name = joinPath(directory, nameWithoutId(withoutExtension(path)));
      if (!this.named.has(name)) this.named.set(name, path);
      const plain = withoutExtension(baseOf(path));
      if (!this.byName.has(plain)) this.byName.set(plain, path);
      for (let at = directory; at !== ''; at = directoryOf(at)) {
        const above = this.folders.get(directoryOf(at)) ?? new Set();
        this.folders.set(directoryOf(at), above.add(at));
      }
    }
  }

  /** The page at an address or a path, with or without its extension. */
  find(written: string, from = ''): string | undefined {
    const whole = normalizePath(written.startsWith('/') ? written : joinPath(from, written));
    if (whole === undefined) return undefined;
    if (this.heads.has(whole)) return whole;
    const path = whole.replace(/\.html$/, '');
    const names = path === '' ? [] : [path, `${path}.md`, `${path}.mdx`];
    const indexes = ['index.md', 'index.mdx', 'README.md', 'Home.md'].map((name) => joinPath(path, name));
    return [...names, ...indexes].find((each) => this.heads.has(each));
  }

  /** An entry that leads to a page, or to an address; `target` is as written. */
  entry(title: string, target: string | undefined, children: SummaryEntry[] = [], from = ''): SummaryEntry {
    const line = this.lines(target ?? title);
    if (target === undefined) return { title, line, children };
    const page = /^[a-z][a-z0-9+.-]*:/i.test(target) ? undefined : this.find(target.replace(/[?#].*$/s, ''), from);
    if (page !== undefined) return this.page(page, children, title);
    const isPage = !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(target) && !/\.\w+$/.test(target);
    return { title: title === '' ? target : title, target: isPage ? `/${target}.md` : target, line, children };
  }

  page(path: string, children: SummaryEntry[] = [], title = ''): SummaryEntry {
    return { title, target: `/${encodeURI(path)}`, line: this.lines(withoutExtension(path)), children };
  }

  /** The entries of a folder: its pages and folders in their order, the page of a folder above what is in it. */
  folder(directory: string): SummaryEntry[] {
    const pages = this.pagesOf.get(directory) ?? [];
    const folders = [...(this.folders.get(directory) ?? [])];
    const own = this.ownPage(directory);
    const beside = new Set(folders.flatMap((folder) => this.ownPage(folder) ?? []));
    const entries = [
      ...pages
        .filter((path) => path !== own && !beside.has(path))
        .map((path) => ({ ...this.placeOf(path), make: () => this.page(path) })),
      ...folders.map((folder) => ({ ...this.placeOf(folder), make: () => this.ofFolder(folder) })),
    ].sort((a, b) => a.order - b.order || byName(a.name, b.name));
    return entries.map(({ make }) => make());
  }

  /** All pages, the first one of the root before the others. */
  all(): SummaryEntry[] {
    const home = this.ownPage('');
    return [...(home === undefined ? [] : [this.page(home)]), ...this.folder('')];
  }

  private ofFolder(folder: string): SummaryEntry {
    const { label } = this.categories.get(folder) ?? {};
    const own = this.ownPage(folder);
    const children = this.folder(folder);
    if (own !== undefined) return this.page(own, children, label ?? '');
    return { title: label ?? titleFromName(baseOf(folder).replace(NUMBER, '')), line: 1, children };
  }

  /** The page of a folder: named by its category, its index, or of the same name, in it or beside it. */
  private ownPage(folder: string): string | undefined {
    const { page } = this.categories.get(folder) ?? {};
    if (page !== undefined && this.heads.has(page)) return page;
    const inside = this.pagesOf.get(folder) ?? [];
    const index = inside.find((path) => isIndex(path) || (folder === '' && /^home\.mdx?$/i.test(baseOf(path))));
    if (index !== undefined || folder === '') return index;
    const name = nameWithoutId(folder);
    return (
      this.named.get(joinPath(directoryOf(folder), name)) ??
      (this.input.tool === 'docusaurus' ? this.named.get(joinPath(folder, name)) : undefined)
    );
  }

  private placeOf(path: string): { order: number; name: string } {
    const own = this.folders.get(directoryOf(path))?.has(path) === true ? this.ownPage(path) : path;
    const given =
      this.categories.get(path)?.order ??
      (own === undefined ? undefined : (this.categories.get(own)?.order ?? this.heads.get(own)?.order));
    return { order: given ?? Number.MAX_SAFE_INTEGER, name: baseOf(path) };
  }
}

/** The name of a page or folder without the id that its tool adds. */
export function nameWithoutId(path: string): string {
  return baseOf(path).replace(/ [0-9a-f]{32}$/, '');
}

/** A path without the numbers that order its parts. */
export function withoutOrderNumbers(path: string): string {
  return path
    .split('/')
    .map((part) => part.replace(NUMBER, ''))
    .join('/');
}
