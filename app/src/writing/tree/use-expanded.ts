import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { usePlace } from '../place.js';
import type { TreeData } from './tree-data.js';

type Ids = string[];

/** The pages of a tree that are open, remembered in this browser; groups at the top are open at first. */
export function useExpanded({ nodes, roots }: TreeData): readonly [Ids, (next: Ids | ((before: Ids) => Ids)) => void] {
  const { spaceId } = usePlace();
  const [stored, setStored] = useLocalStorage<Ids | null>({ key: `bindery.tree.${spaceId}`, defaultValue: null });
  const expanded = useMemo(
    () => stored ?? roots.filter((id) => nodes.get(id)?.page.type === 'group'),
    [stored, nodes, roots],
  );
  const setExpanded = (next: Ids | ((before: Ids) => Ids)): void =>
    setStored(typeof next === 'function' ? next(expanded) : next);
  return [expanded, setExpanded];
}
