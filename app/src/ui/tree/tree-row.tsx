import { ActionIcon } from '@mantine/core';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import IconChevron from '~icons/fa7-solid/chevron-right';
import IconMore from '~icons/fa7-solid/ellipsis';
import { texts } from '../../texts/en.js';
import { INDENT, type Row, type TreeProps } from './use-item-tree.js';

const words = texts.writing.tree;

/** The item whose menu is open, and the place of the menu in the window. */
export interface MenuPlace {
  readonly id: string;
  readonly left: number;
  readonly top: number;
}

interface TreeRowProps<Item> {
  readonly view: TreeProps<Item>;
  readonly row: Row;
  readonly item: Item;
  readonly top: number;
  readonly onMenu: (place: MenuPlace) => void;
}

/** One item of a tree. */
export function TreeRow<Item>({ view, row, item, top, onMenu }: TreeRowProps<Item>): ReactNode {
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
      {hasChildren ? <Toggle row={row} name={name} /> : <span className="tree-row-toggle" />}
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
        <ActionIcon
          className="tree-row-menu"
          size="sm"
          aria-label={words.actions(name)}
          aria-haspopup="menu"
          tabIndex={row.isFocused() ? 0 : -1}
          onClick={openMenu}
        >
          <IconMore width={14} aria-hidden="true" />
        </ActionIcon>
      )}
    </div>
  );
}

function Toggle({ row, name }: Readonly<{ row: Row; name: string }>): ReactNode {
  return (
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
