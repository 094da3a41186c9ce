import { Group, Menu, NavLink, type NavLinkProps, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createLink, lazyRouteComponent, useRouter, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import IconAngles from '~icons/fa7-solid/angle-down';
import IconCheck from '~icons/fa7-solid/check';
import IconRequests from '~icons/fa7-solid/code-pull-request';
import IconConversations from '~icons/fa7-regular/comments';
import IconSettings from '~icons/fa7-solid/gear';
import IconGlobe from '~icons/fa7-solid/globe';
import IconHouse from '~icons/fa7-solid/house';
import IconLanguage from '~icons/fa7-solid/language';
import IconSpecification from '~icons/fa7-solid/code';
import IconSearch from '~icons/fa7-solid/magnifying-glass';
import IconPlus from '~icons/fa7-solid/plus';
import IconWebhook from '~icons/fa7-solid/plug';
import IconRobot from '~icons/fa7-solid/robot';
import IconTemplate from '~icons/fa7-solid/stamp';
import IconTrash from '~icons/fa7-regular/trash-can';
import IconUsers from '~icons/fa7-solid/users';
import { hasScreens } from '../extensions/places.js';
import { organizationsQuery, type OrganizationProps } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { useFollow, DropMenu, IconButton, MenuItem } from '../ui/buttons.js';
import { Loaded } from '../ui/screens.js';
import { useEntryDialogs, EntryMenu } from './entry-menu.js';
import { useWorkspaceTree, moveEntry } from './tree-actions.js';
import IconFolder from '~icons/fa7-regular/folder';
import { emojiOf } from '../ui/emoji.js';
import { showFault } from '../ui/toasts.js';
import { ROOT } from '../ui/tree/forest.js';
import { Tree } from '../ui/tree/tree.js';
import { moveTo, takesContent, type Movable, type WorkspaceTree } from './tree-data.js';

/** The way around: the organization, its screens, and the tree of its collections and spaces. */
export function Sidebar({ organization }: Partial<OrganizationProps>) {
  if (!organization) return null;
  return (
    <>
      <nav aria-label={texts.people.shell.screens}>
        <Stack gap={0} p="xs">
          <OrganizationSwitcher organization={organization} />
          <ScreenLinks organization={organization} />
          {hasScreens('organization') && (
            <Suspense fallback={null}>
              <ExtensionLinks organizationId={organization.id} />
            </Suspense>
          )}
        </Stack>
      </nav>
      <Spaces key={organization.id} organization={organization} />
    </>
  );
}

/** Loaded where modules bring screens. */
const ExtensionLinks = lazyRouteComponent(
  () => import('../extensions/extension-links.js'),
  'OrganizationExtensionLinks',
);

function OrganizationSwitcher({ organization: current }: OrganizationProps) {
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const router = useRouter();
  return (
    <Menu position="bottom-start" width={248}>
      <Menu.Target>
        <UnstyledButton p="xs" aria-label={texts.people.shell.organization(current.title)}>
          <Group justify="space-between" wrap="nowrap">
            <Text fw={600} truncate>
              {current.title}
            </Text>
            <IconAngles />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.people.shell.organizations}</Menu.Label>
        {organizations.map(({ id, title }) => (
          <MenuItem
            label={title}
            key={id}
            rightSection={
              id === current.id && <IconCheck aria-hidden={false} aria-label={texts.people.shell.current} />
            }
            onClick={() => void router.navigate({ to: '/o/$organizationId', params: { organizationId: id } })}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const ScreenLink = createLink((props: NavLinkProps) => <NavLink component="a" {...props} />);

function ScreenLinks({ organization }: OrganizationProps) {
  const words = texts.people.shell;
  const links = [
    ['', words.home, IconHouse],
    ['/changes', texts.services.requests, IconRequests],
    ['/sites', texts.services.sites, IconGlobe],
    // Guests see neither specifications nor members.
    ...(organization.permissions.listMembers
      ? [['/openapi', texts.services.specifications, IconSpecification] as const]
      : []),
    ...(organization.permissions.viewConversations
      ? [['/conversations', texts.services.conversations, IconConversations] as const]
      : []),
    ...(organization.permissions.listMembers ? [['/templates', texts.services.templates, IconTemplate] as const] : []),
    ['/search', texts.services.search, IconSearch],
    ...(organization.permissions.listMembers ? [['/people', texts.people.people.title, IconUsers] as const] : []),
    ...(organization.permissions.admin
      ? ([
          ['/translations', texts.services.translations, IconLanguage],
          ['/webhooks', texts.services.webhooks, IconWebhook],
          ['/agent-instructions', texts.services.agentInstructions, IconRobot],
          ['/archive', texts.services.archive, IconFolder],
          ['/settings', texts.services.settings, IconSettings],
        ] as const)
      : []),
    ['/trash', texts.services.trash, IconTrash],
  ] as const;
  return links.map(([path, label, Icon]) => (
    <ScreenLink
      key={path}
      to={`/o/$organizationId${path}`}
      params={{ organizationId: organization.id }}
      activeOptions={{ exact: path === '' }}
      label={label}
      leftSection={<Icon />}
    />
  ));
}

function Spaces({ organization }: OrganizationProps) {
  const { spaces, tree } = useWorkspaceTree(organization);
  const { dialog, show } = useEntryDialogs(tree);
  const words = texts.people.tree;
  return (
    // With many screens above, or in a low window, the sidebar scrolls as a whole, and the tree keeps some height.
    <Stack component="nav" aria-label={words.label} gap={0} flex="1 0 16rem" mih={0}>
      <Group justify="space-between" px="md" py={4}>
        <Text size="sm" c="dimmed" fw={600}>
          {texts.people.home.spaces}
        </Text>
        {tree.mayCreateAtTop && (
          <DropMenu target={<IconButton label={words.create} Icon={IconPlus} />}>
            <MenuItem label={words.newSpace} onClick={() => show('space')} />
            <MenuItem label={words.newCollection} onClick={() => show('collection')} />
          </DropMenu>
        )}
      </Group>
      <Stack gap={0} flex={1} mih={0} px="xs" pb="md">
        <Loaded query={spaces}>
          {() =>
            tree.items.size === 0 ? (
              <Text size="sm" c="dimmed" p="xs">
                {tree.mayCreateAtTop ? words.empty : words.emptyForReaders}
              </Text>
            ) : (
              <SpaceTree tree={tree} show={show} />
            )
          }
        </Loaded>
      </Stack>
      {dialog}
    </Stack>
  );
}

type SpaceTreeProps = Readonly<{ tree: WorkspaceTree; show: ReturnType<typeof useEntryDialogs>['show'] }>;

/** The collections and spaces of an organization. */
function SpaceTree({ tree, show }: SpaceTreeProps) {
  const follow = useFollow();
  const { spaceId, collectionId } = useParams({ strict: false });
  const open = (entry: Movable): void => follow(entry.urls.app);
  const move = async (entry: Movable, into: string, at: number | undefined): Promise<void> => {
    const change = moveTo(tree, entry.id, into, at);
    if (change) await moveEntry(entry, change).catch(showFault);
  };
  return (
    <Tree<Movable>
      label={texts.people.tree.label}
      forest={tree}
      current={spaceId ?? collectionId}
      storageKey={`bindery.expanded.${tree.organizationId}`}
      nameOf={({ title }) => title}
      takesChildren={({ object }) => object === 'collection'}
      icon={(entry) => (
        <span className="page-icon" aria-hidden>
          {entry.object === 'space' ? emojiOf(entry) : <IconFolder />}
        </span>
      )}
      onOpen={open}
      togglesOnClick
      menu={(entry) => <EntryMenu tree={tree} entry={entry} onOpen={() => open(entry)} onDialog={show} />}
      mayMove={({ permissions }) => permissions.admin}
      mayTake={(into) => takesContent(tree, into?.id ?? ROOT)}
      onMove={move}
    />
  );
}
