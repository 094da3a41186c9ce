import { compareSiblings, itemKey, pageKey, ROOT, type Item, type ItemKey } from './content-item.js';
import { namedTags, tagsOf, type PageTag } from './tags.js';

/** A page with the pages below it, in their order. A node is the same object for as long as nothing in it changes. */
export interface PageNode {
  readonly page: Item;
  /** Those of its tags that exist. */
  readonly tags: readonly PageTag[];
  readonly children: readonly PageNode[];
  /** Number of pages, the page itself included. */
  readonly size: number;
}

/** Bytes that a page takes in memory beside its texts: its version, its node, and its places in maps and lists. */
const PAGE_BYTES = 900;

/** Number of items that a tree is made of before others have their turn. */
export const SLICE_ITEMS = 1_000;

/** The pages of one state of a space, and its tags. A tree never changes; one that follows from it shares its nodes. */
export class PageTree {
  private constructor(
    private readonly items: ReadonlyMap<ItemKey, Item>,
    /** The pages below each page, in their order. */
    private readonly children: ReadonlyMap<string, readonly Item[]>,
    private readonly nodes: Map<string, PageNode>,
    /** Approximate number of bytes in memory. */
    readonly weight: number,
  ) {}

  /** The tree of some items; those that are neither pages nor tags are left out. */
  static of(items: Iterable<Item>): PageTree {
    const slices = this.slices(items);
    for (;;) {
      const { done, value } = slices.next();
      if (done) return value;
    }
  }

  /** Makes the tree of some items in slices of at most `SLICE_ITEMS`. */
  static *slices(items: Iterable<Item>): Generator<number, PageTree> {
    const children = new Map<string, Item[]>();
    const kept = new Map<ItemKey, Item>();
    let weight = 0;
    for (const item of items) {
      if (item.kind !== 'page' && item.kind !== 'tag') continue;
      kept.set(itemKey(item), item);
      weight += weightOf(item);
      if (item.kind === 'page') appendTo(children, item.parentId, item);
      if (kept.size % SLICE_ITEMS === 0) yield SLICE_ITEMS;
    }
    const order: Item[] = [];
    const addBelow = (parent: string): void => {
      for (const page of children.get(parent)?.sort(compareSiblings) ?? []) order.push(page);
    };
    addBelow(ROOT);
    // The list grows while it is read.
    for (const { id } of order) addBelow(id);
    yield SLICE_ITEMS;
    const tree = new PageTree(kept, children, new Map(), weight);
    // From the leaves up, so that no node has more to make than itself.
    for (const [index, page] of order.reverse().entries()) {
      tree.nodes.set(page.id, tree.nodeOf(page));
      if (index % SLICE_ITEMS === SLICE_ITEMS - 1) yield SLICE_ITEMS;
    }
    return tree;
  }

  /** The pages at the root, in their order. */
  get roots(): PageNode[] {
    return this.nodesBelow(ROOT);
  }

  /** All pages and tags, in no order. */
  get list(): Item[] {
    return [...this.items.values()];
  }

  /** A page of this tree, or another version of one, with the pages below it. */
  nodeOf(page: Item): PageNode {
    const children = this.nodesBelow(page.id);
    return {
      page,
      tags: tagsOf(page, (slug) => this.items.has(`tag:${slug}`)),
      children,
      size: children.reduce((sum, { size }) => sum + size, 1),
    };
  }

  /** The tree with these versions in the place of others; null for items that are no longer there. */
  with(changes: ReadonlyMap<ItemKey, Item | null>): PageTree {
    const items = new Map(this.items);
    const parents = new Set<string>();
    const outdated = new Set<string>();
    const tags = new Set<string>();
    let { weight } = this;
    for (const [key, item] of changes) {
      const before = items.get(key);
      weight += (item ? weightOf(item) : 0) - (before ? weightOf(before) : 0);
      if (item) items.set(key, item);
      else items.delete(key);
      for (const version of [before, item]) {
        if (version?.kind === 'tag') tags.add(version.id);
        if (version?.kind === 'page') parents.add(version.parentId);
        if (version?.kind === 'page') outdated.add(version.id);
      }
    }
    if (tags.size > 0)
      for (const { kind, id, props } of items.values())
        if (kind === 'page' && namedTags(props).some(({ tag }) => tags.has(tag.tag))) outdated.add(id);
    const nodes = new Map(this.nodes);
    for (const id of withThoseAbove([...outdated, ...parents], items)) nodes.delete(id);
    return new PageTree(items, this.childrenWith(changes, parents), nodes, weight);
  }

  /** The tree of these items, which are mostly those of this tree. */
  showing(items: readonly Item[]): PageTree {
    const own = this.list;
    if (items.length === own.length && items.every((item, index) => item === own[index])) return this;
    const gone = new Set(this.items.keys());
    const changes = new Map<ItemKey, Item | null>();
    for (const item of items) {
      const key = itemKey(item);
      gone.delete(key);
      if (this.items.get(key) !== item) changes.set(key, item);
    }
    for (const key of gone) changes.set(key, null);
    return changes.size === 0 ? this : this.with(changes);
  }

  private childrenWith(
    changes: ReadonlyMap<ItemKey, Item | null>,
    parents: ReadonlySet<string>,
  ): Map<string, readonly Item[]> {
    const children = new Map(this.children);
    const changed = new Map<string, Item[]>();
    for (const parent of parents)
      changed.set(
        parent,
        (children.get(parent) ?? []).filter(({ id }) => !changes.has(pageKey(id))),
      );
    for (const item of changes.values()) if (item?.kind === 'page') changed.get(item.parentId)?.push(item);
    for (const [parent, siblings] of changed) children.set(parent, siblings.sort(compareSiblings));
    return children;
  }

  private nodesBelow(parent: string): PageNode[] {
    return (this.children.get(parent) ?? []).map((page) => {
      const known = this.nodes.get(page.id) ?? this.nodeOf(page);
      this.nodes.set(page.id, known);
      return known;
    });
  }
}

function appendTo(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** These pages and all above them. */
function withThoseAbove(ids: readonly string[], items: ReadonlyMap<ItemKey, Item>): Set<string> {
  const found = new Set<string>();
  for (const id of ids)
    for (let at = id; at !== ROOT && !found.has(at); at = items.get(pageKey(at))?.parentId ?? ROOT) found.add(at);
  return found;
}

function weightOf({ title, props }: Item): number {
  let weight = PAGE_BYTES + title.length;
  for (const value of Object.values(props))
    weight += 50 + (typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0));
  return weight;
}
