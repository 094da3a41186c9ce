import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { ComputedPages, type ComputedReading, type UsedVersions } from '../../authoring/content/computed-pages.js';
import { ContentStore } from '../../authoring/content/content-store.js';
import { IntegrationBlocks } from '../../authoring/content/integration-blocks.js';
import { DocumentEvaluation } from '../../authoring/content/document-evaluation.js';
import { DocumentStore } from '../../authoring/content/document-store.js';
import { block, document, paragraph, plain } from '../../formats/document/build.js';
import { referencesIn } from '../../formats/document/derive.js';
import type { ContentRef, Document } from '../../formats/document/types.js';
import { sourceOfDerived } from '../../authoring/content/domain/computed/expansion.js';
import { compareSiblings, ROOT, type Item } from '../../authoring/content/domain/content-item.js';
import { indexPages, pathOf, type PageIndex } from '../../authoring/content/domain/page-paths.js';
import { emojiCharacters } from '../../formats/markdown/emoji.js';
import { ReaderPages } from '../../authoring/content/reader-pages.js';
import { isOwn, ReusedDocuments } from '../../authoring/content/reused-documents.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import { chapterFacts, type ChapterFacts } from './chapter-facts.js';
import type { Book, Chapter } from '../../formats/pdf/layout/book.js';
import type { Picture } from '../../formats/pdf/layout/canvas.js';
import { PdfFault } from '../../formats/pdf/layout/pdf-fault.js';
import type { QuestionHandler } from './pdf-painter.js';
import { PageReferenceResolver, targetOfUrl, type Elsewhere } from './page-reference-resolver.js';
import type { PdfInputs } from './pdf-cache-key.js';

/** Maximum number of pages of one PDF. */
const MAX_PAGES = 10_000;
/** Maximum number of bodies in memory at once. */
const BODIES_AT_ONCE = 25;

/** A book, and the versions of the specifications that it has used so far. */
export interface OpenBook {
  readonly book: Omit<Book, 'body'>;
  /** Provides the painting thread with pages in their order, and with the images of the last one. */
  readonly answer: QuestionHandler;
  readonly used: UsedVersions;
}

/** Reads the content of PDFs: only from the space itself, and only at the requested point. */
@Injectable()
export class PdfBooks {
  constructor(
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
    private readonly computed: ComputedPages,
    private readonly evaluation: DocumentEvaluation,
    private readonly integrations: IntegrationBlocks,
    private readonly reused: ReusedDocuments,
    private readonly database: Database,
    private readonly storage: FileStorage,
    private readonly files: FileUrls,
    private readonly seenBy: ReaderPages,
    private readonly addresses: Addresses,
  ) {}

  /** Throws `PdfFault` if the page does not exist or there are too many. */
  async open(wanted: PdfInputs, organizationId: string, madeAt: Date): Promise<OpenBook> {
    const reading = this.computed.reading({ organizationId, point: wanted.point });
    const all = await this.readable(wanted, reading);
    const pages = chaptersAmong(all, wanted);
    if (pages.length > MAX_PAGES)
      throw new PdfFault(`it would have more than ${MAX_PAGES} pages: ask for a part of them`);
    const chapters = pages.map(({ item, level }) => chapterOf(item, level, wanted.isAlone));
    const items = new Map(pages.map(({ item }) => [item.id, item]));
    const index = indexPages(all);
    const bodies = new ChapterBodies(
      pages.map(({ item }) => item),
      (hashes) => this.documents.json(wanted.point.spaceId, hashes, { keep: false }),
    );
    const book: Omit<Book, 'body'> = {
      title: wanted.title,
      ...(wanted.subtitle !== undefined && { subtitle: wanted.subtitle }),
      language: wanted.language,
      madeAt,
      chapters,
      hasFront: !wanted.isAlone,
    };
    const scope: Scope = { wanted, organizationId, chapters: items, index };
    let pictures: ReadonlyMap<string, Picture> = new Map();
    const answer: QuestionHandler = async (question) => {
      // An image that cannot be loaded counts as missing.
      if ('picture' in question)
        return pictures
          .get(question.picture)
          ?.load()
          .catch(() => undefined);
      const item = items.get(question.chapter);
      if (!item) throw new Error('the chapter is not of this book');
      const page = await this.page(item, await this.jsonOf(item, wanted, reading, bodies), scope);
      pictures = page.pictures;
      return page.facts;
    };
    return { book, answer, used: reading.used };
  }

