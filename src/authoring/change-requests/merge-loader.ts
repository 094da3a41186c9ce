import { Injectable } from '@nestjs/common';
import { ContentStore, NOTHING_HIDDEN, type Point } from '../content/content-store.js';
import { holdsNoPages, itemKey, ROOT, type Item, type ItemKey } from '../content/domain/content-item.js';
import { documentsToMerge, type DocumentMerge } from '../content/domain/merge.js';
import { keepsStructure, type MergeSides } from '../content/domain/merge-structure.js';
import { primaryPoint, requestBase, requestPoint, type PrimaryHead } from '../content/content-lines.js';
import type { RequestHead } from '../content/request-lines.js';

export interface LoadedSides extends MergeSides {
  readonly spaceId: string;
  /** The documents that have to be merged. */
  readonly merges: readonly DocumentMerge[];
}

/**
 * Loads the data of a merge: the changes of the change request, on all three sides, and the pages around them. A few
 * queries whatever their number; the rows grow with the changes, not with the space.
 */
@Injectable()
export class MergeLoader {
  constructor(private readonly store: ContentStore) {}

  /** Loads the sides of merging a request into the primary line at `head`. */
  async load(head: Pick<PrimaryHead, 'spaceId' | 'sequence'>, request: RequestHead): Promise<LoadedSides> {
    const [before, after] = [requestBase(request, NOTHING_HIDDEN), requestPoint(request, NOTHING_HIDDEN)];
    const now = primaryPoint(head, NOTHING_HIDDEN);
    const [changed, continued] = await Promise.all([this.store.overlay(after), this.store.overlay(before)]);
    return continued.size === 0
      ? this.sides(changed, before, now)
      : this.loadBetween(before, after, [...new Set([...changed.keys(), ...continued.keys()])], now);
  }

  /** Loads the sides of repeating, at a point, the difference of some items between two others. */
  async loadBetween(before: Point, after: Point, keys: readonly ItemKey[], now: Point): Promise<LoadedSides> {
    const items = await this.store.byKeys(after, keys);
    return this.sides(new Map(keys.map((key) => [key, items.get(key) ?? null])), before, now);
  }

  /** Loads the sides of taking back a revision of the primary line: what was before it is the change. */
  async loadBefore(
    head: Pick<PrimaryHead, 'spaceId' | 'sequence'>,
    { sequence }: Pick<PrimaryHead, 'sequence'>,
  ): Promise<LoadedSides> {
    const { spaceId } = head;
    const keys = await this.store.changedBetween(spaceId, '', sequence - 1, sequence);
    const before = await this.store.byKeys(primaryPoint({ spaceId, sequence: sequence - 1 }, NOTHING_HIDDEN), keys);
    const changed = new Map(keys.map((key) => [key, before.get(key) ?? null]));
    return this.sides(changed, primaryPoint({ spaceId, sequence }, NOTHING_HIDDEN), primaryPoint(head, NOTHING_HIDDEN));
  }

  private async sides(changed: Map<ItemKey, Item | null>, basePoint: Point, primary: Point): Promise<LoadedSides> {
    const keys = [...changed.keys()];
    const [base, now] = await Promise.all([this.store.byKeys(basePoint, keys), this.store.byKeys(primary, keys)]);
    const sides = { base, primary: now, changed };
    if (!keepsStructure(sides)) await this.loadSurroundings(sides, basePoint, primary);
    return { ...sides, spaceId: primary.spaceId, merges: documentsToMerge(sides) };
  }

  /**
   * Loads all ancestors of the pages of any side, the descendants of pages that the request deletes, and the siblings
   * of pages that may get a new place.
   */
  private async loadSurroundings(sides: OpenSides, base: Point, primary: Point): Promise<void> {
    const deleted = [...sides.changed].flatMap(([key, item]) =>
      item === null && key.startsWith('page:') ? [key.slice('page:'.length)] : [],
    );
    const below = await this.store.descendants(primary, deleted);
    add(sides.primary, below);
    if (below.length > 0) add(sides.base, (await this.store.byKeys(base, below.map(itemKey))).values());
    await this.loadAbove(sides, base, primary);
    // The position of a page after the merge may be that of either side, and so may its slug.
    const placed = [...sides.changed.values(), ...sides.base.values()].flatMap((item) => {
      const now = item?.kind === 'page' ? sides.primary.get(itemKey(item)) : undefined;
      return item?.kind === 'page' && hasMoved(item, now) ? [item.parentId, now?.parentId ?? item.parentId] : [];
    });
    // Pages under a page that has become a link move up beside it.
    const lifted = [...sides.changed.values()].flatMap((item) => {
      if (item?.kind !== 'page') return [];
      const parent = sides.primary.get(`page:${item.parentId}`);
      return [
        ...(holdsNoPages(item.type) ? [item.id] : []),
        ...(parent && holdsNoPages(parent.type) ? [parent.parentId] : []),
      ];
    });
    add(sides.primary, await this.store.children(primary, [...placed, ...lifted]));
    await this.loadAbove(sides, base, primary);
  }

  /** Adds the parents of all pages on primary and base, until all are known; usually two rounds. */
  private async loadAbove(sides: OpenSides, base: Point, primary: Point): Promise<void> {
    for (const asked = new Set<string>([ROOT]); ;) {
      const parents = new Set<string>();
      for (const side of [sides.base, sides.primary, sides.changed]) {
        for (const item of side.values())
          if (item?.kind === 'page' && !asked.has(item.parentId)) parents.add(item.parentId);
      }
      if (parents.size === 0) return;
      parents.forEach((id) => asked.add(id));
      add(sides.primary, await this.store.withAncestors(primary, parents));
      add(sides.base, await this.store.withAncestors(base, parents));
    }
  }
}

interface OpenSides {
  readonly base: Map<ItemKey, Item>;
  readonly primary: Map<ItemKey, Item>;
  readonly changed: Map<ItemKey, Item | null>;
}

function add(side: Map<ItemKey, Item>, ...lists: Iterable<Item>[]): void {
  for (const list of lists) for (const item of list) side.set(itemKey(item), item);
}

/** Tells whether a page moves among siblings that may have the same slug or position. */
function hasMoved(page: Item, primary: Item | undefined): boolean {
  return (
    !primary || primary.parentId !== page.parentId || primary.position !== page.position || primary.slug !== page.slug
  );
}
