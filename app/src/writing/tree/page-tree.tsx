import { Menu, Tooltip } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import IconGroup from '~icons/fa7-regular/folder';
import IconPage from '~icons/fa7-regular/file-lines';
import IconLink from '~icons/fa7-solid/arrow-up-right-from-square';
import IconHidden from '~icons/fa7-solid/eye-slash';
import { texts } from '../../texts/en.js';
import { Note } from '../../ui/note.js';
import { emojiOf, PageIcon } from '../../ui/page-icon.js';
import { childrenOf, ROOT } from '../../ui/tree/forest.js';
import { Tree } from '../../ui/tree/tree.js';
import type { RowActions } from '../../ui/tree/use-item-tree.js';
import { usePlace } from '../place.js';
import type { Page } from '../queries.js';
import { type Direction, takesChildren, type TreeData } from './tree-data.js';
import { openMade, type TreeActions } from './use-tree-actions.js';

const STEPS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};
const words = texts.writing.tree;

interface PageTreeProps {
  readonly tree: TreeData;
  /** The page that is shown. */
  readonly current: string | undefined;
  readonly onOpen: (page: Page) => unknown;
  readonly onSettings: (page: Page) => void;
  /** Absent where the pages can only be read. */
  readonly actions: TreeActions | undefined;
}

/** The pages of a space as a tree; groups at the top are open at first. */
export function PageTree({ tree, current, onOpen, onSettings, actions }: PageTreeProps): ReactNode {
  const { spaceId } = usePlace();
  const roots = childrenOf(tree, ROOT);
  if (roots.length === 0) return <Note p="sm">{actions ? words.emptyText : words.emptyRead}</Note>;
  return (
    <Tree<Page>
      key={spaceId}
      label={words.label}
      forest={tree}
      current={current}
      storageKey={`bindery.tree.${spaceId}`}
      openAtFirst={roots.filter((id) => tree.items.get(id)?.type === 'group')}
      nameOf={({ title }) => title}
      takesChildren={takesChildren}
      icon={(page) => <PageIcon icon={page.icon} emoji={emojiOf(page)} fallback={<KindIcon page={page} />} />}
      marks={(page) => page.hidden === true && <HiddenMark />}
      onOpen={onOpen}
      mayTake={(into) => into === undefined || takesChildren(into)}
      {...(actions && {
        onKey: (event, page) => handleKey(event, page, actions),
        onRename: (page, title) => void actions.update(page, { title }),
        mayMove: () => true,
        onMove: (page, into, at = childrenOf(tree, into).length) => actions.move(page, { into, at }),
        menu: (page, row) => <PageMenu {...{ page, row, actions, onOpen, onSettings }} />,
      })}
    />
  );
}

function HiddenMark(): ReactNode {
  return (
    <Tooltip label={words.hidden}>
      <IconHidden className="hidden-mark" width={14} role="img" aria-label={words.hidden} />
    </Tooltip>
  );
}

function KindIcon({ page }: Readonly<{ page: Page }>): ReactNode {
  const Icon = page.type === 'group' ? IconGroup : page.type === 'link' ? IconLink : IconPage;
  return <Icon className="page-icon" aria-hidden="true" />;
}

function handleKey(event: KeyboardEvent, page: Page, actions: TreeActions): boolean {
  const direction = event.altKey ? STEPS[event.key] : undefined;
  if (direction) void actions.step(page, direction);
  else if (event.key === 'Delete') void actions.remove(page);
  else return false;
  return true;
}

interface PageMenuProps extends Pick<PageTreeProps, 'onOpen' | 'onSettings'> {
  readonly page: Page;
  readonly row: RowActions;
  readonly actions: TreeActions;
}

/** The actions on a page of the tree. */
function PageMenu({ page, row, actions, onOpen, onSettings }: PageMenuProps): ReactNode {
  const addBelow = (): void => {
    row.expand();
    void openMade(actions.add(page.id, { type: 'document', title: words.newPage }), onOpen);
  };
  const duplicate = (): void => void openMade(actions.duplicate(page), onOpen);
  return (
    <>
      {takesChildren(page) && <Menu.Item onClick={addBelow}>{words.addBelow}</Menu.Item>}
      <Menu.Item onClick={row.rename}>{words.rename}</Menu.Item>
      {page.type === 'document' && <Menu.Item onClick={duplicate}>{words.duplicate}</Menu.Item>}
      {page.type !== 'computed' && (
        <>
          <Menu.Item onClick={() => onSettings(page)}>{texts.writing.settings.title}</Menu.Item>
          <Menu.Item onClick={() => void actions.update(page, { hidden: page.hidden !== true })}>
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
    </>
  );
}
