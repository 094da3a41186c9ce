import type { Schemas } from '../api/client.js';
import type { Collection, Space } from '../people/queries.js';

type MoveInWorkspace = Schemas['MoveInWorkspace'];
type Pointer = Schemas['Pointer'];

/** The id of the top of the tree, which is no object of the interface. */
export const ROOT = 'root';

/** A row of the tree. */
export type TreeEntry =
  | { readonly type: 'root' }
  | { readonly type: 'space'; readonly id: string; readonly title: string; readonly space: Space }
  | { readonly type: 'collection'; readonly id: string; readonly title: string; readonly collection: Collection };

/** The top of the tree. */
export const TOP: TreeEntry = { type: 'root' };

export interface WorkspaceTree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The ids of the entries in each collection and at the top, in their order. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly parents: ReadonlyMap<string, string>;
}

/** The tree of collections and spaces; those whose collection cannot be seen stand at the top. */
export function workspaceTree(collections: readonly Collection[], spaces: readonly Space[]): WorkspaceTree {
  const entries = new Map<string, TreeEntry>([[ROOT, TOP]]);
  for (const collection of collections)
    entries.set(collection.id, { type: 'collection', id: collection.id, title: collection.title, collection });
  for (const space of spaces) entries.set(space.id, { type: 'space', id: space.id, title: space.title, space });
  const children = new Map<string, string[]>();
  const parents = new Map<string, string>();
  for (const { id, parent } of [...collections, ...spaces].sort(byPosition)) {
    const above = parent !== undefined && entries.has(parent) ? parent : ROOT;
    parents.set(id, above);
    children.set(above, [...(children.get(above) ?? []), id]);
  }
  return { entries, children, parents };
}

function byPosition(one: Space | Collection, other: Space | Collection): number {
  if (one.position !== other.position) return one.position < other.position ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

/**
 * The change that puts an entry into a parent, before the one at `index` among the others there; at the end without an
 * index. Undefined if it stands there already.
 */
export function moveTo(
  { entries, children, parents }: WorkspaceTree,
  id: string,
  parent: string,
  index?: number,
): MoveInWorkspace | undefined {
  const there = children.get(parent) ?? [];
  const others = there.filter((each) => each !== id);
  const at = Math.min(index ?? others.length, others.length);
  if (parents.get(id) === parent && there.indexOf(id) === at) return undefined;
  const [before, after] = [others[at], others[at - 1]].map((each) => pointer(each && entries.get(each)));
  return {
    parent: parent === ROOT ? null : parent,
    ...(after ? { position: { after } } : before && { position: { before } }),
  };
}

function pointer(entry: TreeEntry | undefined | ''): Pointer | undefined {
  if (!entry || entry.type === 'root') return undefined;
  return entry.type === 'space' ? { type: 'space', space: entry.id } : { type: 'collection', collection: entry.id };
}

/** Whether the person may put something into a parent. */
export function takesContent({ entries }: WorkspaceTree, parent: string, mayCreateAtTop: boolean): boolean {
  const entry = entries.get(parent);
  if (!entry || entry.type === 'space') return false;
  return entry.type === 'root' ? mayCreateAtTop : entry.collection.permissions.create;
}

/** Whether the person may rename, move and delete an entry. */
export function isManaged(entry: TreeEntry | undefined): boolean {
  if (!entry || entry.type === 'root') return false;
  return entry.type === 'space' ? entry.space.permissions.admin : entry.collection.permissions.admin;
}

/** Whether an entry is another one, or below it. */
export function isWithin({ parents }: WorkspaceTree, id: string | undefined, other: string): boolean {
  for (let each = id; each !== undefined; each = parents.get(each)) if (each === other) return true;
  return false;
}

/** The collections with their depths, each below its parent; without `except` and what is below it. */
export function collectionOptions(
  tree: WorkspaceTree,
  except?: string,
): { readonly id: string; readonly title: string; readonly depth: number }[] {
  const below = (parent: string, depth: number): { id: string; title: string; depth: number }[] =>
    (tree.children.get(parent) ?? []).flatMap((id) => {
      const entry = tree.entries.get(id);
      if (entry?.type !== 'collection' || id === except) return [];
      return [{ id, title: entry.title, depth }, ...below(id, depth + 1)];
    });
  return below(ROOT, 0);
}
