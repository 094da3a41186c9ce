import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import IconPages from '~icons/fa7-solid/bars-staggered';
import { texts } from '../texts/en.js';
import { TextLink } from '../ui/links.js';
import { emojiOf } from '../ui/page-icon.js';
import { usePlace, useSpace } from './place.js';
import type { Page } from './queries.js';
import { AddMenu } from './tree/add-menu.js';
import { PageTree } from './tree/page-tree.js';
import type { TreeData } from './tree/tree-data.js';
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
      <Stack
        component="aside"
        className="pane place-sidebar"
        visibleFrom="sm"
        flex="none"
        w={288}
        px="xs"
        py="sm"
        gap="xs"
        aria-label={texts.writing.pages}
      >
        <SidebarContent {...props} />
      </Stack>
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
        <Stack h="calc(100dvh - 80px)" gap="xs">
          <SidebarContent {...props} onOpen={onOpen} />
        </Stack>
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
      <PageTree {...props} onOpen={(page) => page.type !== 'computed' && onOpen(page)} />
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
