import type { Schemas } from '../api/client.js';
import type { Collection, Organization, Space } from '../people/queries.js';
import { texts } from '../texts/en.js';

type MoveInWorkspace = Schemas['MoveInWorkspace'];
type Pointer = Schemas['Pointer'];

/** The id of the top of the tree, which is no object of the interface. */
export const ROOT = 'root';
/** The top of the tree. */
export const TOP = { object: ROOT, id: ROOT, title: texts.people.tree.top } as const;

/** A space or a collection. */
export type Movable = Space | Collection;
/** A row of the tree, or its top. */
export type TreeEntry = Movable | typeof TOP;

export interface WorkspaceTree {
  readonly organizationId: string;
  /** Whether the person may put something at the top. */
  readonly mayCreateAtTop: boolean;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The ids of the entries in each collection and at the top, in their order. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly parents: ReadonlyMap<string, string>;
}

/** The tree of collections and spaces; those whose collection cannot be seen stand at the top. */
export function workspaceTree(
  { id: organizationId, permissions }: Pick<Organization, 'id' | 'permissions'>,
  movables: readonly Movable[],
): WorkspaceTree {
  const entries = new Map<string, TreeEntry>([TOP, ...movables].map((entry) => [entry.id, entry]));
  const children = new Map<string, string[]>();
  const parents = new Map<string, string>();
  for (const { id, parent } of movables.toSorted(byPosition)) {
    const above = parent !== undefined && entries.has(parent) ? parent : ROOT;
    parents.set(id, above);
    children.set(above, [...(children.get(above) ?? []), id]);
  }
  return { organizationId, mayCreateAtTop: permissions.createContent, entries, children, parents };
}

function byPosition(one: Movable, other: Movable): number {
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
  const [before, after] = [others[at], others[at - 1]].map((each) => pointer(entries.get(each ?? '')));
  return {
    parent: parent === ROOT ? null : parent,
    ...(after ? { position: { after } } : before && { position: { before } }),
  };
}

function pointer(entry: TreeEntry | undefined): Pointer | undefined {
  if (!entry || entry.object === ROOT) return undefined;
  return entry.object === 'space' ? { type: 'space', space: entry.id } : { type: 'collection', collection: entry.id };
}

/** Whether the person may put something into a parent. */
export function takesContent({ entries, mayCreateAtTop }: WorkspaceTree, parent: string): boolean {
  const entry = entries.get(parent);
  if (entry?.object === 'collection') return entry.permissions.create;
  return entry?.object === ROOT && mayCreateAtTop;
}

/** Whether the person may rename, move and delete an entry. */
export function isManaged(entry: TreeEntry): entry is Movable {
  return entry.object !== ROOT && entry.permissions.admin;
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
  parent: string = ROOT,
  depth = 0,
): { readonly id: string; readonly title: string; readonly depth: number }[] {
  return (tree.children.get(parent) ?? []).flatMap((id) => {
    const entry = tree.entries.get(id);
    if (entry?.object !== 'collection' || id === except) return [];
    return [{ id, title: entry.title, depth }, ...collectionOptions(tree, except, id, depth + 1)];
  });
}

/** The path of the screen of a space or a collection. */
export function pathOf({ object, organization, id }: Movable): string {
  return `/o/${organization}/${object === 'space' ? 's' : 'c'}/${id}`;
}
