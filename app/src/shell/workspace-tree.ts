import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { collectionsQuery, spacesQuery, type Organization } from '../people/queries.js';
import { workspaceTree } from './tree-data.js';

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
