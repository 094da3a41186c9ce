import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { ComputedPages } from '../../authoring/content/computed-pages.js';
import { ContentStore, CURRENT_SEQUENCE, type Point } from '../../authoring/content/content-store.js';
import { indexPages, pathOf } from '../../authoring/content/domain/page-paths.js';
import type { Item } from '../../authoring/content/domain/content-item.js';
import { primaryPoint } from '../../authoring/content/content-lines.js';

/** The part of a site's space that its pages need. */
export interface PageSpace {
  readonly id: string;
  readonly organizationId: string;
}

/** Finds pages in the current content of spaces, including computed ones, without limited pages, which no site shows. */
@Injectable()
export class PagePlaces {
  constructor(
    private readonly database: Database,
    private readonly store: ContentStore,
    private readonly computed: ComputedPages,
  ) {}

  /** The path of a page; undefined for one that does not exist or has no address. */
  async pathOf(space: PageSpace, pageId: string): Promise<string | undefined> {
    const point = await this.headOf(space);
    const items = await this.store.withAncestors(point, [pageId]);
    const page = items.find(({ id }) => id === pageId);
    if (page) return addressOf(page, items);
    const found = await this.reading(space, point).byId(pageId);
    return found && addressOf(found.page, [found.page, ...found.around]);
  }

  /** Those of the pages that exist and have an address. */
  async withAddress(space: PageSpace, pageIds: readonly string[]): Promise<Set<string>> {
    const point = await this.headOf(space);
    const written = await this.store.withAncestors(point, pageIds);
    const found = new Set(written.filter(({ slug }) => slug !== null).map(({ id }) => id));
    const reading = this.reading(space, point);
    for (const id of new Set(pageIds)) {
      // Only the ids of computed pages cost a statement here.
      const computed = found.has(id) ? undefined : await reading.byId(id);
      if (computed && computed.page.slug !== null) found.add(id);
    }
    return new Set(pageIds.filter((id) => found.has(id)));
  }

  /** The current or former page at a path in lower case, with its current path; undefined if there is none. */
  async pageAt(space: PageSpace, path: string): Promise<{ readonly id: string; readonly path: string } | undefined> {
    const point = await this.headOf(space);
    const page =
      (await this.store.byPaths(point, [path])).get(path) ?? (await this.reading(space, point).byPath(path))?.page;
    if (page) return { id: page.id, path };
    const former = await this.store.byFormerPath(point, path);
    const now = former && (await this.pathOf(space, former.id));
    return former && now !== undefined ? { id: former.id, path: now } : undefined;
  }

  /** The ids of the pages at paths of one space in lower case, by path. */
  async idsAt(space: PageSpace, paths: readonly string[]): Promise<Map<string, string>> {
    const found = await this.store.byPaths(await this.headOf(space), paths);
    return new Map([...found].map(([path, page]) => [path, page.id]));
  }

  private reading({ organizationId }: PageSpace, point: Point) {
    return this.computed.reading({ organizationId, point });
  }

  /** The current primary line, whatever its revision. */
  private async headOf({ id }: PageSpace): Promise<Point> {
    const row = await this.database.one<{ limited: readonly string[] }>('SELECT limited_pages($1) AS limited', [id]);
    return primaryPoint({ spaceId: id, sequence: CURRENT_SEQUENCE }, row?.limited ?? []);
  }
}

function addressOf(page: Item, around: readonly Item[]): string | undefined {
  return page.slug === null ? undefined : pathOf(page, indexPages(around));
}
