import type { ItemInstance } from '@headless-tree/core';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import IconChevron from '~icons/fa7-solid/chevron-right';
import IconLink from '~icons/fa7-solid/arrow-up-right-from-square';
import IconHidden from '~icons/fa7-solid/eye-slash';
import IconPage from '~icons/fa7-regular/file-lines';
import IconGroup from '~icons/fa7-regular/folder';
import { texts } from '../../texts/en.js';
import { ActionMenu } from '../../ui/action-menu.js';
import { emojiOf, PageIcon } from '../../ui/page-icon.js';
import type { Page } from '../queries.js';
import { type Direction, takesChildren } from './tree-data.js';
import type { TreeActions } from './use-tree-actions.js';

const STEPS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};
const words = texts.writing.tree;

/** One page in the tree. */
export function PageRow({
  item,
  top,
  indent,
  current,
  actions,
  onOpen,
  onSettings,
}: Readonly<{
  item: ItemInstance<Page>;
  top: number;
  indent: number;
  current: string | undefined;
  actions?: TreeActions;
  onOpen: (page: Page) => void;
  onSettings: (page: Page) => void;
}>): ReactNode {
  const page = item.getItemData();
  const hasChildren = item.getChildren().length > 0;
  const { 'aria-expanded': _, ...rowProps } = item.getProps();
  const marks = [
    page.id === current && 'current',
    page.hidden === true && 'hidden-page',
    item.isDragTarget() && 'drop',
    item.isFocused() && 'focused',
  ];
  return (
    <div
      {...rowProps}
      {...(hasChildren && { 'aria-expanded': item.isExpanded() })}
      {...(page.id === current && { 'aria-current': 'page' })}
      className={['page-row', ...marks].filter(Boolean).join(' ')}
      style={{ top, paddingLeft: 4 + item.getItemMeta().level * indent }}
      onClick={(event: MouseEvent) => {
        item.setFocused();
        if (!event.defaultPrevented) onOpen(page);
      }}
      onFocus={() => {
        if (!item.isFocused()) item.setFocused();
      }}
      onKeyDown={(event: KeyboardEvent) => handleKey(event, page, actions, onOpen)}
    >
      <Chevron item={item} hasChildren={hasChildren} />
      <PageIcon icon={page.icon} emoji={emojiOf(page)} fallback={<KindIcon page={page} />} />
      {item.isRenaming() ? (
        <input
          {...item.getRenameInputProps()}
          aria-label={words.renameTo}
          onClick={(event) => event.preventDefault()}
        />
      ) : (
        <span className="page-row-title">{page.title === '' ? texts.writing.untitled : page.title}</span>
      )}
      {page.hidden === true && (
        <Tooltip label={words.hidden}>
          <IconHidden width={14} role="img" aria-label={words.hidden} />
        </Tooltip>
      )}
      {actions && <PageMenu item={item} actions={actions} onOpen={onOpen} onSettings={onSettings} />}
    </div>
  );
}

function Chevron({ item, hasChildren }: Readonly<{ item: ItemInstance<Page>; hasChildren: boolean }>): ReactNode {
  if (!hasChildren) return <span className="page-row-chevron" />;
  return (
    <ActionIcon
      className="page-row-chevron"
      size="xs"
      tabIndex={-1}
      aria-label={words.toggle(item.getItemName(), item.isExpanded())}
      onClick={(event) => {
        event.stopPropagation();
        if (item.isExpanded()) item.collapse();
        else item.expand();
      }}
    >
      <IconChevron className={item.isExpanded() ? 'open' : ''} width={9} aria-hidden="true" />
    </ActionIcon>
  );
}

function KindIcon({ page }: Readonly<{ page: Page }>): ReactNode {
  const Icon = page.type === 'group' ? IconGroup : page.type === 'link' ? IconLink : IconPage;
  return <Icon className="page-icon" aria-hidden="true" />;
}

function handleKey(
  event: KeyboardEvent,
  page: Page,
  actions: TreeActions | undefined,
  onOpen: (page: Page) => void,
): void {
  if (event.target !== event.currentTarget) return;
  const direction = event.altKey ? STEPS[event.key] : undefined;
  if (event.key === 'Enter') onOpen(page);
  else if (direction) void actions?.step(page, direction);
  else if (event.key === 'Delete') void actions?.remove(page);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

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