  /**
   * The pages that the audience of a PDF can see, as far as it may need them. For readers of a site, hidden pages are
   * only reachable by address.
   */
  private async readable({ point, page, isAlone, reader }: PdfInputs, reading: ComputedReading): Promise<Item[]> {
    if (reader) {
      const pages = await reading.expand(await this.store.ofKinds(point, ['page']));
      return this.seenBy.seen(point, { visitor: reader.visitor, claimsKey: '' }, pages);
    }
    const root = page === undefined ? undefined : await this.store.get(point, 'page', page);
    return reading.expand(
      root && root.type !== 'computed'
        ? [root, ...(isAlone ? [] : await this.store.descendants(point, [root.id]))]
        : await this.store.ofKinds(point, ['page']),
    );
  }

  private async jsonOf(
    item: Item,
    { point, reader }: PdfInputs,
    reading: ComputedReading,
    bodies: ChapterBodies,
  ): Promise<string> {
    if (item.type === 'computed')
      return JSON.stringify(
        document([paragraph(plain('This page is computed from a specification that is not there.'))]),
      );
    if (item.type === 'link')
      return JSON.stringify(document([block('content-ref', { ref: item.props['target'] as ContentRef })]));
    const computed = await reading.body(item);
    if (computed) return JSON.stringify(computed);
    const json = await bodies.of(item);
    if (json === undefined) return JSON.stringify(document([]));
    // Reader-dependent expressions stay as written if a PDF has many readers.
    const evaluated = reader
      ? this.evaluation.evaluate(point, item, json, 'true', reader.visitor)
      : this.evaluation.evaluate(point, item, json, 'deterministic-only');
    return this.integrations.rendered(await evaluated);
  }

  /** A page with its references, and its images by hash. */
  private async page(
    item: Item,
    json: string,
    scope: Scope,
  ): Promise<{ readonly facts: ChapterFacts; readonly pictures: ReadonlyMap<string, Picture> }> {
    const cover = (item.props['cover'] as { ref?: ContentRef } | undefined)?.ref;
    const { point, reader } = scope.wanted;
    const direct = [...referencesIn(JSON.parse(json) as Document), ...(cover ? [cover] : [])];
    const reusables = await this.reused.of(
      direct,
      point,
      reader ? { evaluated: 'true', visitor: reader.visitor } : { evaluated: 'deterministic-only' },
    );
    const references = direct.concat(...[...reusables.values()].map(referencesIn));
    const wanted = references
      .filter((ref) => isOwn(ref, point.spaceId))
      .flatMap((ref) =>
        ref.kind === 'file'
          ? [`file:${ref.file}` as const]
          : !reader && 'page' in ref && ref.page !== undefined && !scope.chapters.has(ref.page)
            ? [`page:${ref.page}` as const]
            : [],
      );
    const items = await this.store.byKeys(point, wanted);
    const surroundings = new PageReferenceResolver({
      spaceId: point.spaceId,
      page: item.id,
      chapters: scope.chapters,
      items,
      elsewhere: (id) =>
        reader
          ? elsewhere(scope.index.get(id), (page) => `${reader.home}/${encodeURI(pathOf(page, scope.index))}`)
          : elsewhere(items.get(`page:${id}`), () => `${scope.wanted.app}/~/pages/${id}`),
      reusables,
      names: scope.wanted.showsNames ? await this.names(scope.organizationId, references) : new Map(),
      fileAddress: (file) => (reader?.hasOpenFiles === true ? this.files.open(file) : this.files.sign(file)),
      appAddress: (path) => (reader ? undefined : this.addresses.app(path)),
      storage: this.storage,
    });
    const picture = cover && surroundings.picture(cover);
    const pictures = [picture, ...references.map((ref) => surroundings.picture(ref))].flatMap((each) =>
      each ? [[each.hash, each] as const] : [],
    );
    return {
      facts: chapterFacts(json, { surroundings, ...(picture && { cover: picture }) }, references),
      pictures: new Map(pictures),
    };
  }

