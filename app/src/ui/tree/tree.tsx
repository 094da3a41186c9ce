import { AssistiveTreeDescription } from '@headless-tree/react';
import { Menu, ActionIcon } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { texts } from '../../texts/en.js';
import { IconButton } from '../buttons.js';
import './tree.css';
import { type Row, type TreeProps, useItemTree, INDENT } from './use-item-tree.js';
import IconChevron from '~icons/fa7-solid/chevron-right';
import IconMore from '~icons/fa7-solid/ellipsis';

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
    <div ref={scroller} className="tree">
      {view.mayMove && <AssistiveTreeDescription tree={tree} />}
      <div {...containerProps} style={{ ...style, height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index: at, start }) => {
          const row = rows[at];
          const item = row && forest.items.get(row.getId());
          if (!row || item === undefined) return null;
          return <TreeRow key={row.getId()} view={view} row={row} item={item} top={start} onMenu={setMenu} />;
        })}
        <div className="tree-line" style={tree.getDragLineStyle()} />
      </div>
      {menu && (
        <RowMenu view={view} row={tree.getItemInstance(menu.id)} place={menu} onClose={() => setMenu(undefined)} />
      )}
    </div>
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
      <Menu.Dropdown aria-label={texts.writing.tree.actions(view.nameOf(item))}>
        {view.menu?.(item, { expand: () => row.expand(), rename: () => row.startRenaming() })}
      </Menu.Dropdown>
    </Menu>
  );
}

const words = texts.writing.tree;

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
  const name = view.nameOf(item) || texts.writing.untitled;
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
      aria-label={name}
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
          size="xs"
          tabIndex={-1}
          aria-label={words.toggle(name, row.isExpanded())}
          onClick={(event) => {
            event.stopPropagation();
            toggle(row);
          }}
        >
          <IconChevron width={9} aria-hidden="true" />
        </ActionIcon>
      ) : (
        <span className="tree-row-toggle" />
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
