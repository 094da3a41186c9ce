import {
  buildProxiedInstance,
  dragAndDropFeature,
  type DragTarget,
  hotkeysCoreFeature,
  isOrderedDragTarget,
  type ItemInstance,
  renamingFeature,
  selectionFeature,
  syncDataLoaderFeature,
} from '@headless-tree/core';
import { useTree } from '@headless-tree/react';
import type {} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { texts } from '../../texts/en.js';
import { Note } from '../../ui/note.js';
import { usePlace } from '../place.js';
import type { Page } from '../queries.js';
import { PageRow } from './page-row.js';
import { ancestorsOf, childrenOf, ROOT, takesChildren, type TreeData } from './tree-data.js';
import type { TreeActions } from './use-tree-actions.js';
import './page-tree.css';

const ROW_HEIGHT = 32;
const INDENT = 16;
const TOP: Page = { id: ROOT, title: '', type: 'group' };

interface PageTreeProps {
  readonly tree: TreeData;
  /** The page that is shown. */
  readonly current: string | undefined;
  readonly onOpen: (page: Page) => void;
  readonly onSettings: (page: Page) => void;
  /** Absent where the pages can only be read. */
  readonly actions: TreeActions | undefined;
}

/** The pages of a space as a tree: only the rows in sight are drawn. */
export function PageTree(props: PageTreeProps): ReactNode {
  const { tree: data, current, onOpen, actions } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [expandedItems, setExpandedItems] = useExpanded(data);
  const tree = useTree<Page>({
    rootItemId: ROOT,
    // Ten thousand instances with all their methods take a second to make.
    instanceBuilder: buildProxiedInstance,
    state: { expandedItems },
    setExpandedItems,
    getItemName: (item) => item.getItemData().title,
    isItemFolder: (item) => item.getId() === ROOT || takesChildren(item.getItemData()),
    dataLoader: {
      getItem: (id) => data.nodes.get(id)?.page ?? TOP,
      getChildren: (id) => [...childrenOf(data, id)],
    },
    indent: INDENT,
    canReorder: true,
    canDrag: () => actions !== undefined,
    canDrop: (items, target) => mayDrop(items, target),
    onDrop: async (items, target) => {
      const [item] = items;
      if (item) await actions?.move(item.getItemData(), placeOf(target, data));
    },
    canRename: () => actions !== undefined,
    onRename: (item, title) => {
      if (title.trim() !== '') void actions?.rename(item.getItemData(), title.trim());
    },
    onPrimaryAction: (item) => onOpen(item.getItemData()),
    scrollToItem: (item) => virtualizer.scrollToIndex(item.getItemMeta().index),
    features: [syncDataLoaderFeature, selectionFeature, hotkeysCoreFeature, dragAndDropFeature, renamingFeature],
  });
  const items = tree.getItems();
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => items[index]?.getId() ?? index,
    overscan: 8,
  });

  // The tree keeps what its loader gave before: it reads anew with every change.
  const read = useRef(data);
  useEffect(() => {
    if (read.current === data) return;
    read.current = data;
    tree.rebuildTree();
  }, [tree, data]);
  useRevealed(data, current, expandedItems, setExpandedItems);
  const index = useMemo(() => items.findIndex((item) => item.getId() === current), [items, current]);
  useEffect(() => {
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' });
  }, [virtualizer, index]);

  if (data.roots.length === 0)
    return <Note p="sm">{actions ? texts.writing.tree.emptyText : texts.writing.tree.emptyRead}</Note>;
  return (
    <div ref={scroller} className="page-tree">
      <div
        {...tree.getContainerProps(texts.writing.tree.label)}
        className="page-tree-rows"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ key, index: at, start }) => {
          const item = items[at];
          if (!item) return null;
          return <PageRow key={key} {...props} item={item} top={start} indent={INDENT} />;
        })}
        <div className="page-tree-line" style={tree.getDragLineStyle()} />
      </div>
    </div>
  );
}

/** Opens what stands above the page that is shown, once for each page and each place of it. */
function useRevealed(
  data: TreeData,
  current: string | undefined,
  expanded: string[],
  setExpanded: (ids: string[]) => void,
): void {
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (current === undefined || !data.nodes.has(current)) return;
    const place = `${data.nodes.get(current)?.parent ?? ''} ${current}`;
    if (shown.current === place) return;
    shown.current = place;
    const closed = ancestorsOf(data, current).filter((id) => !expanded.includes(id));
    if (closed.length > 0) setExpanded([...expanded, ...closed]);
  }, [data, current, expanded, setExpanded]);
}

function mayDrop(items: ItemInstance<Page>[], { item: into }: DragTarget<Page>): boolean {
  const [item] = items;
  if (!item || items.length !== 1) return false;
  const isFolder = into.getId() === ROOT || takesChildren(into.getItemData());
  return isFolder && into.getId() !== item.getId() && !into.isDescendentOf(item.getId());
}

function placeOf(target: DragTarget<Page>, data: TreeData): { into: string; at: number } {
  const into = target.item.getId();
  return { into, at: isOrderedDragTarget(target) ? target.insertionIndex : childrenOf(data, into).length };
}

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
