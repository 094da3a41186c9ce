import { Drawer, Group, Stack, Text, Menu, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconPages from '~icons/fa7-solid/bars-staggered';
import { texts } from '../texts/en.js';
import { writingTexts } from '../texts/writing.js';
import { SecondaryButton, TextLink, DropMenu, MenuItem, Button } from '../ui/buttons.js';
import { hasScreens } from '../extensions/places.js';
import { emojiOf } from '../ui/emoji.js';
import { PageIcon } from '../ui/page-icon.js';
import { routeOf, usePlace, useSpace } from './place.js';
import type { Page } from './queries.js';
import { type TreeData, type Direction, takesChildren } from './tree/tree-data.js';
import { type TreeActions, openMade } from './tree/use-tree-actions.js';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, type KeyboardEvent } from 'react';
import IconGroup from '~icons/fa7-regular/folder';
import IconPage from '~icons/fa7-regular/file-lines';
import IconLink from '~icons/fa7-solid/arrow-up-right-from-square';
import IconHidden from '~icons/fa7-solid/eye-slash';
import { Note } from '../ui/screens.js';
import { childrenOf, ROOT } from '../ui/tree/forest.js';
import { Tree, type RowActions } from '../ui/tree/tree.js';
import IconAdd from '~icons/fa7-solid/plus';
import { FormDialog, TextField, useText } from '../ui/forms.js';

const words = texts.tree;
/** Loaded where modules bring screens. */
const SpaceExtensionLinks = lazyRouteComponent(() => import('../extensions/extension-links.js'), 'SpaceExtensionLinks');

interface PlaceSidebarProps {
  readonly tree: TreeData;
  /** The page that is shown. */
  readonly current: string | undefined;
  /** Absent where the pages can only be read. */
  readonly actions: TreeActions | undefined;
  readonly onOpen: (page: Page) => unknown;
  readonly onSettings: (page: Page) => void;
}

/** The tree of a place with its other screens; on narrow screens it opens over the page. */
export function PlaceSidebar(props: PlaceSidebarProps) {
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
        aria-label={texts.common.pages}
      >
        <SidebarContent {...props} />
      </Stack>
      <SecondaryButton
        label={texts.common.pages}
        hiddenFrom="sm"
        flex="none"
        m="xs"
        size="xs"
        leftSection={<IconPages />}
        onClick={open}
      />
      <Drawer opened={isOpen} onClose={close} title={texts.common.pages} size="xs">
        <Stack h="calc(100dvh - 80px)" gap="xs">
          <SidebarContent {...props} onOpen={onOpen} />
        </Stack>
      </Drawer>
    </>
  );
}

function SidebarContent(props: PlaceSidebarProps) {
  const place = usePlace();
  const space = useSpace();
  const { actions, onOpen } = props;
  const base = routeOf(place);
  return (
    <>
      <Group justify="space-between" wrap="nowrap" px={4}>
        <Text fw={600} truncate>
          {emojiOf(space)} {space.title}
        </Text>
        {actions && <AddMenu actions={actions} onOpen={onOpen} />}
      </Group>
      <PageTree {...props} onOpen={(page) => page.type !== 'computed' && onOpen(page)} />
      <Group component="nav" gap="md" px={4} aria-label={writingTexts.files.title}>
        {(['files', 'variables', 'history'] as const).map((part) => (
          <TextLink
            key={part}
            label={writingTexts[part].title}
            size="sm"
            to={`/o/$organizationId/s/$spaceId${base}/~/${part}`}
            params={place}
          />
        ))}
        {place.revisionId === undefined && (
          <TextLink
            label={texts.services.exports}
            size="sm"
            to={`/o/$organizationId/s/$spaceId${base}/~/exports`}
            params={place}
          />
        )}
        {base === '' && space.permissions.edit && (
          <TextLink
            label={texts.services.imports}
            size="sm"
            to="/o/$organizationId/s/$spaceId/~/imports"
            params={place}
          />
        )}
        {base === '' && hasScreens('space') && (
          <Suspense fallback={null}>
            <SpaceExtensionLinks organizationId={place.organizationId} spaceId={place.spaceId} />
          </Suspense>
        )}
      </Group>
    </>
  );
}

