import { Injectable } from '@nestjs/common';
import { ComputedPages, type ComputedReading, type UsedVersions } from '../../authoring/content/computed-pages.js';
import { ContentStore } from '../../authoring/content/content-store.js';
import { IntegrationBlocks } from '../../authoring/content/integration-blocks.js';
import { DocumentEvaluation } from '../../authoring/content/document-evaluation.js';
import { DocumentStore } from '../../authoring/content/document-store.js';
import { block, document, paragraph, plain } from '../../formats/document/build.js';
import type { ContentRef } from '../../formats/document/types.js';
import { sourceOfDerived } from '../../authoring/content/domain/computed/expansion.js';
import { compareSiblings, ROOT, type Item } from '../../authoring/content/domain/content-item.js';
import { indexPages, type PageIndex } from '../../authoring/content/domain/page-paths.js';
import { emojiCharacters } from '../../formats/markdown/emoji.js';
import { ReaderPages } from '../../authoring/content/reader-pages.js';
import type { Book, Chapter } from '../../formats/pdf/layout/book.js';
import type { Picture } from '../../formats/pdf/layout/canvas.js';
import { PdfFault } from '../../formats/pdf/layout/pdf-fault.js';
import type { QuestionHandler } from './pdf-painter.js';
import { targetOfUrl } from './page-reference-resolver.js';
import { PdfChapters, type BookAddresses, type BookScope } from './pdf-chapters.js';
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

/** The pages that the audience of PDFs sees, which several PDFs may share. */
export interface Shelf {
  readonly reading: ComputedReading;
  /** In the order of their siblings. */
  readonly pages: readonly Item[];
  readonly index: PageIndex;
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
    private readonly seenBy: ReaderPages,
    private readonly chapters: PdfChapters,
  ) {}

  /** Reads the pages among which those of a PDF are; for readers of a site, all of its PDFs have the same. */
  async shelf(wanted: PdfInputs, organizationId: string): Promise<Shelf> {
    const reading = this.computed.reading({ organizationId, point: wanted.point });
    const all = await this.readable(wanted, reading);
    return { reading, pages: [...all].sort(compareSiblings), index: indexPages(all) };
  }

  /** Throws `PdfFault` if the page does not exist or there are too many. */
  async open(
    wanted: PdfInputs,
    organizationId: string,
    madeAt: Date,
    addresses?: BookAddresses,
    shelf?: Shelf,
  ): Promise<OpenBook> {
    const { reading, pages: all, index } = shelf ?? (await this.shelf(wanted, organizationId));
    const pages = chaptersAmong(all, wanted);
    if (pages.length > MAX_PAGES)
      throw new PdfFault(`it would have more than ${MAX_PAGES} pages: ask for a part of them`);
    const chapters = pages.map(({ item, level }) => chapterOf(item, level, wanted.isAlone));
    const items = new Map(pages.map(({ item }) => [item.id, item]));
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
    const scope: BookScope = { wanted, organizationId, chapters: items, index, ...(addresses && { addresses }) };
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
      const page = await this.chapters.read(item, await this.jsonOf(item, wanted, reading, bodies), scope);
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
}

/** The pages of a PDF in their order, with their levels; throws `PdfFault` if the requested page is not among them. */
function chaptersAmong(sorted: readonly Item[], { page, isAlone, reader }: PdfInputs): { item: Item; level: number }[] {
  const children = new Map<string, Item[]>();
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

/** The place of a page in a book. A link has nothing to show but where it leads, which it does where it stands alone. */
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
