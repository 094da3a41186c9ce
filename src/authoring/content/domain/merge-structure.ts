import { sideOf, type ConflictBook } from './conflict.js';
import { compareSiblings, holdsNoPages, itemKey, pageKey, ROOT, type Item, type ItemKey } from './content-item.js';
import { freeSlug } from './slug.js';

/**
 * The three sides of a merge. `changed` contains the changes of the change request, null for deleted items. `base` and
 * `primary` need to contain only the items that `changed` touches: those items, in primary also the children of the
 * parents they leave or enter and all ancestors, in base those ancestors that primary lacks, and in both what primary
 * has below deleted pages. Where the request keeps the structure (`keepsStructure`), the items alone are enough.
 */
export interface MergeSides {
  readonly base: ReadonlyMap<ItemKey, Item>;
  readonly primary: ReadonlyMap<ItemKey, Item>;
  readonly changed: ReadonlyMap<ItemKey, Item | null>;
}

/**
 * True if the change request has every page that it changes where it was, and primary still has all of them: the merged tree is
 * that of primary, whatever surrounds these pages.
 */
export function keepsStructure({ base, primary, changed }: MergeSides): boolean {
  return [...changed].every(([key, item]) => {
    if (!key.startsWith('page:')) return true;
    const before = base.get(key);
    return (
      item !== null &&
      before !== undefined &&
      primary.has(key) &&
      before.parentId === item.parentId &&
      before.position === item.position &&
      before.slug === item.slug &&
      before.type === item.type
    );
  });
}

type KeyBetween = (before: string, after: string | undefined) => string;

/**
 * Makes one tree of separately merged items: resolves pages without a parent and moves that would create a cycle, then
 * gives pages of the change request that collide with a sibling a position and a slug of their own. `merged` is
 * completed in place. Every pass settles at least one page permanently, so the passes end.
 */
export function settleStructure(
  merged: Map<ItemKey, Item | null>,
  sides: MergeSides,
  book: ConflictBook,
  keyBetween: KeyBetween,
): void {
  const tree = new ResultTree(merged, sides);
  const passes = 8 + 4 * (merged.size + sides.primary.size);
  for (let pass = 0; pass < passes; pass++) {
    const settled = [...merged].some(([key, item]) =>
      item === null
        ? settleOrphans(key, tree, book)
        : item.kind === 'page' &&
          (settleLostParent(item, tree, book) || settleCycle(item, tree, book) || settleType(item, tree, keyBetween)),
    );
    if (!settled) break;
  }
  tree.separateSiblings(keyBetween);
}

/** The tree of primary with the merged items on top. */
class ResultTree {
  private readonly primaryChildren = new Map<string, Item[]>();

  constructor(
    readonly merged: Map<ItemKey, Item | null>,
    readonly sides: MergeSides,
  ) {
    for (const item of sides.primary.values()) {
      if (item.kind !== 'page') continue;
      const list = this.primaryChildren.get(item.parentId);
      if (list) list.push(item);
      else this.primaryChildren.set(item.parentId, [item]);
    }
  }

  get(key: ItemKey): Item | undefined {
    const own = this.merged.get(key);
    return own === undefined ? this.sides.primary.get(key) : (own ?? undefined);
  }

  children(parentId: string): Item[] {
    const untouched = (this.primaryChildren.get(parentId) ?? []).filter((item) => !this.merged.has(itemKey(item)));
    const own = [...this.merged.values()].filter(
      (item): item is Item => item !== null && item.kind === 'page' && item.parentId === parentId,
    );
    return [...untouched, ...own].sort(compareSiblings);
  }

  removeSubtree(item: Item): void {
    for (const child of this.children(item.id)) this.removeSubtree(child);
    this.merged.set(itemKey(item), null);
  }

  /** Removes what primary put somewhere; pages that it moved there return to where the change request has them. */
  withoutPlaced(item: Item): void {
    const key = itemKey(item);
    const changed = this.sides.changed.get(key);
    const place = changed === undefined ? this.sides.base.get(key) : changed;
    if (place && place.parentId !== item.parentId) {
      this.merged.set(key, { ...item, parentId: place.parentId, position: place.position });
      return;
    }
    for (const child of this.children(item.id)) this.withoutPlaced(child);
    this.merged.set(key, null);
  }

  /** Resets an item to primary's version: its place there, or nothing if it does not exist. */
  asInPrimary(item: Item): void {
    const primary = this.sides.primary.get(itemKey(item));
    this.merged.set(
      itemKey(item),
      primary ? { ...item, parentId: primary.parentId, position: primary.position } : null,
    );
  }

  /** The pages from the parent of an item upwards, until the root, a gap or the item itself. */
  above(item: Item): { chain: Item[]; cycle: boolean } {
    const chain: Item[] = [];
    const seen = new Set<string>();
    for (let id = item.parentId; id !== ROOT && !seen.has(id);) {
      if (id === item.id) return { chain, cycle: true };
      seen.add(id);
      const page = this.get(pageKey(id));
      if (!page) break;
      chain.push(page);
      id = page.parentId;
    }
    return { chain, cycle: false };
  }

