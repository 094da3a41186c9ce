import { useQuery } from '@tanstack/react-query';
import { usePlace } from '../place.js';
import { filesQuery, revisionQuery } from '../queries.js';
import type { TreeData } from '../tree/tree-data.js';
import type { References } from './completions.js';

/** The things of the space that a text can refer to. */
export function useReferences(tree: TreeData): References {
  const place = usePlace();
  const { data: files = [] } = useQuery(filesQuery(place));
  const { data: revision } = useQuery({ ...revisionQuery(place), staleTime: 60_000 });
  const { variables = {}, reusableContents = [] } = revision ?? {};
  return { tree, files, variables, reusableContents };
}
