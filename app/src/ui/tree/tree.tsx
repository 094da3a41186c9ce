import * as library from '@headless-tree/core';
import { AssistiveTreeDescription, useTree } from '@headless-tree/react';
import { ActionIcon, Box, Menu } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { IconButton } from '../buttons.js';
import './tree.css';
import IconChevron from '~icons/fa7-solid/chevron-right';
import IconMore from '~icons/fa7-solid/ellipsis';
import { useLocalStorage } from '@mantine/hooks';
import { ancestorsOf, childrenOf, type Forest, ROOT } from './forest.js';

const ROW_HEIGHT = 32;

/**
 * Items below each other, of which only the rows in sight are drawn: opened by Enter, renamed by F2, moved by dragging or
 * by Ctrl+Shift+D and arrows, with a menu at each row.
 */
export function Tree<Item>(view: TreeProps<Item>) {
  const { forest, current } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<MenuPlace>();
  const tree = useItemTree(view, (index) => virtualizer.scrollToIndex(index));
  const rows = tree.getItems();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const index = current === undefined ? -1 : tree.getItemInstance(current).getItemMeta().index;
  useEffect(() => {
    if (index >= 0) virtualizer.scrollToIndex(index, { align: 'auto' });
  }, [virtualizer, index]);

  const { style, ...containerProps } = tree.getContainerProps(view.label) as { style?: object };
  return (
    <Box ref={scroller} pos="relative" flex={1} mih={0} style={{ overflow: 'auto' }}>
      {view.mayMove && <AssistiveTreeDescription tree={tree} />}
      <div {...containerProps} style={{ ...style, height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index: at, start }) => {
          const row = rows[at];
          const item = row && forest.items.get(row.getId());
          if (!row || item === undefined) return null;
          return <TreeRow key={row.getId()} view={view} row={row} item={item} top={start} onMenu={setMenu} />;
        })}
        <Box bg="var(--mantine-primary-color-filled)" h={2} style={tree.getDragLineStyle()} />
      </div>
      {menu && (
        <RowMenu view={view} row={tree.getItemInstance(menu.id)} place={menu} onClose={() => setMenu(undefined)} />
      )}
    </Box>
  );
}

type RowMenuProps<Item> = Readonly<{ view: TreeProps<Item>; row: Row; place: MenuPlace; onClose: () => void }>;

function RowMenu<Item>({ view, row, place: { left, top }, onClose }: RowMenuProps<Item>) {
  const item = view.forest.items.get(row.getId());
  if (item === undefined) return null;
  const close = (): void => {
    onClose();
    if (!row.isRenaming()) row.getElement()?.focus();
  };
  return (
    <Menu opened onChange={(opened) => !opened && close()} position="bottom-start" withinPortal>
      <Menu.Target>
        <span style={{ position: 'fixed', left, top }} />
      </Menu.Target>
      <Menu.Dropdown aria-label={texts.tree.actions(view.nameOf(item))}>
        {view.menu?.(item, { expand: () => row.expand(), rename: () => row.startRenaming() })}
      </Menu.Dropdown>
    </Menu>
  );
}

const words = texts.tree;

/** The item whose menu is open, and the place of the menu in the window. */
type MenuPlace = Readonly<{ id: string; left: number; top: number }>;

type TreeRowProps<Item> = Readonly<{
  view: TreeProps<Item>;
  row: Row;
  item: Item;
  top: number;
  onMenu: (place: MenuPlace) => void;
}>;

/** One item of a tree. */
function TreeRow<Item>({ view, row, item, top, onMenu }: TreeRowProps<Item>) {
  const id = row.getId();
  const hasChildren = view.forest.children.has(id);
  const name = view.nameOf(item) || texts.common.untitled;
  const marks = view.markNames?.(item) ?? [];
  const { 'aria-expanded': isExpanded, ...rowProps } = row.getProps();
  const openMenu = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    onMenu({ id, left, top: bottom });
  };
  return (
    <div
      {...rowProps}
      aria-label={[name, ...marks].join(', ')}
      aria-expanded={hasChildren ? isExpanded === true : undefined}
      aria-current={id === view.current ? 'page' : undefined}
      data-target={row.isUnorderedDragTarget() || undefined}
      className="tree-row"
      style={{ top, paddingLeft: 4 + row.getItemMeta().level * INDENT }}
      onClick={() => {
        row.setFocused();
        view.onOpen(item);
        if (view.togglesOnClick === true) toggle(row);
      }}
      onContextMenu={view.menu && openMenu}
      onFocus={() => {
        if (!row.isFocused()) row.setFocused();
      }}
      onKeyDownCapture={(event) => handleKey(event, view, row, item)}
    >
      {hasChildren ? (
        <ActionIcon
          className="tree-row-toggle"
          flex="none"
          size={18}
          tabIndex={-1}
          aria-label={words.toggle(name, row.isExpanded())}
          onClick={(event) => {
            event.stopPropagation();
            toggle(row);
          }}
        >
          <IconChevron width={9} />
        </ActionIcon>
      ) : (
        <Box w={18} flex="none" />
      )}
      {view.icon(item)}
      {row.isRenaming() ? (
        <input
          {...row.getRenameInputProps()}
          aria-label={words.renameTo}
          onClick={(event) => event.stopPropagation()}
        />
      ) : (
        <span className="tree-row-name">{name}</span>
      )}
      {view.marks?.(item)}
      {view.menu && (
        <IconButton
          label={words.actions(name)}
          Icon={IconMore}
          className="tree-row-menu"
          size="sm"
          aria-haspopup="menu"
          tabIndex={row.isFocused() ? 0 : -1}
          onClick={openMenu}
        />
      )}
    </div>
  );
}

function toggle(row: Row): void {
  if (row.isExpanded()) row.collapse();
  else row.expand();
}

/** The library has no key that opens an item; it sees only the keys that are not handled here. */
function handleKey<Item>(event: KeyboardEvent, view: TreeProps<Item>, row: Row, item: Item): void {
  if (event.target !== event.currentTarget || row.getTree().getState().dnd) return;
  if (event.key === 'Enter') view.onOpen(item);
  else if (view.onKey?.(event, item) !== true) return;
  event.preventDefault();
  event.stopPropagation();
}

export const INDENT = 16;

/** Dragging asks for the selected items, and proxied instances fail where no feature answers: none is ever selected. */
const noSelection: library.FeatureImplementation<string> = {
  key: 'no-selection',
  treeInstance: { getSelectedItems: () => [], setSelectedItems: () => undefined },
};

const FEATURES = [
  library.syncDataLoaderFeature,
  noSelection,
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
  /** The names of the marks, for those who do not see them. */
  readonly markNames?: (item: Item) => readonly string[];
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
  readonly mayTake?: (into: Item | undefined, moved: Item) => boolean;
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
    canDrop: (rows, { item: into }) =>
      into.isFolder() &&
      rows.every((row) => {
        const moved = itemOf(row);
        return moved !== undefined && view.mayTake?.(itemOf(into), moved) === true;
      }),
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
