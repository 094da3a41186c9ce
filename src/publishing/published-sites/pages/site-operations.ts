import { Injectable } from '@nestjs/common';
import { documentKindOf } from '../../../formats/document/computed-source.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import { searchedBy, SiteSearch } from '../search/site-search.service.js';
import type { SpaceTree, TreePage } from './domain/space-tree.js';
import { PageContents } from './page-contents.js';
import { pagePath, type SiteRequest } from './site-place.js';
import { SpaceTrees } from './space-trees.js';

/** Pages among those found by their words in which an operation is looked for. */
const FOUND_PAGES = 5;
/** Written pages with operations that are read of one space, and at once. */
const WRITTEN_PAGES = 1_000;
const PAGES_AT_ONCE = 50;
const BETWEEN_IDS = /[^\p{L}\p{N}_.-]+/u;
const METHOD_AND_PATH = /^([a-z]+)\s+(\S+)$/i;
/** The line that names an operation in the Markdown of a page. */
const NAMED = /^`[A-Z]+ \S+`$/m;
const SPECIFICATIONS = /"spec":"([a-zA-Z0-9-]{1,100})"/g;

/** An operation that somebody names: `GET /pets`, or `listPets`. */
interface WantedOperation {
  readonly name: string;
  /** Its line in the Markdown of a page, if it is named by its method and path. */
  readonly line: string | undefined;
  readonly path: string;
}

interface PlacedSpace {
  readonly row: SiteSpaceRow;
  readonly tree: SpaceTree;
}

/** Finds operations of APIs among the pages of a site that a visitor sees. */
@Injectable()
export class SiteOperations {
  /** The pages of each tree that show an operation, by its id and by its line. */
  private readonly indexed = new WeakMap<SpaceTree, Promise<ReadonlyMap<string, IndexedPage>>>();

  constructor(
    private readonly search: SiteSearch,
    private readonly trees: SpaceTrees,
    private readonly contents: PageContents,
  ) {}

  /** The Markdown of an operation, by its id or by method and path as in `GET /pets`; undefined if no page shows it. */
  async find(site: SiteRequest, operation: string): Promise<string | undefined> {
    if (operation === '') return undefined;
    const [, method = '', path = ''] = METHOD_AND_PATH.exec(operation) ?? [];
    const line = path === '' ? undefined : lineOf(method, path);
    const wanted = { name: operation, line, path };
    const spaces: PlacedSpace[] = [];
    for (const row of site.visit.rows.siteSpaces) {
      const space = { row, tree: (await this.trees.of(site.visit, row)).tree };
      spaces.push(space);
      const found = (await this.indexOf(site, space)).get(line ?? operation);
      const text = found && (await this.excerpt(site, space, found.page, found.line));
      if (text !== undefined) return text;
    }
    const text = await this.amongHits(site, wanted);
    if (text !== undefined) return text;
    for (const space of spaces) {
      const written = await this.amongWritten(site, space, wanted);
      if (written !== undefined) return written;
    }
    return undefined;
  }

  private indexOf(site: SiteRequest, { row, tree }: PlacedSpace): Promise<ReadonlyMap<string, IndexedPage>> {
    const known = this.indexed.get(tree);
    if (known) return known;
    const made = this.index(site, row, tree);
    this.indexed.set(tree, made);
    made.catch(() => this.indexed.delete(tree));
    return made;
  }

  private async index(site: SiteRequest, row: SiteSpaceRow, tree: SpaceTree): Promise<Map<string, IndexedPage>> {
    const reading = this.trees.reading(site.visit, row);
    const index = new Map<string, IndexedPage>();
    for (const page of tree.documents) {
      if (page.item.props['computed'] === undefined || page.item.props['noIndex'] === true) continue;
      for (const { id, method, path } of await reading.operations(page.item)) {
        const found = { page, line: lineOf(method, path) };
        for (const key of id === undefined ? [found.line] : [found.line, id])
          if (!index.has(key)) index.set(key, found);
      }
    }
    return index;
  }

  /** In pages that have the words. */
  private async amongHits(site: SiteRequest, { name, line }: WantedOperation): Promise<string | undefined> {
    const hits = await this.search.ranked(searchedBy(site.visit), name, { mode: 'all' });
    for (const { space, page: hit } of hits.slice(0, FOUND_PAGES)) {
      const row = site.visit.rows.siteSpaces.find(({ id }) => id === space);
      const { tree } = row ? await this.trees.of(site.visit, row) : {};
      const page = tree?.byId.get(hit.id);
      if (!row || !tree || !page || documentKindOf(page.item) === 'tag') continue;
      // The excerpt of a section has the words that were looked for.
      const titles = hit.sections
        .filter(({ body }) => body.split(BETWEEN_IDS).includes(name))
        .map(({ title }) => title);
      const sections = await this.sections(site, { row, tree }, page);
      const found = sections.find((section) =>
        line === undefined
          ? NAMED.test(section) && titles.some((title) => section.startsWith(`## ${title}\n`))
          : section.includes(line),
      );
      if (found !== undefined) return placed(site, { row, tree }, page, found);
    }
    return undefined;
  }

  /** In written pages that show operations of specifications, whether search finds them or not. */
  private async amongWritten(
    site: SiteRequest,
    space: PlacedSpace,
    { name, line, path }: WantedOperation,
  ): Promise<string | undefined> {
    const { row, tree } = space;
    const place = { ...site, row, section: undefined };
    const listed = tree.documents.filter(
      ({ item }) => item.hash !== null && item.slug !== null && item.props['noIndex'] !== true,
    );
    const pages = (await this.contents.showingOperations(place, listed)).slice(0, WRITTEN_PAGES);
    const reading = this.trees.reading(site.visit, row);
    for (let start = 0; start < pages.length; start += PAGES_AT_ONCE) {
      const read = await this.contents.read(place, pages.slice(start, start + PAGES_AT_ONCE), { keep: false });
      for (const [id, { document }] of read) {
        const page = tree.byId.get(id);
        let shown = line === undefined ? undefined : { line, path };
        for (const [, slug = ''] of line === undefined ? document.matchAll(SPECIFICATIONS) : []) {
          const operation = await reading.operationWithId(slug, name);
          if (operation) shown ??= { line: lineOf(operation.method, operation.path), path: operation.path };
        }
        if (!page || !shown || !document.includes(JSON.stringify(shown.path))) continue;
        const text = await this.excerpt(site, space, page, shown.line);
        if (text !== undefined) return text;
      }
    }
    return undefined;
  }

  /** The part of a page that shows an operation; undefined if none does. */
  private async excerpt(
    site: SiteRequest,
    space: PlacedSpace,
    page: TreePage,
    line: string,
  ): Promise<string | undefined> {
    const found = (await this.sections(site, space, page)).find((section) => section.includes(line));
    return found === undefined ? undefined : placed(site, space, page, found);
  }

  /** The Markdown of a page: whole for a page of one operation, else by headings. */
  private async sections(site: SiteRequest, { row }: PlacedSpace, page: TreePage): Promise<string[]> {
    const [markdown = ''] = await this.contents.markdown({ ...site, row, section: undefined }, [page]);
    return documentKindOf(page.item) === 'operation' ? [markdown] : markdown.split(/^(?=## )/m);
  }
}

interface IndexedPage {
  readonly page: TreePage;
  readonly line: string;
}

const lineOf = (method: string, path: string): string => `\`${method.toUpperCase()} ${path}\``;

function placed(site: SiteRequest, { row, tree }: PlacedSpace, page: TreePage, text: string): string {
  return `${site.origin}${pagePath(site, row, tree, page)}\n\n${text.trimEnd()}`;
}
