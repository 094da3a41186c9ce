import { Injectable } from '@nestjs/common';
import { ContentStore, NOTHING_HIDDEN, type Point } from '../content/content-store.js';
import { DocumentStore } from '../content/document-store.js';
import type { Document } from '../../formats/document/types.js';
import { compareSiblings, ROOT, type Item } from '../content/domain/content-item.js';
import { indexPages, pathOf, type PageIndex } from '../content/domain/page-paths.js';
import { ContentLines, primaryPoint, requestPoint, revisionPoint } from '../content/content-lines.js';

/** A line of a space at one moment. */
export interface LineFacts {
  readonly revisionId: string;
  readonly language: string | null;
}

/** All content of a line of a space at one moment, without the content of its documents. */
export class SpaceOutline {
  readonly revisionId: string;
  readonly language: string | null;
  /** In the order of the table of contents: each page before its children. */
  readonly pages: readonly Item[];
  readonly files: readonly Item[];
  readonly reusables: readonly Item[];
  readonly variables: readonly Item[];
  readonly tags: readonly Item[];
  private readonly index: PageIndex;
  private readonly byParent = new Map<string, Item[]>();

  constructor({ revisionId, language }: LineFacts, items: readonly Item[]) {
    this.revisionId = revisionId;
    this.language = language;
    // The database answers in any order, and what is written from this must be the same each time.
    const sorted = items.toSorted(compareSiblings);
    const of = (kind: Item['kind']): Item[] => sorted.filter((item) => item.kind === kind);
    [this.files, this.reusables, this.variables, this.tags] = [of('file'), of('reusable'), of('variable'), of('tag')];
    for (const page of of('page')) {
      const siblings = this.byParent.get(page.parentId);
      if (siblings) siblings.push(page);
      else this.byParent.set(page.parentId, [page]);
    }
    this.pages = this.descendants(ROOT);
    this.index = indexPages(this.pages);
  }

  /** The child pages of a page, or of the root, in order. */
  children(parentId: string = ROOT): readonly Item[] {
    return this.byParent.get(parentId) ?? [];
  }

  path(page: Item): string {
    return pathOf(page, this.index);
  }

  private descendants(parentId: string): Item[] {
    return this.children(parentId).flatMap((page) => [page, ...this.descendants(page.id)]);
  }
}

/** All content with all documents, for comparing small spaces. */
export class SpaceContent extends SpaceOutline {
  constructor(
    line: LineFacts,
    items: readonly Item[],
    private readonly documents: ReadonlyMap<string, Document>,
  ) {
    super(line, items);
  }

  /** The document of a page or reusable content; null if it is empty. */
  document(item: Item): Document | null {
    return item.hash === null ? null : (this.documents.get(item.hash) ?? null);
  }
}

/** Reads whole spaces, for export and for imports into existing spaces; a few queries whatever the size. */
@Injectable()
export class SpaceContents {
  constructor(
    private readonly lines: ContentLines,
    private readonly store: ContentStore,
    private readonly documentStore: DocumentStore,
  ) {}

  /** The content of the primary line or a change request, without documents; throws `notFound`. */
  async outline(spaceId: string, changeRequest?: string): Promise<SpaceOutline> {
    const [line, items] = await this.items(spaceId, changeRequest);
    return new SpaceOutline(line, items);
  }

  /** The content of the primary line at one of its revisions, without documents; throws `notFound`. */
  async outlineAt(spaceId: string, revisionId: string): Promise<SpaceOutline> {
    const { language } = await this.lines.primary(spaceId);
    const revision = await this.lines.revision(spaceId, revisionId);
    const items = await this.itemsOf(revisionPoint(spaceId, revision, NOTHING_HIDDEN));
    return new SpaceOutline({ revisionId, language }, items);
  }

  /** The content of the primary line, all of it in memory; throws `notFound`. */
  async read(spaceId: string): Promise<SpaceContent> {
    const [line, items] = await this.items(spaceId);
    return new SpaceContent(line, items, await this.documents(spaceId, items));
  }

  /** The documents of some pages and reusable contents, by hash. */
  async documents(spaceId: string, items: readonly Item[]): Promise<Map<string, Document>> {
    const texts = await this.documentTexts(spaceId, items);
    return new Map([...texts].map(([hash, json]) => [hash, JSON.parse(json) as Document]));
  }

  /** The documents as JSON. */
  documentTexts(spaceId: string, items: readonly Item[]): Promise<ReadonlyMap<string, string>> {
    const hashes = items.flatMap((item) =>
      item.hash !== null && (item.kind === 'page' || item.kind === 'reusable') ? [item.hash] : [],
    );
    return this.documentStore.json(spaceId, hashes, { keep: false });
  }

  private async items(spaceId: string, changeRequest?: string): Promise<[LineFacts, Item[]]> {
    const [line, point] =
      changeRequest === undefined ? await this.primary(spaceId) : await this.request(spaceId, changeRequest);
    return [line, await this.itemsOf(point)];
  }

  private itemsOf(point: Point): Promise<Item[]> {
    return this.store.ofKinds(point, ['page', 'file', 'reusable', 'variable', 'tag']);
  }

  private async primary(spaceId: string): Promise<[LineFacts, Point]> {
    const head = await this.lines.primary(spaceId);
    return [head, primaryPoint(head, NOTHING_HIDDEN)];
  }

  private async request(spaceId: string, changeRequest: string): Promise<[LineFacts, Point]> {
    const head = await this.lines.request(spaceId, changeRequest);
    return [head, requestPoint(head, NOTHING_HIDDEN)];
  }
}
