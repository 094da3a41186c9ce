import { Button, Drawer, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import IconAdd from '~icons/fa7-solid/plus';
import IconPages from '~icons/fa7-solid/bars-staggered';
import { texts } from '../texts/en.js';
import { TextLink } from '../ui/links.js';
import { emojiOf } from '../ui/page-icon.js';
import { usePlace, useSpace } from './place.js';
import type { Page } from './queries.js';
import { NewLink } from './tree/new-link.js';
import { PageTree } from './tree/page-tree.js';
import { ROOT, type TreeData } from './tree/tree-data.js';
import type { TreeActions } from './tree/use-tree-actions.js';

const words = texts.writing.tree;

interface PlaceSidebarProps {
  readonly tree: TreeData;
  readonly current: string | undefined;
  readonly actions: TreeActions | undefined;
  readonly onOpen: (page: Page) => void;
  readonly onSettings: (page: Page) => void;
}

/** The tree of a place with its other screens; on narrow screens it opens over the page. */
export function PlaceSidebar(props: PlaceSidebarProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const onOpen = (page: Page): void => {
    close();
    props.onOpen(page);
  };
  return (
    <>
      <aside className="place-sidebar" aria-label={texts.writing.pages}>
        <SidebarContent {...props} />
      </aside>
      <Button
        hiddenFrom="sm"
        flex="none"
        m="xs"
        variant="default"
        size="xs"
        leftSection={<IconPages aria-hidden="true" />}
        onClick={open}
      >
        {texts.writing.pages}
      </Button>
      <Drawer opened={isOpen} onClose={close} title={texts.writing.pages} size="xs">
        <div className="drawer-tree">
          <SidebarContent {...props} onOpen={onOpen} />
        </div>
      </Drawer>
    </>
  );
}

function SidebarContent(props: PlaceSidebarProps): ReactNode {
  const place = usePlace();
  const space = useSpace();
  const { actions, onOpen } = props;
  const base = place.changeRequestId === undefined ? '' : '/~/changes/$changeRequestId';
  return (
    <>
      <Group justify="space-between" wrap="nowrap" px={4}>
        <Text fw={600} truncate>
          {emojiOf(space)} {space.title}
        </Text>
        {actions && <AddMenu actions={actions} onOpen={onOpen} />}
      </Group>
      <PageTree {...props} onOpen={(page) => (page.type === 'computed' ? undefined : onOpen(page))} />
      <Group component="nav" gap="md" px={4} aria-label={words.files}>
        <TextLink size="sm" to={`/o/$organizationId/s/$spaceId${base}/~/files`} params={place}>
          {words.files}
        </TextLink>
        <TextLink size="sm" to={`/o/$organizationId/s/$spaceId${base}/~/variables`} params={place}>
          {words.variables}
        </TextLink>
        <TextLink size="sm" to="/o/$organizationId/s/$spaceId/~/history" params={place}>
          {words.history}
        </TextLink>
      </Group>
    </>
  );
}

type AddMenuProps = Readonly<{ actions: TreeActions; onOpen: (page: Page) => void }>;

function AddMenu({ actions, onOpen }: AddMenuProps): ReactNode {
  const [isLink, setIsLink] = useState(false);
  const add = async (type: 'document' | 'group', title: string): Promise<void> => {
    const id = await actions.add(ROOT, { type, title });
    if (id !== undefined) onOpen({ id, title, type });
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button flex="none" size="compact-sm" variant="light" leftSection={<IconAdd width={12} aria-hidden="true" />}>
            {words.add}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void add('document', words.newPage)}>{words.addPage}</Menu.Item>
          <Menu.Item onClick={() => void add('group', words.newGroup)}>{words.addGroup}</Menu.Item>
          <Menu.Item onClick={() => setIsLink(true)}>{words.addLink}</Menu.Item>
          <Menu.Label>{words.hint}</Menu.Label>
        </Menu.Dropdown>
      </Menu>
      <NewLink opened={isLink} onClose={() => setIsLink(false)} actions={actions} />
    </>
  );
}
