import { compareSiblings, itemKey, ROOT, type Item, type ItemKey } from './content-item.js';

/** Creates order keys: one between two others, or a whole list of them. */
export interface OrderKeys {
  between(before: string | undefined, after: string | undefined): string;
  spaced(count: number): string[];
  readonly maxLength: number;
}

/**
 * The part of a space's content that a batch of changes needs, in memory. It contains the pages that were loaded, and
 * all children of the parents in `complete`; requesting the children of any other parent is a programming error.
 */
export class WorkingTree {
  private readonly items = new Map<ItemKey, Item>();
  private readonly byParent = new Map<string, Set<string>>();
  /** Sorted children, reused while pages are only appended. */
  private readonly sorted = new Map<string, Item[]>();
  private readonly original = new Map<ItemKey, Item | undefined>();

  constructor(
    loaded: Iterable<Item>,
    private readonly complete: Set<string>,
    private readonly keys: OrderKeys,
  ) {
    for (const item of loaded) this.store(item);
  }

  get(key: ItemKey): Item | undefined {
    return this.items.get(key);
  }

  page(id: string): Item | undefined {
    return this.items.get(`page:${id}`);
  }

  put(item: Item): void {
    this.remember(itemKey(item));
    this.store(item);
    if (item.kind === 'page' && !this.original.get(itemKey(item))) this.complete.add(item.id);
  }

  remove(key: ItemKey): void {
    const item = this.items.get(key);
    if (!item) return;
    this.remember(key);
    this.items.delete(key);
    if (item.kind !== 'page') return;
    this.byParent.get(item.parentId)?.delete(item.id);
    this.sorted.delete(item.parentId);
  }

  /** The children of a page, or of the root, in order. */
  children(parentId: string): readonly Item[] {
    const known = this.sorted.get(parentId);
    if (known) return known;
    if (!this.complete.has(parentId)) throw new Error(`the children of ${parentId || 'the root'} were not loaded`);
    const ids = this.byParent.get(parentId) ?? [];
    const children = [...ids].flatMap((id) => this.page(id) ?? []).sort(compareSiblings);
    this.sorted.set(parentId, children);
    return children;
  }

  /** Tells whether `id` is `page` itself or a descendant of it. */
  isWithin(id: string, page: string): boolean {
    const seen = new Set<string>();
    for (let at = id; at !== ROOT && !seen.has(at); at = this.page(at)?.parentId ?? ROOT) {
      if (at === page) return true;
      seen.add(at);
    }
    return false;
  }

  /**
   * The order key for `id` as the `at`-th child of a parent (at the end if omitted or beyond it). If no key fits
   * between the neighbours, or it would grow too long, the siblings get new keys.
   */
  positionAt(parentId: string, id: string, at: number | undefined): string {
    const last = this.children(parentId).at(-1);
    if (at === undefined && last?.id !== id) {
      const key = this.keys.between(last?.position, undefined);
      if (key.length <= this.keys.maxLength) return key;
    }
    const siblings = this.children(parentId).filter((sibling) => sibling.id !== id);
    const index = Math.min(at ?? siblings.length, siblings.length);
    const [before, after] = [siblings[index - 1]?.position, siblings[index]?.position];
    if (before === undefined || after === undefined || before < after) {
      const key = this.keys.between(before, after);
      if (key.length <= this.keys.maxLength) return key;
    }
    const keys = this.keys.spaced(siblings.length + 1);
    siblings.forEach((sibling, place) =>
      this.put({ ...sibling, position: keys[place < index ? place : place + 1] ?? sibling.position }),
    );
    return keys[index] ?? '';
  }

  /** All differences from the loaded content; null is deleted. */
  changes(): Map<ItemKey, Item | null> {
    const changes = new Map<ItemKey, Item | null>();
    for (const [key, before] of this.original) {
      const now = this.items.get(key);
      if (now ?? before) changes.set(key, now ?? null);
    }
    return changes;
  }

  /** The loaded version of an item. */
  before(key: ItemKey): Item | undefined {
    return this.original.has(key) ? this.original.get(key) : this.items.get(key);
  }

  private remember(key: ItemKey): void {
    if (!this.original.has(key)) this.original.set(key, this.items.get(key));
  }

  private store(item: Item): void {
    const previous = this.items.get(itemKey(item));
    this.items.set(itemKey(item), item);
    if (item.kind !== 'page') return;
    if (previous) {
      this.byParent.get(previous.parentId)?.delete(item.id);
      this.sorted.delete(previous.parentId);
    }
    const list = this.sorted.get(item.parentId);
    const last = list?.at(-1);
    if (list && (!last || compareSiblings(last, item) < 0)) list.push(item);
    else this.sorted.delete(item.parentId);
    const siblings = this.byParent.get(item.parentId);
    if (siblings) siblings.add(item.id);
    else this.byParent.set(item.parentId, new Set([item.id]));
  }
}
