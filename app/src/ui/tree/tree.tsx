import { AssistiveTreeDescription } from '@headless-tree/react';
import { Menu } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { texts } from '../../texts/en.js';
import './tree.css';
import { type MenuPlace, TreeRow } from './tree-row.js';
import { type Row, type TreeProps, useItemTree } from './use-item-tree.js';

const ROW_HEIGHT = 32;

/**
 * Items below each other, of which only the rows in sight are drawn: opened by Enter, renamed by F2, moved by dragging or
 * by Ctrl+Shift+D and arrows, with a menu at each row.
 */
export function Tree<Item>(view: TreeProps<Item>): ReactNode {
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

function RowMenu<Item>({ view, row, place: { left, top }, onClose }: RowMenuProps<Item>): ReactNode {
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
