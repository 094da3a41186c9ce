import { Menu } from '@mantine/core';
import type { ItemInstance } from '@headless-tree/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { ActionMenu } from '../../ui/action-menu.js';
import type { Page } from '../queries.js';
import { takesChildren } from './tree-data.js';
import type { TreeActions } from './use-tree-actions.js';

const words = texts.writing.tree;

/** What can be done with a page of the tree. */
export function PageMenu({
  item,
  actions,
  onOpen,
  onSettings,
}: Readonly<{
  item: ItemInstance<Page>;
  actions: TreeActions;
  onOpen: (page: Page) => void;
  onSettings: (page: Page) => void;
}>): ReactNode {
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
      <ActionMenu label={words.actions(page.title)} size="sm" tabIndex={item.isFocused() ? 0 : -1}>
        {takesChildren(page) && <Menu.Item onClick={() => void addBelow()}>{words.addBelow}</Menu.Item>}
        <Menu.Item onClick={() => item.startRenaming()}>{words.rename}</Menu.Item>
        {page.type === 'document' && <Menu.Item onClick={() => void duplicate()}>{words.duplicate}</Menu.Item>}
        {page.type !== 'computed' && (
          <>
            <Menu.Item onClick={() => onSettings(page)}>{texts.writing.settings.title}</Menu.Item>
            <Menu.Item onClick={() => void actions.setHidden(page, page.hidden !== true)}>
              {page.hidden === true ? words.showPage : words.hidePage}
            </Menu.Item>
          </>
        )}
        <Menu.Divider />
        {(['up', 'down', 'in', 'out'] as const).map((direction) => (
          <Menu.Item key={direction} onClick={() => void actions.step(page, direction)}>
            {words.move[direction]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => void actions.remove(page)}>
          {texts.common.delete}
        </Menu.Item>
      </ActionMenu>
    </div>
  );
}