  /** Gives pages of the change request whose position or slug a page of primary has their own, after it. */
  separateSiblings(keyBetween: KeyBetween): void {
    const moved = [...this.merged.values()].filter((item): item is Item => {
      if (item === null || item.kind !== 'page') return false;
      const primary = this.sides.primary.get(itemKey(item));
      return (
        !primary ||
        primary.parentId !== item.parentId ||
        primary.position !== item.position ||
        primary.slug !== item.slug
      );
    });
    const lists = new Map<string, Item[]>();
    for (const item of moved.sort(compareSiblings)) {
      const list = lists.get(item.parentId) ?? this.children(item.parentId);
      const placed = separate(
        item,
        list.filter((other) => other.id !== item.id),
        keyBetween,
      );
      lists.set(item.parentId, [...list.filter((other) => other.id !== item.id), placed].sort(compareSiblings));
      this.merged.set(itemKey(item), placed);
    }
  }
}

function separate(item: Item, siblings: readonly Item[], keyBetween: KeyBetween): Item {
  const taken = new Set(siblings.flatMap((sibling) => (sibling.slug === null ? [] : [sibling.slug])));
  const slug = item.slug === null ? null : freeSlug(item.slug, taken);
  if (!siblings.some((sibling) => sibling.position === item.position))
    return slug === item.slug ? item : { ...item, slug };
  const next = siblings.find((sibling) => sibling.position > item.position);
  return { ...item, slug, position: keyBetween(item.position, next?.position) };
}

/** A page that the change request deletes although primary put pages under it. */
function settleOrphans(key: ItemKey, tree: ResultTree, book: ConflictBook): boolean {
  const page = tree.sides.primary.get(key);
  if (!page || page.kind !== 'page') return false;
  const orphans = tree.children(page.id);
  if (orphans.length === 0) return false;
  const side =
    book.sideOfDeleted(key) ??
    book.side({
      kind: 'children',
      item: key,
      base: sideOf(tree.sides.base.get(key)),
      primary: orphans.map((orphan) => sideOf(orphan)),
      changed: null,
    });
  if (side === 'changed') orphans.forEach((orphan) => tree.withoutPlaced(orphan));
  else tree.merged.delete(key);
  return true;
}

/** A page of the change request whose parent primary deleted. */
function settleLostParent(item: Item, tree: ResultTree, book: ConflictBook): boolean {
  if (item.parentId === ROOT || tree.get(pageKey(item.parentId))) return false;
  const parentKey = pageKey(item.parentId);
  const parent = tree.sides.base.get(parentKey);
  const side =
    book.sideOfDeleted(parentKey) ??
    book.side({ kind: 'children', item: parentKey, base: sideOf(parent), primary: null, changed: [sideOf(item)] });
  const restored = tree.sides.changed.get(parentKey) ?? parent;
  if (side === 'changed' && restored) {
    tree.merged.set(parentKey, restored);
    return true;
  }
  const primary = tree.sides.primary.get(itemKey(item));
  if (primary && primary.parentId !== item.parentId) tree.asInPrimary(item);
  else tree.removeSubtree(item);
  return true;
}

/**
 * A type set by one side and a place set by the other can be incompatible: pages under a link or a computed page move
 * up beside it, and a group below the root becomes a page. Nothing is lost, so it is not a conflict.
 */
function settleType(item: Item, tree: ResultTree, keyBetween: KeyBetween): boolean {
  const lift = (page: Item, from: Item): void => {
    const next = tree.children(from.parentId).find((sibling) => sibling.position > from.position);
    tree.merged.set(itemKey(page), {
      ...page,
      parentId: from.parentId,
      position: keyBetween(from.position, next?.position),
    });
  };
  const parent = tree.get(pageKey(item.parentId));
  const children = holdsNoPages(item.type) ? tree.children(item.id) : [];
  if (parent && holdsNoPages(parent.type)) lift(item, parent);
  else if (item.type === 'group' && item.parentId !== ROOT)
    tree.merged.set(itemKey(item), { ...item, type: 'document' });
  else if (children.length > 0) children.reverse().forEach((child) => lift(child, item));
  else return false;
  return true;
}

/** Moves of both sides that together put a page under itself. */
function settleCycle(item: Item, tree: ResultTree, book: ConflictBook): boolean {
  const { chain, cycle } = tree.above(item);
  if (!cycle) return false;
  const ring = [item, ...chain];
  const movedByRequest = ring.find((page) => tree.sides.primary.get(itemKey(page))?.parentId !== page.parentId) ?? item;
  const key = itemKey(movedByRequest);
  const places = (side: ReadonlyMap<ItemKey, Item | null>) =>
    ring.map((page) => [page.id, side.get(itemKey(page))?.parentId ?? null]).sort();
  const side = book.side({
    kind: 'cycle',
    item: key,
    base: places(tree.sides.base),
    primary: places(tree.sides.primary),
    changed: movedByRequest.parentId,
  });
  const movedByPrimary = ring.find(
    (page) =>
      page.id !== movedByRequest.id &&
      tree.sides.base.get(itemKey(page))?.parentId !== page.parentId &&
      tree.sides.base.has(itemKey(page)),
  );
  const back = movedByPrimary && tree.sides.base.get(itemKey(movedByPrimary));
  if (side === 'changed' && movedByPrimary && back)
    tree.merged.set(itemKey(movedByPrimary), { ...movedByPrimary, parentId: back.parentId, position: back.position });
  else tree.asInPrimary(movedByRequest);
  return true;
}
