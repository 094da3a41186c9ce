import { Injectable } from '@nestjs/common';
import { ContentStore, type Point } from '../content/content-store.js';
import { DocumentStore } from '../content/document-store.js';
import { keyOf, ROOT, type Item, type ItemKey } from '../content/domain/item.js';
import { documentsToMerge, type MergeDocument } from '../content/domain/merge.js';
import type { MergeSides } from '../content/domain/merge-structure.js';
import { primaryPoint, requestPoint, type PrimaryHead, type RequestHead } from '../content/lines.js';

export interface LoadedSides extends MergeSides {
  readonly documents: ReadonlyMap<string, MergeDocument>;
}

/**
 * Loads what a merge has to look at: what the change request changed, on all three sides, and the pages around it. A
 * constant number of queries; their rows grow with the changes, not with the space.
 */
@Injectable()
export class MergeLoader {
  constructor(
    private readonly store: ContentStore,
    private readonly documents: DocumentStore,
  ) {}

  /** The sides of merging a request into the primary line as it is at `head`. */
  async load(head: Pick<PrimaryHead, 'spaceId' | 'sequence'>, request: RequestHead): Promise<LoadedSides> {
    const changed = await this.store.overlay(requestPoint(request));
    const [basePoint, primary] = [primaryPoint({ spaceId: head.spaceId, sequence: request.baseSequence }), primaryPoint(head)];
    const keys = [...changed.keys()];
    const [baseItems, primaryItems] = await Promise.all([this.store.byKeys(basePoint, keys), this.store.byKeys(primary, keys)]);
    const sides = { base: baseItems, primary: primaryItems, changed };
    await this.loadSurroundings(sides, basePoint, primary);
    const json = await this.documents.json(head.spaceId, documentsToMerge(sides));
    return { ...sides, documents: new Map([...json].map(([hash, text]) => [hash, JSON.parse(text) as MergeDocument])) };
  }

  private async loadSurroundings(sides: { base: Map<ItemKey, Item>; primary: Map<ItemKey, Item>; changed: Map<ItemKey, Item | null> }, base: Point, primary: Point): Promise<void> {
    const pages = [...sides.changed].filter(([key]) => key.startsWith('page:'));
    const live = pages.flatMap(([, item]) => item ?? []);
    const above = new Set(live.map((page) => page.parentId).filter((id) => id !== ROOT));
    const entered = live.filter((page) => hasMoved(page, sides.primary.get(keyOf(page)))).map((page) => page.parentId);
    const deleted = pages.flatMap(([key, item]) => (item === null ? [key.slice('page:'.length)] : []));
    const [ancestors, siblings, below] = await Promise.all([
      this.store.withAncestors(primary, above),
      this.store.children(primary, entered),
      this.store.descendants(primary, deleted),
    ]);
    add(sides.primary, ancestors, siblings, below);
    const lost = [...above].filter((id) => !sides.primary.has(`page:${id}`));
    const formerly = await this.store.withAncestors(base, lost);
    add(sides.base, formerly);
    const stillThere = await this.store.byKeys(primary, formerly.map(keyOf));
    add(sides.primary, stillThere.values(), await this.store.children(primary, formerly.map((page) => page.parentId)));
    const ring = ancestors.map(keyOf).filter((key) => !sides.base.has(key));
    add(sides.base, (await this.store.byKeys(base, ring)).values());
  }
}

function add(side: Map<ItemKey, Item>, ...lists: Iterable<Item>[]): void {
  for (const list of lists) for (const item of list) side.set(keyOf(item), item);
}

/** Whether a page comes to stand among siblings that may have its slug or its place. */
function hasMoved(page: Item, primary: Item | undefined): boolean {
  return !primary || primary.parentId !== page.parentId || primary.position !== page.position || primary.slug !== page.slug;
}
