/** What stands in one list: sections and groups of a site share their order keys. */
interface Placed {
  readonly id: string;
  readonly position: string;
}

export type Tree<Group, Section> = { readonly section: Section } | { readonly group: Group; readonly children: Tree<Group, Section>[] };

/** The sections and groups below `parent` (null is the site itself), in order, with everything below them. */
export function arrange<Group extends Placed & { parentId: string | null }, Section extends Placed & { groupId: string | null }>(
  groups: readonly Group[],
  sections: readonly Section[],
  parent: string | null,
): Tree<Group, Section>[] {
  const members: (Placed & { tree: () => Tree<Group, Section> })[] = [
    ...sections.filter(({ groupId }) => groupId === parent).map((section) => ({ ...placeOf(section), tree: () => ({ section }) })),
    ...groups
      .filter(({ parentId }) => parentId === parent)
      .map((group) => ({ ...placeOf(group), tree: () => ({ group, children: arrange(groups, sections, group.id) }) })),
  ];
  return members.sort(inOrder).map(({ tree }) => tree());
}

function placeOf({ id, position }: Placed): Placed {
  return { id, position };
}

/** Byte order of order keys, ids as the tie-break: the order of the database's "C" collation. */
export function inOrder(left: Placed, right: Placed): number {
  if (left.position !== right.position) return left.position < right.position ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}

/** What takes the place of a default that goes: the next in order, else the first of the others; undefined when there are none. */
export function successor<Item extends Placed>(items: readonly Item[], gone: string): Item | undefined {
  const ordered = [...items].sort(inOrder);
  const index = ordered.findIndex(({ id }) => id === gone);
  const others = ordered.filter(({ id }) => id !== gone);
  return index < 0 ? others[0] : (others[index] ?? others[0]);
}

/** Where a moved item goes: between `after` and `before`, each of them a neighbour, or the end of the list when neither is given. */
export interface Anchors {
  readonly before?: string;
  readonly after?: string;
}

/** The neighbours of the new place; `fault` names the anchor that is no possible one. */
export type Gap<Item> = { readonly low: Item | undefined; readonly high: Item | undefined } | { readonly fault: 'before' | 'after' };

/** The gap of a list (without the moved item, in order) that anchors name. Given both, they must stand side by side. */
export function gapAt<Item extends Placed>(items: readonly Item[], { before, after }: Anchors): Gap<Item> {
  const high = before === undefined ? -1 : items.findIndex(({ id }) => id === before);
  const low = after === undefined ? -1 : items.findIndex(({ id }) => id === after);
  if (before !== undefined && high < 0) return { fault: 'before' };
  if (after !== undefined && low < 0) return { fault: 'after' };
  if (before !== undefined && after !== undefined && high !== low + 1) return { fault: 'before' };
  if (before !== undefined) return { low: items[high - 1], high: items[high] };
  if (after !== undefined) return { low: items[low], high: items[low + 1] };
  return { low: items.at(-1), high: undefined };
}
