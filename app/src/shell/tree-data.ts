import type { Schemas } from '../api/client.js';
import type { Collection, Organization, Space } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { childrenOf, ROOT, type Forest } from '../ui/tree/forest.js';

type MoveInWorkspace = Schemas['MoveInWorkspace'];
type Pointer = Schemas['Pointer'];

/** The top of the tree, which is no object of the interface. */
export const TOP = { object: ROOT, id: ROOT, title: texts.people.tree.top } as const;

/** A space or a collection: an item of the tree. */
export type Movable = Space | Collection;

export interface WorkspaceTree extends Forest<Movable> {
  readonly organizationId: string;
  /** True if the person may put something at the top. */
  readonly mayCreateAtTop: boolean;
}

/** The tree of collections and spaces; those whose collection cannot be seen stand at the top. */
export function workspaceTree(
  { id: organizationId, permissions }: Pick<Organization, 'id' | 'permissions'>,
  movables: readonly Movable[],
): WorkspaceTree {
  const items = new Map(movables.map((each) => [each.id, each]));
  const children = new Map<string, string[]>();
  const parents = new Map<string, string>();
  for (const { id, parent } of movables.toSorted(byPosition)) {
    const above = parent !== undefined && items.has(parent) ? parent : ROOT;
    parents.set(id, above);
    children.set(above, [...(children.get(above) ?? []), id]);
  }
  return { organizationId, mayCreateAtTop: permissions.createContent, items, children, parents };
}

function byPosition(one: Movable, other: Movable): number {
  if (one.position !== other.position) return one.position < other.position ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

/**
 * The change that puts an entry into a parent, before the one at `index` among the others there; at the end without an
 * index. Undefined if it stands there already.
 */
export function moveTo(tree: WorkspaceTree, id: string, parent: string, index?: number): MoveInWorkspace | undefined {
  const there = childrenOf(tree, parent);
  const others = there.filter((each) => each !== id);
  const at = Math.min(index ?? others.length, others.length);
  if (tree.parents.get(id) === parent && there.indexOf(id) === at) return undefined;
  const [before, after] = [others[at], others[at - 1]].map((each) => pointer(tree.items.get(each ?? '')));
  return {
    parent: parent === ROOT ? null : parent,
    ...(after ? { position: { after } } : before && { position: { before } }),
  };
}

function pointer(item: Movable | undefined): Pointer | undefined {
  return item?.object === 'space'
    ? { type: 'space', space: item.id }
    : item && { type: 'collection', collection: item.id };
}

/** Tells if the person may put something into a parent. */
export function takesContent({ items, mayCreateAtTop }: WorkspaceTree, parent: string): boolean {
  const item = items.get(parent);
  return parent === ROOT ? mayCreateAtTop : item?.object === 'collection' && item.permissions.create;
}

/** The collections with their depths, each below its parent; without `except` and what is below it. */
export function collectionOptions(
  tree: WorkspaceTree,
  except?: string,
  parent: string = ROOT,
  depth = 0,
): { readonly id: string; readonly title: string; readonly depth: number }[] {
  return childrenOf(tree, parent).flatMap((id) => {
    const entry = tree.items.get(id);
    if (entry?.object !== 'collection' || id === except) return [];
    return [{ id, title: entry.title, depth }, ...collectionOptions(tree, except, id, depth + 1)];
  });
}
