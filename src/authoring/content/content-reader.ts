import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';
import { hourBucket } from '../../kernel/platform/storage/file-urls.js';
import type { Evaluated } from '../../formats/document/evaluate.js';
import type { Document } from '../../formats/document/types.js';
import type { ComputedReading, FoundPage } from './computed-pages.js';
import { ContentCache, type Made } from './content-cache.js';
import { viewOf, type ContentPlace } from './content-places.js';
import { ContentStore } from './content-store.js';
import type { ContentFlags, PageBody, PageReadQuery, PagesQuery, ReusableContentBody } from './content.schema.js';
import { DocumentRenderer, EMPTY_DOCUMENT } from './document-renderer.js';
import type { Item } from './domain/content-item.js';
import { tagKeysOf } from './domain/tags.js';
import { PageParts } from './page-parts.js';
import { PageRedirectResolver } from './page-redirect-resolver.js';
import { redirectPath } from './page-redirects.js';
import { PageTrees } from './page-trees.js';
import { presentPageAlone, presentReusable } from './present-content.js';
import { ReaderPages } from './reader-pages.js';
import type { PageFamily } from './recent-changes.js';

/** Reads of pages and reusable contents: of the primary line, of change requests and of fixed revisions alike. */
@Injectable()
export class ContentReader {
  constructor(
    private readonly store: ContentStore,
    private readonly documents: DocumentRenderer,
    private readonly redirects: PageRedirectResolver,
    private readonly readerPages: ReaderPages,
    private readonly trees: PageTrees,
    private readonly parts: PageParts,
    private readonly cache: ContentCache,
    private readonly clock: Clock,
  ) {}

  /** The page tree, without bodies; only the pages with some tags if tags are given. */
  async pages(place: ContentPlace, query: PagesQuery): Promise<Immutable> {
    return this.cache.get(place, ['pages', query], query, async (reading) => {
      const { roots } = await this.trees.shown(place, reading, query.tags);
      return this.parts.inside({ pages: [] }, roots, viewOf(place, query));
    });
  }

  /** One page with its body, by id. */
  async page(place: ContentPlace, id: string, query: PageReadQuery): Promise<Immutable> {
    return this.cache.aboutPage(place, ['page', id, query, this.bucketFor(query)], query, async (reading) => {
      const isSeen = await this.isVisible(place, id);
      const found = isSeen ? ((await this.store.family(place.point, id)) ?? (await reading?.byId(id))) : undefined;
      if (!found) throw notFound('Page');
      return this.madeOf(place, found, query, reading);
    });
  }

  /** The addresses of a page elsewhere. */
  async metaLinks(place: ContentPlace, id: string): Promise<Immutable> {
    return this.cache.get(place, ['meta links', id], { computed: true }, async (reading) =>
      JSON.stringify((await this.visibleById(place, id, reading)).page.props['metaLinks'] ?? {}),
    );
  }

  /** One page with its body, by its path or one that redirects to it; the path is not case-sensitive. */
  async pageAtPath(place: ContentPlace, path: string, query: PageReadQuery): Promise<Immutable> {
    const wanted = redirectPath(path);
    try {
      return await this.cache.aboutPage(
        place,
        ['path', wanted, query, this.bucketFor(query)],
        query,
        async (reading) => {
          const page = (await this.store.byPaths(place.point, [wanted])).get(wanted);
          const found = page ? await this.store.family(place.point, page.id) : await reading?.byPath(wanted);
          if (!found || !(await this.isVisible(place, found.page.id))) throw notFound('Page');
          return this.madeOf(place, found, query, reading);
        },
      );
    } catch (error) {
      // Revisions never change, so mutable redirects do not apply to them.
      const id =
        error instanceof DomainError && error.code === 'notFound' && !place.fixed
          ? await this.redirects.resolve(place.point, wanted)
          : undefined;
      if (id === undefined) throw error;
      return this.page(place, id, query);
    }
  }

  async reusable(place: ContentPlace, id: string, flags: ContentFlags): Promise<ReusableContentBody> {
    return presentReusable(await this.needReusable(place, id), viewOf(place, flags));
  }

  /** The document of a page or reusable content at a point. */
  async documentOf(
    place: ContentPlace,
    kind: 'page' | 'reusable',
    id: string,
    evaluated: Evaluated,
    computed = true,
  ): Promise<Immutable> {
    if (kind === 'page') {
      return this.cache.get(place, ['document', id, evaluated, computed], { computed }, async (reading) =>
        this.documents.withIds(
          await this.documents.json(place, (await this.visibleById(place, id, reading)).page, evaluated, reading),
        ),
      );
    }
    const item = await this.needReusable(place, id);
    if (item.hash === null) return new Immutable(EMPTY_DOCUMENT, '"empty"');
    if (evaluated === 'false' && !place.space.reader) return this.documents.stored(place.space.id, item.hash);
    return this.cache.get(place, ['reusable document', id, evaluated], { computed: false }, async () =>
      this.documents.withIds(await this.documents.json(place, item, evaluated)),
    );
  }

