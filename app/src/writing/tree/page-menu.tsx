import { ActionIcon, Menu } from '@mantine/core';
import type { ItemInstance } from '@headless-tree/core';
import type { ReactNode } from 'react';
import IconMore from '~icons/fa7-solid/ellipsis';
import { texts } from '../../texts/en.js';
import type { Page } from '../queries.js';
import { takesChildren } from './tree-data.js';
import type { TreeActions } from './use-tree-actions.js';

const words = texts.writing.tree;

interface PageMenuProps {
  readonly item: ItemInstance<Page>;
  readonly actions: TreeActions;
  readonly onOpen: (page: Page) => void;
  readonly onSettings: (page: Page) => void;
}

/** What can be done with a page of the tree. */
export function PageMenu({ item, actions, onOpen, onSettings }: PageMenuProps): ReactNode {
  const page = item.getItemData();
  const addBelow = async (): Promise<void> => {
    item.expand();
    const id = await actions.add(page.id, { type: 'document', title: words.newPage });
    if (id !== undefined) onOpen({ id, title: words.newPage, type: 'document' });
  };
  const duplicate = async (): Promise<void> => {
    const id = await actions.duplicate(page);
    if (id !== undefined) onOpen({ ...page, id });
  };
  return (
    <div
      className="page-row-menu"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon size="sm" aria-label={words.actions(page.title)} tabIndex={item.isFocused() ? 0 : -1}>
            <IconMore width={14} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {takesChildren(page) && <Menu.Item onClick={() => void addBelow()}>{words.addBelow}</Menu.Item>}
          <Menu.Item onClick={() => item.startRenaming()}>{words.rename}</Menu.Item>
          {page.type === 'document' && <Menu.Item onClick={() => void duplicate()}>{words.duplicate}</Menu.Item>}
          {page.type !== 'computed' && <Menu.Item onClick={() => onSettings(page)}>{words.settings}</Menu.Item>}
          {page.type !== 'computed' && (
            <Menu.Item onClick={() => void actions.setHidden(page, page.hidden !== true)}>
              {page.hidden === true ? words.showPage : words.hidePage}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item onClick={() => void actions.step(page, 'up')}>{words.moveUp}</Menu.Item>
          <Menu.Item onClick={() => void actions.step(page, 'down')}>{words.moveDown}</Menu.Item>
          <Menu.Item onClick={() => void actions.step(page, 'in')}>{words.moveIn}</Menu.Item>
          <Menu.Item onClick={() => void actions.step(page, 'out')}>{words.moveOut}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => void actions.remove(page)}>
            {words.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
