import { answered, api, type Schemas } from '../api/client.js';
import { queries } from '../api/query-client.js';
import { refreshTree, spacesQuery, collectionsQuery, type Collection, type Space } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { showUndo } from '../ui/undo-toast.js';
import type { TreeEntry } from './tree-data.js';

type MoveInWorkspace = Schemas['MoveInWorkspace'];
type Movable = Exclude<TreeEntry, { readonly type: 'root' }>;

export async function moveEntry(organizationId: string, entry: Movable, body: MoveInWorkspace): Promise<void> {
  if (entry.type === 'space') {
    const params = { path: { spaceId: entry.id } };
    keepSpace(organizationId, await answered(api.POST('/v1/spaces/{spaceId}/move', { params, body })));
  } else {
    const params = { path: { collectionId: entry.id } };
    keepCollection(organizationId, await answered(api.POST('/v1/collections/{collectionId}/move', { params, body })));
  }
  await refreshTree(organizationId);
}

export async function renameEntry(organizationId: string, entry: Movable, title: string): Promise<void> {
  const body = { title };
  if (entry.type === 'space') {
    const params = { path: { spaceId: entry.id } };
    keepSpace(organizationId, await answered(api.PATCH('/v1/spaces/{spaceId}', { params, body })));
    void queries.invalidateQueries({ queryKey: ['space', entry.id] });
  } else {
    const params = { path: { collectionId: entry.id } };
    keepCollection(organizationId, await answered(api.PATCH('/v1/collections/{collectionId}', { params, body })));
  }
}

/** Puts a space into the trash; the toast takes it back. */
export async function deleteSpace(organizationId: string, { id, title }: Space): Promise<void> {
  const params = { path: { spaceId: id } };
  await answered(api.DELETE('/v1/spaces/{spaceId}', { params }));
  queries.setQueryData(spacesQuery(organizationId).queryKey, (spaces) => spaces?.filter((each) => each.id !== id));
  void queries.invalidateQueries({ queryKey: ['trash', organizationId] });
  showUndo(texts.people.tree.deleted(title), () => restoreSpace(organizationId, id));
}

export async function restoreSpace(organizationId: string, spaceId: string): Promise<void> {
  const params = { path: { spaceId } };
  await answered(api.POST('/v1/spaces/{spaceId}/restore', { params }));
  await Promise.all([
    refreshTree(organizationId),
    queries.invalidateQueries({ queryKey: ['space', spaceId] }),
    queries.invalidateQueries({ queryKey: ['trash', organizationId] }),
  ]);
}

export async function deleteCollection(organizationId: string, collectionId: string): Promise<void> {
  await answered(api.DELETE('/v1/collections/{collectionId}', { params: { path: { collectionId } } }));
  await Promise.all([refreshTree(organizationId), queries.invalidateQueries({ queryKey: ['trash', organizationId] })]);
}

function keepSpace(organizationId: string, space: Space): void {
  queries.setQueryData(spacesQuery(organizationId).queryKey, (spaces) => replaced(spaces, space));
}

function keepCollection(organizationId: string, collection: Collection): void {
  queries.setQueryData(collectionsQuery(organizationId).queryKey, (collections) => replaced(collections, collection));
}

function replaced<Each extends { readonly id: string }>(list: Each[] | undefined, item: Each): Each[] | undefined {
  return list?.map((each) => (each.id === item.id ? item : each));
}