  /** The names of members of the organization. */
  private async names(organizationId: string, references: readonly ContentRef[]): Promise<Map<string, string>> {
    const ids = references.flatMap((ref) => (ref.kind === 'user' ? [ref.user] : []));
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; name: string }>(
      'SELECT u.id, u.display_name AS name FROM account u JOIN member m ON m.user_id = u.id AND m.organization_id = $1 WHERE u.id = ANY ($2::text[])',
      [organizationId, [...new Set(ids)]],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

interface Scope {
  readonly wanted: PdfInputs;
  readonly organizationId: string;
  readonly chapters: ReadonlyMap<string, Item>;
  /** Pages to which readers of a site may be linked, including those that are not in the PDF. */
  readonly index: PageIndex;
}

/** The pages of a PDF in their order, with their levels; throws `PdfFault` if the requested page is not among them. */
function chaptersAmong(items: readonly Item[], { page, isAlone, reader }: PdfInputs): { item: Item; level: number }[] {
  const children = new Map<string, Item[]>();
  const sorted = [...items].sort(compareSiblings);
  for (const item of sorted) {
    const siblings = children.get(item.parentId);
    if (siblings) siblings.push(item);
    else children.set(item.parentId, [item]);
  }
  const found: { item: Item; level: number }[] = [];
  const add = (item: Item, level: number): void => {
    if (reader && item.props['hidden'] === true && item.id !== page) return;
    found.push({ item, level });
    if (!isAlone) for (const child of children.get(item.id) ?? []) add(child, level + 1);
  };
  if (page === undefined) for (const item of children.get(ROOT) ?? []) add(item, 0);
  else
    for (const item of sorted)
      if (item.id === page || (sourceOfDerived(item.id) === page && sourceOfDerived(item.parentId) === undefined))
        add(item, 0);
  if (page !== undefined && found.length === 0) throw new PdfFault('the page no longer exists');
  return found;
}

function elsewhere(page: Item | undefined, addressOf: (page: Item) => string): Elsewhere | undefined {
  return page && { title: page.title, url: addressOf(page) };
}

/** The chapter of a page in a book. A link has no content but its target, which it shows if it is the only page. */
function chapterOf(item: Item, level: number, isAlone: boolean): Chapter {
  const { description, emoji, target } = item.props as { description?: string; emoji?: string; target?: ContentRef };
  const sign = (emoji !== undefined && emojiCharacters(emoji)) || '';
  const address =
    target?.kind === 'url' ? targetOfUrl(target.url) : target?.kind === 'page' ? { place: target.page } : undefined;
  return {
    id: item.id,
    title: `${sign}${sign === '' ? '' : ' '}${item.title}`,
    level,
    kind: item.type === 'group' ? 'group' : item.type === 'link' && !isAlone ? 'link' : 'page',
    ...(description !== undefined && { description }),
    ...(address && { target: address }),
  };
}

/** The stored bodies of pages that are requested in their order; only some of them are in memory. */
class ChapterBodies {
  private loaded: ReadonlyMap<string, string> = new Map();
  private next = 0;

  constructor(
    private readonly items: readonly Item[],
    private readonly load: (hashes: string[]) => Promise<Map<string, string>>,
  ) {}

  async of({ hash }: Item): Promise<string | undefined> {
    if (hash === null) return undefined;
    while (!this.loaded.has(hash) && this.next < this.items.length) {
      const batch = this.items.slice(this.next, this.next + BODIES_AT_ONCE);
      this.next += BODIES_AT_ONCE;
      this.loaded = await this.load(batch.flatMap((item) => item.hash ?? []));
    }
    return this.loaded.get(hash);
  }
}
