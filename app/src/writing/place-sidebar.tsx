import { Anchor, Button, Drawer, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import IconAdd from '~icons/fa7-solid/plus';
import IconPages from '~icons/fa7-solid/bars-staggered';
import { texts } from '../texts/en.js';
import type { Place } from './place.js';
import type { Page, Space } from './queries.js';
import { NewLink } from './tree/new-link.js';
import { PageTree } from './tree/page-tree.js';
import { emojiOf, ROOT, type TreeData } from './tree/tree-data.js';
import type { TreeActions } from './tree/use-tree-actions.js';

const words = texts.writing.tree;

interface PlaceSidebarProps {
  readonly place: Place;
  readonly space: Space;
  readonly tree: TreeData;
  readonly current: string | undefined;
  readonly actions: TreeActions | undefined;
  readonly open: (page: Page) => void;
  readonly onSettings: (page: Page) => void;
}

/** The tree of a place with its other screens; on narrow screens it opens over the page. */
export function PlaceSidebar(props: PlaceSidebarProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const openPage = (page: Page): void => {
    close();
    props.open(page);
  };
  return (
    <>
      <aside className="place-sidebar" aria-label={texts.writing.pages}>
        <SidebarContent {...props} />
      </aside>
      <div className="place-drawer-button">
        <Button variant="default" size="xs" leftSection={<IconPages aria-hidden="true" />} onClick={open}>
          {texts.writing.pages}
        </Button>
      </div>
      <Drawer opened={isOpen} onClose={close} title={props.space.title} size="xs">
        <div className="drawer-tree">
          <SidebarContent {...props} open={openPage} />
        </div>
      </Drawer>
    </>
  );
}

function SidebarContent({ place, space, tree, current, actions, open, onSettings }: PlaceSidebarProps): ReactNode {
  const emoji = emojiOf(space);
  return (
    <>
      <Group justify="space-between" wrap="nowrap" px={4}>
        <Text fw={600} truncate>
          {emoji} {space.title}
        </Text>
        {actions && <AddMenu actions={actions} open={open} />}
      </Group>
      <PageTree
        spaceId={space.id}
        {...{ tree, current, onSettings, actions }}
        onOpen={(page) => (page.type === 'computed' ? undefined : open(page))}
      />
      <PlaceLinks place={place} />
    </>
  );
}

function PlaceLinks({ place }: { readonly place: Place }): ReactNode {
  const { organizationId, spaceId, changeRequestId } = place;
  const space = { organizationId, spaceId };
  return (
    <Group component="nav" gap="md" px={4} aria-label={words.files}>
      {changeRequestId === undefined ? (
        <>
          <Anchor
            size="sm"
            renderRoot={(root) => <Link {...root} to="/o/$organizationId/s/$spaceId/~/files" params={space} />}
          >
            {words.files}
          </Anchor>
          <Anchor
            size="sm"
            renderRoot={(root) => <Link {...root} to="/o/$organizationId/s/$spaceId/~/variables" params={space} />}
          >
            {words.variables}
          </Anchor>
        </>
      ) : (
        <RequestLinks {...space} changeRequestId={changeRequestId} />
      )}
      <Anchor
        size="sm"
        renderRoot={(root) => <Link {...root} to="/o/$organizationId/s/$spaceId/~/history" params={space} />}
      >
        {words.history}
      </Anchor>
    </Group>
  );
}

function RequestLinks(params: {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly changeRequestId: string;
}): ReactNode {
  return (
    <>
      <Anchor
        size="sm"
        renderRoot={(root) => (
          <Link {...root} to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/files" params={params} />
        )}
      >
        {words.files}
      </Anchor>
      <Anchor
        size="sm"
        renderRoot={(root) => (
          <Link {...root} to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/variables" params={params} />
        )}
      >
        {words.variables}
      </Anchor>
    </>
  );
}

function AddMenu({ actions, open }: { readonly actions: TreeActions; readonly open: (page: Page) => void }): ReactNode {
  const [isLink, setIsLink] = useState(false);
  const add = async (type: 'document' | 'group', title: string): Promise<void> => {
    const id = await actions.add(ROOT, { type, title });
    if (id !== undefined) open({ id, title, type });
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
