import { send, type Schemas, queries } from '../api/client.js';
import { collectionsQuery, refreshTree, spacesQuery, type Space, type Organization } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { showUndo } from '../ui/toasts.js';
import { type Movable, workspaceTree } from './tree-data.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

export async function moveEntry(entry: Movable, body: Schemas['MoveInWorkspace']): Promise<void> {
  keep(
    entry.object === 'space'
      ? await send('post', '/v1/spaces/{spaceId}/move', { spaceId: entry.id }, body)
      : await send('post', '/v1/collections/{collectionId}/move', { collectionId: entry.id }, body),
  );
  await refreshTree(entry.organization);
}

export async function renameEntry({ object, id }: Movable, title: string): Promise<void> {
  if (object === 'space') {
    keep(await send('patch', '/v1/spaces/{spaceId}', { spaceId: id }, { title }));
    void queries.invalidateQueries({ queryKey: ['space', id] });
  } else keep(await send('patch', '/v1/collections/{collectionId}', { collectionId: id }, { title }));
}

/** Puts a space into the trash; the toast takes it back. */
export async function deleteSpace({ id, title, organization }: Space): Promise<void> {
  await send('delete', '/v1/spaces/{spaceId}', { spaceId: id });
  queries.setQueryData(spacesQuery(organization).queryKey, (spaces) => spaces?.filter((each) => each.id !== id));
  void queries.invalidateQueries({ queryKey: ['organization', organization, 'trash'] });
  showUndo(texts.people.tree.deleted(title), () => restoreSpace(organization, id));
}

export async function restoreSpace(organizationId: string, spaceId: string): Promise<void> {
  await send('post', '/v1/spaces/{spaceId}/restore', { spaceId });
  await Promise.all([refreshTree(organizationId), queries.invalidateQueries({ queryKey: ['space', spaceId] })]);
}

export async function deleteCollection(organizationId: string, collectionId: string): Promise<void> {
  await send('delete', '/v1/collections/{collectionId}', { collectionId });
  await refreshTree(organizationId);
}

/** Puts an entry that was changed in the place of what it was. */
function keep(entry: Movable): void {
  const { queryKey } = (entry.object === 'space' ? spacesQuery : collectionsQuery)(entry.organization);
  queries.setQueryData<readonly Movable[]>(queryKey, (list) =>
    list?.map((each) => (each.id === entry.id ? entry : each)),
  );
}

/** The tree of an organization, from its two lists. */
export function useWorkspaceTree(organization: Organization) {
  const spaces = useQuery(spacesQuery(organization.id));
  const collections = useQuery(collectionsQuery(organization.id));
  const tree = useMemo(
    () => workspaceTree(organization, [...(collections.data ?? []), ...(spaces.data ?? [])]),
    [organization, collections.data, spaces.data],
  );
  return { spaces, collections, tree };
}