  /**
   * A document of the space as it is written, by its own id; for a caller from whom pages are hidden, one that a page or
   * reusable content has now.
   */
  async storedDocument({ point, space }: ContentPlace, hash: string): Promise<Immutable> {
    const isSeen =
      point.hidden.length === 0 || (isDocumentId(hash) && (await this.store.withHash(point, hash)).length > 0);
    if (!isSeen) throw notFound('Document');
    return this.documents.stored(space.id, hash);
  }

  /** The document with an id that a page or reusable content has now, as a reader may see it. */
  async documentWithId(place: ContentPlace, hash: string): Promise<Immutable> {
    const items = isDocumentId(hash) ? await this.store.withHash(place.point, hash) : [];
    for (const item of items) {
      if (item.kind === 'reusable') return this.documentOf(place, 'reusable', item.id, 'true');
      if (await this.isVisible(place, item.id)) return this.documentOf(place, 'page', item.id, 'true', false);
    }
    throw notFound('Document');
  }

  private async needReusable(place: ContentPlace, id: string): Promise<Item> {
    const item = await this.store.get(place.point, 'reusable', id);
    if (!item) throw notFound('Reusable content');
    return item;
  }

  private async isVisible({ point, space: { reader } }: ContentPlace, pageId: string): Promise<boolean> {
    return reader === undefined || this.readerPages.sees(point, reader, pageId);
  }

  /** A page that whoever reads the place may see. */
  private async visibleById(place: ContentPlace, id: string, reading?: ComputedReading): Promise<FoundPage> {
    if (!(await this.isVisible(place, id))) throw notFound('Page');
    return this.foundById(place, id, reading);
  }

  private async foundById(place: ContentPlace, id: string, reading?: ComputedReading): Promise<FoundPage> {
    const around = await this.store.withAncestors(place.point, [id]);
    const page = around.find((item) => item.id === id);
    const found = page ? { page, around } : await reading?.byId(id);
    if (!found) throw notFound('Page');
    return found;
  }

  private async madeOf(
    place: ContentPlace,
    found: FoundPage,
    query: PageReadQuery,
    reading?: ComputedReading,
  ): Promise<Made> {
    const body = await this.pageJson(place, found, query, reading);
    // Markdown has the paths of the pages to which it links.
    return query.format === 'markdown' ? { body } : { body, family: familyOf(found) };
  }

  private async pageJson(
    place: ContentPlace,
    { page, around, below: known = [] }: FoundPage,
    query: PageReadQuery,
    reading?: ComputedReading,
  ): Promise<string> {
    const below = await this.readerPages.seen(place.point, place.space.reader, known);
    const shown = reading
      ? { page: await reading.described(page), below: await reading.expand(below) }
      : { page, below };
    const tags = await this.store.byKeys(place.point, tagKeysOf([page, ...below]));
    const items = [...around, ...shown.below, ...tags.values()];
    const body: PageBody = presentPageAlone(shown.page, items, viewOf(place, query));
    const json = JSON.stringify(body);
    if (page.type !== 'document') return json;
    const whole = await this.documents.json(place, page, query.evaluated, reading);
    const document = query.block === undefined ? whole : onlyBlock(whole, query.block);
    const part =
      query.format === 'markdown'
        ? `"markdown":${JSON.stringify(await this.documents.markdown(place, { page, around }, document))}`
        : `"document":${await this.documents.withIds(document)}`;
    return `${json.slice(0, -1)},${part}}`;
  }

  /** Markdown holds addresses of files, which change every hour. */
  private bucketFor(query: PageReadQuery): number {
    return query.format === 'markdown' ? hourBucket(this.clock.now()) : 0;
  }
}

/** A document, as JSON, with one of its blocks alone. Throws `notFound` where there is no block with this key. */
function onlyBlock(json: string, block: string): string {
  const document = JSON.parse(json) as Document;
  const nodes = document.nodes.filter(({ key }) => key === block);
  if (nodes.length === 0) throw notFound('Block');
  return JSON.stringify({ ...document, nodes });
}

function familyOf({ page, around, below = [] }: FoundPage): PageFamily {
  return { above: new Set(around.map(({ id }) => id)), own: new Set([page.id, ...below.map(({ id }) => id)]) };
}

const isDocumentId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
