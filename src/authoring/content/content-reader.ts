import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Immutable } from '../../kernel/common/envelope.interceptor.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { FileUrls, hourBucket } from '../../kernel/platform/storage/file-urls.js';
import { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { publishedUrls, type PublishedSpaceUrls } from '../../workspace/spaces/spaces.schema.js';
import { PUBLISHED_JOIN } from '../../workspace/spaces/space-columns.js';
import type { ChangesBody, RevisionChangesQuery } from './changes.schema.js';
import { ContentChanges } from './content-changes.js';
import { ComputedPages, type ComputedReading, type FoundPage, type UsedVersions } from './computed-pages.js';
import { ContentStore, CURRENT_FILES_FROM, FILES_FROM, toItem, type ItemRow, type Point } from './content-store.js';
import type {
  ContentFlags,
  FileBody,
  FileListQuery,
  PageBody,
  PageReadQuery,
  ReusableContentBody,
} from './content.schema.js';
import { DocumentEvaluation } from './document-evaluation.js';
import { DocumentStore } from './document-store.js';
import { DOCUMENT_MARKDOWN } from './document-tasks.js';
import { sourceOfDerived } from './domain/computed/expansion.js';
import type { Evaluated } from '../../formats/document/evaluate.js';
import { SCHEMA_VERSION } from '../../formats/document/types.js';
import type { Item } from './domain/content-item.js';
import { indexPages, pathOf } from './domain/page-paths.js';
import { ContentLines, requestPoint, revisionPoint } from './content-lines.js';
import { MarkdownLinks } from './markdown-links.js';
import { PageRedirects, redirectPath } from './page-redirects.js';
import { ReaderPages } from './reader-pages.js';
import {
  appAddress,
  presentFile,
  presentPageAlone,
  presentReusable,
  presentTree,
  presentVariables,
  type ContentView,
} from './present-content.js';
import { serializeTitle } from './serialize-title.js';

/** The ids in the path of a content read. */
export interface ContentPath {
  readonly changeRequestId?: string;
  readonly revisionId?: string;
}

/** A point of a space's history, as reads use it. */
export interface ContentPlace {
  readonly point: Point;
  readonly space: SpaceAccess;
  readonly revisionId: string;
  /** Address of the place in the application. */
  readonly app: string;
  /** A revision named by its id, which never changes. */
  readonly fixed?: true;
}

interface PublishedAt {
  readonly path: string | null;
  readonly visibility: string | null;
}

interface Answer {
  readonly said: Immutable;
  readonly used: UsedVersions;
}

const CACHE_BYTES = 64 * 1024 ** 2;
const EMPTY_DOCUMENT = JSON.stringify({ object: 'document', data: { schemaVersion: SCHEMA_VERSION }, nodes: [] });

/** Reads pages, files and revisions: of the primary line, of change requests and of fixed revisions alike. */
@Injectable()
export class ContentReader {
  /** Cached responses: the content of a revision never changes, except by the specifications that it uses. */
  private readonly answers = new LRUCache<string, Answer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ said }, key) => said.bytes.length + 2 * key.length + 200,
  });

  constructor(
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly evaluation: DocumentEvaluation,
    private readonly lines: ContentLines,
    private readonly links: MarkdownLinks,
    private readonly semantic: ContentChanges,
    private readonly redirects: PageRedirects,
    private readonly computed: ComputedPages,
    private readonly readerPages: ReaderPages,
    private readonly files: FileUrls,
    private readonly workers: WorkerPool,
    private readonly addresses: Addresses,
    private readonly database: Database,
    private readonly lists: Pages,
    private readonly clock: Clock,
  ) {}

  /** The point that a path names; throws `notFound` if the space has no such change request or revision. */
  async at(space: SpaceAccess, { changeRequestId, revisionId }: ContentPath): Promise<ContentPlace> {
    if (changeRequestId !== undefined) {
      const request = await this.lines.request(space.id, changeRequestId);
      return {
        point: requestPoint(request),
        space,
        revisionId: request.revisionId,
        app: appAddress(this.addresses, space, request),
      };
    }
    if (revisionId !== undefined) {
      const revision = await this.lines.revision(space.id, revisionId);
      return {
        point: revisionPoint(space.id, revision),
        space,
        revisionId,
        app: appAddress(this.addresses, space, { revision: revisionId }),
        fixed: true,
      };
    }
    const point = { spaceId: space.id, line: null, sequence: 0, base: Number(space.sequence) };
    return { point, space, revisionId: space.revisionId, app: appAddress(this.addresses, space) };
  }

  /** A revision with everything except the bodies of its pages. */
  async revision(place: ContentPlace, flags: ContentFlags): Promise<Immutable> {
    const row = await this.lines.revision(place.space.id, place.revisionId);
    const mergedFrom =
      row.mergedFrom === null || place.space.reader
        ? undefined
        : await this.lines.shownRequest(place.space, row.mergedFrom);
    const published = await this.publishedUrls(place);
    return this.immutable(place, ['revision', flags, this.bucket(), mergedFrom, published], flags, async (reading) => {
      const items = await this.seen(
        place,
        await this.store.ofKinds(place.point, ['page', 'file', 'reusable', 'variable']),
      );
      const view = viewOf(place, flags);
      const variables = presentVariables(items);
      const byAge = items.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
      return JSON.stringify({
        object: 'revision',
        id: row.id,
        type: row.type,
        ...(mergedFrom && { mergedFrom }),
        parents: row.parents,
        pages: presentTree(reading ? await reading.expand(items) : items, view),
        files: byAge.flatMap((item) => (item.kind === 'file' ? [presentFile(item, this.files, view)] : [])),
        reusableContents: byAge.flatMap((item) => (item.kind === 'reusable' ? [presentReusable(item, view)] : [])),
        ...(Object.keys(variables).length > 0 && { variables }),
        createdAt: row.createdAt.toISOString(),
        ...(view.metadata && row.git !== null && { git: row.git }),
        urls: { app: place.app, ...published },
      });
    });
  }

  /** The page tree, without bodies. */
  async pages(place: ContentPlace, flags: ContentFlags): Promise<Immutable> {
    return this.immutable(place, ['pages', flags], flags, async (reading) => {
      const pages = await this.seen(place, await this.store.ofKinds(place.point, ['page']));
      return JSON.stringify({
        pages: presentTree(reading ? await reading.expand(pages) : pages, viewOf(place, flags)),
      });
    });
  }

  /** One page with its body, by id. */
  async page(place: ContentPlace, id: string, query: PageReadQuery): Promise<Immutable> {
    return this.immutable(place, ['page', id, query, this.bucketFor(query)], query, async (reading) => {
      return this.pageJson(place, await this.foundById(place, id, reading), query, reading);
    });
  }

  /** One page with its body, by its path or one that redirects to it; the path is not case-sensitive. */
  async pageAtPath(place: ContentPlace, path: string, query: PageReadQuery): Promise<Immutable> {
    const wanted = redirectPath(path);
    try {
      return await this.immutable(place, ['path', wanted, query, this.bucketFor(query)], query, async (reading) => {
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
          ? await this.successorOf(place.point, wanted)
          : undefined;
      if (id === undefined) throw error;
      return this.page(place, id, query);
    }
  }

  /**
   * The id of the page to which an old path leads, or a redirect of the space's source; `path` as returned by
   * `redirectPath`.
   */
  async successorOf(point: Point, path: string): Promise<string | undefined> {
    const former = await this.store.byFormerPath(point, path);
    if (former) return former.id;
    for (const { page: id, below } of await this.redirects.follow(point.spaceId, path)) {
      const above = await this.store.withAncestors(point, [id]);
      const page = above.find((item) => item.id === id);
      if (page && below === '') return id;
      const found = page && (await this.store.byFormerPath(point, `${pathOf(page, indexPages(above))}/${below}`));
      if (found) return found.id;
    }
    return undefined;
  }

  async fileList(place: ContentPlace, query: FileListQuery): Promise<Page<FileBody>> {
    const { point } = place;
    const isCurrent = point.line === null && !place.fixed;
    const page = await this.lists.list<ItemRow>(query, {
      scope: ['files', isCurrent ? point.spaceId : point],
      select: 'i.*',
      ...(isCurrent
        ? { from: CURRENT_FILES_FROM, values: [point.spaceId] }
        : { from: FILES_FROM, values: [point.spaceId, point.line, point.sequence, point.base], countsItself: true }),
      order: [
        { expression: 'i.created_at', type: 'timestamptz' },
        { expression: 'i.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.map((row) => presentFile(toItem(row), this.files, viewOf(place, query)));
  }

  async file(place: ContentPlace, id: string, flags: ContentFlags): Promise<FileBody> {
    const file = await this.store.get(place.point, 'file', id);
    if (!file) throw notFound('File');
    return presentFile(file, this.files, viewOf(place, flags));
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
  ): Promise<Immutable> {
    if (kind === 'page') {
      return this.immutable(place, ['document', id, evaluated], { computed: true }, async (reading) =>
        this.documentJson(place, (await this.foundById(place, id, reading)).page, evaluated, reading),
      );
    }
    const item = await this.needReusable(place, id);
    if (item.hash === null) return new Immutable(EMPTY_DOCUMENT, '"empty"');
    if (evaluated === 'false') return this.document(place.space.id, item.hash);
    return this.immutable(place, ['reusable document', id, evaluated], { computed: false }, () =>
      this.documentJson(place, item, evaluated),
    );
  }

  /** A document by its own id. */
  async document(spaceId: string, hash: string): Promise<Immutable> {
    const json = /^[0-9a-f]{64}$/.test(hash) ? (await this.documents.json(spaceId, [hash])).get(hash) : undefined;
    if (json === undefined) throw notFound('Document');
    return new Immutable(json, `"${hash}"`);
  }

  /** The changes of a revision compared with the previous one. */
  async changes(
    space: SpaceAccess,
    revisionId: string,
    { limit, metadata }: RevisionChangesQuery,
  ): Promise<ChangesBody> {
    const { mergedFrom, ...changes } = await this.semantic.ofRevision(space.id, revisionId, limit, metadata);
    return { ...(mergedFrom !== null && { mergedFrom: await this.lines.shownRequest(space, mergedFrom) }), ...changes };
  }

  /** The pages that the reader can see. */
  private async seen({ point, space: { reader } }: ContentPlace, items: readonly Item[]): Promise<readonly Item[]> {
    return reader ? this.readerPages.seen(point, reader, items) : items;
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
    const below = mayHavePages ? await this.seen(place, await this.store.descendants(place.point, [page.id])) : [];
    const shown = reading
      ? { page: await reading.described(page), below: await reading.expand(below) }
      : { page, below };
    const body: PageBody = presentPageAlone(shown.page, [...around, ...shown.below], viewOf(place, query));
    const json = JSON.stringify(body);
    if (page.type !== 'document') return json;
    const document = await this.documentJson(place, page, query.evaluated, reading);
    const part =
      query.format === 'markdown'
        ? `"markdown":${JSON.stringify(await this.markdown(place, { page, around }, document))}`
        : `"document":${document}`;
    return `${json.slice(0, -1)},${part}}`;
  }

  /** The document of a page or reusable content: computed, or as written. */
  private async documentJson(
    place: ContentPlace,
    item: Item,
    evaluated: Evaluated,
    reading?: ComputedReading,
  ): Promise<string> {
    const computed = await reading?.body(item);
    if (computed) return JSON.stringify(computed);
    const json =
      item.hash === null ? undefined : (await this.documents.json(place.space.id, [item.hash])).get(item.hash);
    if (json === undefined) return EMPTY_DOCUMENT;
    const { reader } = place.space;
    // Readers never receive the expressions themselves, nor content that conditions hide from them.
    return this.evaluation.evaluate(place.point, item, json, reader ? 'true' : evaluated, reader?.visitor);
  }

  private async markdown(place: ContentPlace, { page, around }: FoundPage, document: string): Promise<string> {
    const body = await this.workers.run(DOCUMENT_MARKDOWN, document);
    const title = serializeTitle(page.title);
    const links = await this.links.render(place.point, pathOf(page, indexPages(around)), body, (pages) =>
      this.seen(place, pages),
    );
    return links === '' ? title : `${title}\n${links}`;
  }

  /** The addresses of the current content for readers; drafts and old revisions are not published. */
  private async publishedUrls({ point, space, fixed }: ContentPlace): Promise<PublishedSpaceUrls> {
    if (fixed || point.line !== null) return {};
    const row = await this.database.one<PublishedAt>(
      `SELECT published.path, published.visibility FROM space s ${PUBLISHED_JOIN} WHERE s.id = $1`,
      [space.id],
    );
    return publishedUrls(row?.path ?? null, row?.visibility ?? null, this.addresses);
  }

  /** A response that depends only on its place and `what`, and on the specifications that were used for it. */
  private async immutable(
    place: ContentPlace,
    what: readonly unknown[],
    { computed }: Pick<ContentFlags, 'computed'>,
    make: (reading?: ComputedReading) => Promise<string>,
  ): Promise<Immutable> {
    const { line, sequence, base } = place.point;
    const facts = JSON.stringify([line, sequence, base, what, place.space.reader?.claimsKey]);
    const key = `${place.space.id} ${place.app} ${place.revisionId} ${facts}`;
    const known = this.answers.get(key);
    const specifications = { organizationId: place.space.organizationId, point: place.point };
    if (known && (known.used.size === 0 || (await this.computed.areCurrent(specifications, known.used))))
      return known.said;
    const reading = computed ? this.computed.reading(specifications) : undefined;
    const json = await make(reading);
    const used: UsedVersions = reading?.used ?? new Map();
    const versions = used.size === 0 ? '' : JSON.stringify([...used]);
    const hash = createHash('sha256')
      .update(facts + versions)
      .digest('base64url')
      .slice(0, 16);
    const said = new Immutable(json, `"${place.revisionId}.${hash}"`);
    this.answers.set(key, { said, used });
    return said;
  }

  private bucket(): number {
    return hourBucket(this.clock.now());
  }

  /** Markdown contains addresses of files, which change every hour. */
  private bucketFor(query: PageReadQuery): number {
    return query.format === 'markdown' ? this.bucket() : 0;
  }
}

function viewOf(place: ContentPlace, { metadata }: ContentFlags): ContentView {
  return { app: place.app, metadata: metadata && !place.space.reader };
}
