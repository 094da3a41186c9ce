import { Injectable } from '@nestjs/common';
import { ContentStore } from '../content/content-store.js';
import { DocumentStore } from '../content/document-store.js';
import type { Document } from '../content/domain/document/types.js';
import { compareSiblings, ROOT, type Item } from '../content/domain/item.js';
import { indexPages, pathOf, type PageIndex } from '../content/domain/paths.js';
import { Lines, primaryPoint } from '../content/lines.js';

/** Everything that the primary line of a space holds at one moment. */
export class SpaceContent {
  readonly pages: readonly Item[];
  readonly files: readonly Item[];
  readonly reusables: readonly Item[];
  readonly variables: readonly Item[];
  private readonly index: PageIndex;
  private readonly byParent = new Map<string, Item[]>();

  constructor(
    readonly revisionId: string,
    items: readonly Item[],
    private readonly documents: ReadonlyMap<string, Document>,
  ) {
    const of = (kind: Item['kind']): Item[] => items.filter((item) => item.kind === kind);
    [this.pages, this.files, this.reusables, this.variables] = [of('page'), of('file'), of('reusable'), of('variable')];
    this.index = indexPages(this.pages);
    for (const page of this.pages.toSorted(compareSiblings)) {
      const siblings = this.byParent.get(page.parentId);
      if (siblings) siblings.push(page);
      else this.byParent.set(page.parentId, [page]);
    }
  }

  /** The pages under a page, or at the root, in order. */
  children(parentId: string = ROOT): readonly Item[] {
    return this.byParent.get(parentId) ?? [];
  }

  /** The document of a page or reusable content; null where it is empty. */
  document(item: Item): Document | null {
    return item.hash === null ? null : (this.documents.get(item.hash) ?? null);
  }

  path(page: Item): string {
    return pathOf(page, this.index);
  }
}

/** Reads whole spaces, for export and for imports into what is there already; three queries whatever the size. */
@Injectable()
export class SpaceContents {
  constructor(
    private readonly lines: Lines,
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
  ) {}

  /** What the primary line holds; throws `notFound`. */
  async read(spaceId: string): Promise<SpaceContent> {
    const head = await this.lines.primary(spaceId);
    const items = await this.store.ofKinds(primaryPoint(head), ['page', 'file', 'reusable', 'variable']);
    const hashes = items.flatMap((item) => (item.hash !== null && item.kind !== 'file' ? [item.hash] : []));
    const json = await this.documents.json(spaceId, hashes);
    return new SpaceContent(head.revisionId, items, new Map([...json].map(([hash, text]) => [hash, JSON.parse(text) as Document])));
  }
}
