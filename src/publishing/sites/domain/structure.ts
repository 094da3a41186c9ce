/** An item of one list: sections, groups and external links of a site share their order keys. */
interface Placed {
  readonly id: string;
  readonly position: string;
}

export type StructureTree<Group, Section, Link> =
  | { readonly section: Section }
  | { readonly link: Link }
  | { readonly group: Group; readonly children: StructureTree<Group, Section, Link>[] };

/** The sections, groups and links below `parent` (null is the site itself), in order, with all descendants. */
export function arrange<
  Group extends Placed & { parentId: string | null },
  Section extends Placed & { groupId: string | null },
  Link extends Placed & { groupId: string | null },
>(
  rows: { readonly groups: readonly Group[]; readonly sections: readonly Section[]; readonly links: readonly Link[] },
  parent: string | null,
): StructureTree<Group, Section, Link>[] {
  const { groups, sections, links } = rows;
  const members: (Placed & { tree: () => StructureTree<Group, Section, Link> })[] = [
    ...links.filter(({ groupId }) => groupId === parent).map((link) => ({ ...placeOf(link), tree: () => ({ link }) })),
    ...sections
      .filter(({ groupId }) => groupId === parent)
      .map((section) => ({ ...placeOf(section), tree: () => ({ section }) })),
    ...groups
      .filter(({ parentId }) => parentId === parent)
      .map((group) => ({ ...placeOf(group), tree: () => ({ group, children: arrange(rows, group.id) }) })),
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

/**
 * The successor of a removed default: the next in order, else the first of the others; drafts are passed over. Undefined
 * if there are none.
 */
export function successor<Item extends Placed & { readonly draft: boolean }>(
  items: readonly Item[],
  gone: string,
): Item | undefined {
  const ordered = items.filter(({ id, draft }) => !draft || id === gone).sort(inOrder);
  const index = ordered.findIndex(({ id }) => id === gone);
  const others = ordered.filter(({ id }) => id !== gone);
  return index < 0 ? others[0] : (others[index] ?? others[0]);
}

/**
 * The destination of a moved item: between `after` and `before`, each of them a neighbour, or the end of the list if
 * neither is given.
 */
export interface MovePosition {
  readonly before?: string;
  readonly after?: string;
}

/** The neighbours of the new position; `fault` names the invalid anchor. */
export type Gap<Item> =
  { readonly low: Item | undefined; readonly high: Item | undefined } | { readonly fault: 'before' | 'after' };

/** Finds the gap of a list (without the moved item, in order) by anchors. Two anchors must be adjacent. */
export function gapAt<Item extends Placed>(items: readonly Item[], { before, after }: MovePosition): Gap<Item> {
  const high = before === undefined ? -1 : items.findIndex(({ id }) => id === before);
  const low = after === undefined ? -1 : items.findIndex(({ id }) => id === after);
  if (before !== undefined && high < 0) return { fault: 'before' };
  if (after !== undefined && low < 0) return { fault: 'after' };
  if (before !== undefined && after !== undefined && high !== low + 1) return { fault: 'before' };
  if (before !== undefined) return { low: items[high - 1], high: items[high] };
  if (after !== undefined) return { low: items[low], high: items[low + 1] };
  return { low: items.at(-1), high: undefined };
}

/** A section, group or link, and its parent group (null is the site itself). */
export interface StructureMember extends Placed {
  readonly type: 'site-section' | 'site-section-group' | 'site-external-link';
  readonly parentId: string | null;
}

interface Nested {
  readonly id: string;
  readonly parentId: string | null;
}

/** All sections, groups and links of a site, in order. */
export function membersOf(
  groups: readonly (Placed & Nested)[],
  sections: readonly (Placed & { groupId: string | null })[],
  links: readonly (Placed & { groupId: string | null })[],
): StructureMember[] {
  return [
    ...sections.map(({ id, position, groupId }): StructureMember => ({
      id,
      position,
      type: 'site-section',
      parentId: groupId,
    })),
    ...links.map(({ id, position, groupId }): StructureMember => ({
      id,
      position,
      type: 'site-external-link',
      parentId: groupId,
    })),
    ...groups.map(({ id, position, parentId }): StructureMember => ({
      id,
      position,
      type: 'site-section-group',
      parentId,
    })),
  ].sort(inOrder);
}

/** Sections or links, those in groups that are drafts as drafts. */
export function withDraftsAbove<Section extends { readonly groupId: string | null; readonly draft: boolean }>(
  groups: readonly (Nested & { readonly draft: boolean })[],
  sections: readonly Section[],
): Section[] {
  const known = new Map(groups.map((group) => [group.id, group]));
  const isDraft = (id: string | null): boolean => {
    const group = id === null ? undefined : known.get(id);
    return group !== undefined && (group.draft || isDraft(group.parentId));
  };
  return sections.map((section) => ({ ...section, draft: section.draft || isDraft(section.groupId) }));
}

/** A structure without drafts and what is in them. */
export function liveStructure<
  Group extends Nested & { readonly draft: boolean },
  Section extends { readonly id: string; readonly groupId: string | null; readonly draft: boolean },
  Link extends { readonly groupId: string | null; readonly draft: boolean },
  SiteSpace extends { readonly sectionId: string | null; readonly draft: boolean },
>(rows: {
  readonly groups: readonly Group[];
  readonly sections: readonly Section[];
  readonly links: readonly Link[];
  readonly siteSpaces: readonly SiteSpace[];
}): {
  readonly groups: Group[];
  readonly sections: Section[];
  readonly links: Link[];
  readonly siteSpaces: SiteSpace[];
} {
  const sections = withDraftsAbove(rows.groups, rows.sections).filter(({ draft }) => !draft);
  const open = new Set<string | null>([null, ...sections.map(({ id }) => id)]);
  return {
    groups: rows.groups.filter(({ draft }) => !draft),
    sections,
    links: withDraftsAbove(rows.groups, rows.links).filter(({ draft }) => !draft),
    siteSpaces: rows.siteSpaces.filter(({ draft, sectionId }) => !draft && open.has(sectionId)),
  };
}

/** Maximum nesting depth of groups. */
export const MAX_GROUP_DEPTH = 8;

/** The reason against putting a group (undefined: a new one) into another, in words; undefined if there is none. */
export function faultOfParent(
  groups: readonly Nested[],
  id: string | undefined,
  parentId: string | null,
): string | undefined {
  const parents = new Map(groups.map((group) => [group.id, group.parentId]));
  let depth = 1;
  for (let above = parentId; above !== null; above = parents.get(above) ?? null) {
    if (above === id) return 'lies in the group itself';
    depth++;
  }
  return depth + heightOf(groups, id) > MAX_GROUP_DEPTH
    ? `lies too deep: groups stand in at most ${MAX_GROUP_DEPTH - 1} others`
    : undefined;
}

/** The nesting depth of groups below a group. */
function heightOf(groups: readonly Nested[], id: string | undefined): number {
  if (id === undefined) return 0;
  const below = groups.filter((group) => group.parentId === id);
  return below.length === 0 ? 0 : 1 + Math.max(...below.map((group) => heightOf(groups, group.id)));
}
