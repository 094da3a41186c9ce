import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';
import { hourBucket } from '../../kernel/platform/storage/file-urls.js';
import type { Evaluated } from '../../formats/document/evaluate.js';
import type { ComputedReading, FoundPage } from './computed-pages.js';
import { ContentCache } from './content-cache.js';
import { viewOf, type ContentPlace } from './content-places.js';
import { ContentStore } from './content-store.js';
import type { ContentFlags, PageBody, PageReadQuery, ReusableContentBody } from './content.schema.js';
import { DocumentRenderer, EMPTY_DOCUMENT } from './document-renderer.js';
import { sourceOfDerived } from './domain/computed/expansion.js';
import type { Item } from './domain/content-item.js';
import { PageRedirectResolver } from './page-redirect-resolver.js';
import { redirectPath } from './page-redirects.js';
import { presentPageAlone, presentReusable, presentTree } from './present-content.js';
import { ReaderPages } from './reader-pages.js';

/** Reads of pages and reusable contents: of the primary line, of change requests and of fixed revisions alike. */
@Injectable()
export class ContentReader {
  constructor(
    private readonly store: ContentStore,
    private readonly documents: DocumentRenderer,
    private readonly redirects: PageRedirectResolver,
    private readonly readerPages: ReaderPages,
    private readonly cache: ContentCache,
    private readonly clock: Clock,
  ) {}

  /** The page tree, without bodies. */
  async pages(place: ContentPlace, flags: ContentFlags): Promise<Immutable> {
    return this.cache.get(place, ['pages', flags], flags, async (reading) => {
      const pages = await this.readerPages.seen(
        place.point,
        place.space.reader,
        await this.store.ofKinds(place.point, ['page']),
      );
      return JSON.stringify({
        pages: presentTree(reading ? await reading.expand(pages) : pages, viewOf(place, flags)),
      });
    });
  }

  /** One page with its body, by id. */
  async page(place: ContentPlace, id: string, query: PageReadQuery): Promise<Immutable> {
    return this.cache.get(place, ['page', id, query, this.bucketFor(query)], query, async (reading) => {
      return this.pageJson(place, await this.foundById(place, id, reading), query, reading);
    });
  }

  /** One page with its body, by its path or one that redirects to it; the path is not case-sensitive. */
  async pageAtPath(place: ContentPlace, path: string, query: PageReadQuery): Promise<Immutable> {
    const wanted = redirectPath(path);
    try {
      return await this.cache.get(place, ['path', wanted, query, this.bucketFor(query)], query, async (reading) => {
        const page = (await this.store.byPaths(place.point, [wanted])).get(wanted);
        const found = page
          ? { page, around: await this.store.withAncestors(place.point, [page.id]) }
          : await reading?.byPath(wanted);
        if (!found) throw notFound('Page');
        return this.pageJson(place, found, query, reading);
      });
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
        this.documents.json(place, (await this.foundById(place, id, reading)).page, evaluated, reading),
      );
    }
    const item = await this.needReusable(place, id);
    if (item.hash === null) return new Immutable(EMPTY_DOCUMENT, '"empty"');
    if (evaluated === 'false') return this.documents.stored(place.space.id, item.hash);
    return this.cache.get(place, ['reusable document', id, evaluated], { computed: false }, () =>
      this.documents.json(place, item, evaluated),
    );
  }

  private async needReusable(place: ContentPlace, id: string): Promise<Item> {
    const item = await this.store.get(place.point, 'reusable', id);
    if (!item) throw notFound('Reusable content');
    return item;
  }

  private async foundById(place: ContentPlace, id: string, reading?: ComputedReading): Promise<FoundPage> {
    const around = await this.store.withAncestors(place.point, [id]);
    const page = around.find((item) => item.id === id);
    const found = page ? { page, around } : await reading?.byId(id);
    if (!found) throw notFound('Page');
    return found;
  }

  private async pageJson(
    place: ContentPlace,
    { page, around }: FoundPage,
    query: PageReadQuery,
    reading?: ComputedReading,
  ): Promise<string> {
    const mayHavePages = (page.type === 'document' || page.type === 'group') && sourceOfDerived(page.id) === undefined;
    const { reader } = place.space;
    if (reader && !(await this.readerPages.sees(place.point, reader, page.id))) throw notFound('Page');
    const below = mayHavePages
      ? await this.readerPages.seen(
          place.point,
          place.space.reader,
          await this.store.descendants(place.point, [page.id]),
        )
      : [];
    const shown = reading
      ? { page: await reading.described(page), below: await reading.expand(below) }
      : { page, below };
    const body: PageBody = presentPageAlone(shown.page, [...around, ...shown.below], viewOf(place, query));
    const json = JSON.stringify(body);
    if (page.type !== 'document') return json;
    const document = await this.documents.json(place, page, query.evaluated, reading);
    const part =
      query.format === 'markdown'
        ? `"markdown":${JSON.stringify(await this.documents.markdown(place, { page, around }, document))}`
        : `"document":${document}`;
    return `${json.slice(0, -1)},${part}}`;
  }

  /** Markdown holds addresses of files, which change every hour. */
  private bucketFor(query: PageReadQuery): number {
    return query.format === 'markdown' ? hourBucket(this.clock.now()) : 0;
  }
}
