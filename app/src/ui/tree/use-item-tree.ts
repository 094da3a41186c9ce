import * as library from '@headless-tree/core';
import { useTree } from '@headless-tree/react';
import { useLocalStorage } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ancestorsOf, childrenOf, type Forest, ROOT } from './forest.js';

export const INDENT = 16;
const FEATURES = [
  library.syncDataLoaderFeature,
  library.hotkeysCoreFeature,
  library.dragAndDropFeature,
  library.keyboardDragAndDropFeature,
  library.renamingFeature,
];

/** A row of the library; its data is its id. */
export type Row = library.ItemInstance<string>;

/** The actions of a menu on its row. */
export type RowActions = Readonly<{ expand: () => void; rename: () => void }>;

export interface TreeProps<Item> {
  readonly label: string;
  readonly forest: Forest<Item>;
  /** The id of the item that is shown beside the tree. */
  readonly current: string | undefined;
  /** The key under which this browser remembers which items are open. */
  readonly storageKey: string;
  readonly openAtFirst?: readonly string[];
  readonly nameOf: (item: Item) => string;
  readonly takesChildren: (item: Item) => boolean;
  readonly icon: (item: Item) => ReactNode;
  /** Marks behind the name. */
  readonly marks?: (item: Item) => ReactNode;
  readonly onOpen: (item: Item) => unknown;
  /** A click opens or closes what is below the item, too. */
  readonly togglesOnClick?: boolean;
  /** Handles further keys; true if it was one. */
  readonly onKey?: ((event: KeyboardEvent, item: Item) => boolean) | undefined;
  /** Absent where items are not renamed in their place. */
  readonly onRename?: ((item: Item, name: string) => void) | undefined;
  /** The items of the menu of an item. */
  readonly menu?: ((item: Item, row: RowActions) => ReactNode) | undefined;
  /** Absent where nothing is moved. */
  readonly mayMove?: ((item: Item) => boolean) | undefined;
  /** `into` is `undefined` for the top. */
  readonly mayTake?: (into: Item | undefined) => boolean;
  /** Moves an item into another one or `ROOT`, after `at` of the others there; at the end without it. */
  readonly onMove?: (item: Item, into: string, at: number | undefined) => void | Promise<void>;
}

/** The tree of the library for the items of a view. */
export function useItemTree<Item>(
  view: TreeProps<Item>,
  scrollTo: (index: number) => void,
): library.TreeInstance<string> {
  const { forest } = view;
  const [expandedItems, setExpandedItems] = useExpanded(view);
  const itemOf = (row: Row): Item | undefined => forest.items.get(row.getId());
  const isMovable = (row: Row): boolean => {
    const item = itemOf(row);
    return item !== undefined && view.mayMove?.(item) === true;
  };
  const tree = useTree<string>({
    rootItemId: ROOT,
    instanceBuilder: library.buildProxiedInstance,
    state: { expandedItems },
    setExpandedItems,
    dataLoader: { getItem: (id) => id, getChildren: (id) => [...childrenOf(forest, id)] },
    getItemName: (row) => {
      const item = itemOf(row);
      return item === undefined ? view.label : view.nameOf(item);
    },
    isItemFolder: (row) => {
      const item = itemOf(row);
      return item !== undefined && view.takesChildren(item);
    },
    indent: INDENT,
    canReorder: true,
    canDrag: (rows) => rows.every(isMovable),
    canDrop: (_rows, { item: into }) => into.isFolder() && view.mayTake?.(itemOf(into)) === true,
    onDrop: async (rows, target) => {
      for (const row of rows) await drop(row, target, view);
    },
    canRename: () => view.onRename !== undefined,
    onRename: (row, name) => {
      const item = itemOf(row);
      if (item !== undefined && name.trim() !== '') view.onRename?.(item, name.trim());
    },
    scrollToItem: (row) => scrollTo(row.getItemMeta().index),
    features: FEATURES,
  });
  // The tree keeps what its loader gave before: it reads anew with every change.
  const read = useRef(forest);
  useEffect(() => {
    if (read.current === forest) return;
    read.current = forest;
    tree.rebuildTree();
  }, [tree, forest]);
  useRevealed(view, expandedItems, setExpandedItems);
  return tree;
}

async function drop<Item>(
  row: Row,
  target: library.DragTarget<string>,
  { forest, onMove }: TreeProps<Item>,
): Promise<void> {
  const item = forest.items.get(row.getId());
  const at = library.isOrderedDragTarget(target) ? target.insertionIndex : undefined;
  if (item !== undefined) await onMove?.(item, target.item.getId(), at);
}

type Ids = string[];

function useExpanded<Item>({ storageKey, openAtFirst = [] }: TreeProps<Item>) {
  const [first] = useState(() => [...openAtFirst]);
  const [stored, setStored] = useLocalStorage<Ids | null>({
    key: storageKey,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const expanded = stored ?? first;
  const setExpanded = (next: Ids | ((before: Ids) => Ids)): void =>
    setStored(typeof next === 'function' ? next(expanded) : next);
  return [expanded, setExpanded] as const;
}

/** Opens what stands above the item that is shown, once for each item and each place of it. */
function useRevealed<Item>({ forest, current }: TreeProps<Item>, expanded: Ids, setExpanded: (ids: Ids) => void): void {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (current === undefined || !forest.items.has(current)) return;
    const place = `${forest.parents.get(current) ?? ''} ${current}`;
    if (shown.current === place) return;
    shown.current = place;
    const closed = ancestorsOf(forest, current).filter((id) => !expanded.includes(id));
    if (closed.length > 0) setExpanded([...expanded, ...closed]);
  }, [forest, current, expanded, setExpanded]);
}