const STEPS: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};
/** The pages of a space as a tree; groups at the top are open at first. */
function PageTree({ tree, current, onOpen, onSettings, actions }: PlaceSidebarProps) {
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
      marks={({ hidden }) =>
        hidden === true && (
          <Tooltip label={words.hidden}>
            <IconHidden className="hidden-mark" aria-hidden={false} role="img" aria-label={words.hidden} />
          </Tooltip>
        )
      }
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

function KindIcon({ page }: Readonly<{ page: Page }>) {
  const Icon = page.type === 'group' ? IconGroup : page.type === 'link' ? IconLink : IconPage;
  return <Icon className="page-icon" />;
}

function handleKey(event: KeyboardEvent, page: Page, actions: TreeActions): boolean {
  const direction = event.altKey ? STEPS[event.key] : undefined;
  if (direction) void actions.step(page, direction);
  else if (event.key === 'Delete') void actions.remove(page);
  else return false;
  return true;
}

interface PageMenuProps extends Pick<PlaceSidebarProps, 'onOpen' | 'onSettings'> {
  readonly page: Page;
  readonly row: RowActions;
  readonly actions: TreeActions;
}

/** The actions on a page of the tree. */
function PageMenu({ page, row, actions, onOpen, onSettings }: PageMenuProps) {
  const addBelow = (): void => {
    row.expand();
    void openMade(actions.add(page.id, { type: 'document', title: words.newPage }), onOpen);
  };
  const duplicate = (): void => void openMade(actions.duplicate(page), onOpen);
  return (
    <>
      {takesChildren(page) && <MenuItem label={words.addBelow} onClick={addBelow} />}
      <MenuItem label={texts.common.rename} onClick={row.rename} />
      {page.type === 'document' && <MenuItem label={words.duplicate} onClick={duplicate} />}
      {page.type !== 'computed' && (
        <>
          <MenuItem label={writingTexts.settings.title} onClick={() => onSettings(page)} />
          <MenuItem
            label={page.hidden === true ? words.showPage : words.hidePage}
            onClick={() => void actions.update(page, { hidden: page.hidden !== true })}
          />
        </>
      )}
      <Menu.Divider />
      {(['up', 'down', 'in', 'out'] as const).map((direction) => (
        <MenuItem label={words.move[direction]} key={direction} onClick={() => void actions.step(page, direction)} />
      ))}
      <Menu.Divider />
      <MenuItem label={texts.common.delete} color="red" onClick={() => void actions.remove(page)} />
    </>
  );
}

/** Adds a page, a group or a link at the top of a tree. */
function AddMenu({ actions, onOpen }: Readonly<{ actions: TreeActions; onOpen: (page: Page) => void }>) {
  const [isLink, { open, close }] = useDisclosure();
  const add = (type: 'document' | 'group', title: string): void =>
    void openMade(actions.add(ROOT, { type, title }), onOpen);
  return (
    <>
      <DropMenu
        target={<Button label={words.add} flex="none" size="compact-sm" variant="light" leftSection={<IconAdd />} />}
      >
        <MenuItem label={words.addPage} onClick={() => add('document', words.newPage)} />
        <MenuItem label={words.addGroup} onClick={() => add('group', words.newGroup)} />
        <MenuItem label={words.addLink} onClick={open} />
        <Menu.Label>{words.hint}</Menu.Label>
      </DropMenu>
      <NewLink opened={isLink} onClose={close} actions={actions} />
    </>
  );
}

type NewLinkProps = Readonly<{ opened: boolean; onClose: () => void; actions: TreeActions }>;

/** Asks for the title and the address of a link that stands among the pages. */
function NewLink({ opened, onClose, actions }: NewLinkProps) {
  const title = useText();
  const address = useText('https://');
  const isAddress = /^https?:\/\/[^\s]+$/.test(address.value);
  const fault = address.value !== 'https://' && !isAddress && words.addressFault;
  const name = writingTexts.diff.attributes['title'];
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={words.addLink}
      action={words.addLink}
      disabled={!isAddress || title.value === ''}
      onSubmit={() => actions.add(ROOT, { type: 'link', title: title.value, address: address.value })}
    >
      <TextField {...title} data-autofocus required maxLength={250} label={name} />
      <TextField {...address} required type="url" label={writingTexts.files.address} error={fault} />
    </FormDialog>
  );
}
