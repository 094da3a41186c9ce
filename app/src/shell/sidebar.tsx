import { ActionIcon, Group, Menu, NavLink, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import IconAngles from '~icons/fa7-solid/angle-down';
import IconCheck from '~icons/fa7-solid/check';
import IconRequests from '~icons/fa7-solid/code-pull-request';
import IconHouse from '~icons/fa7-solid/house';
import IconSearch from '~icons/fa7-solid/magnifying-glass';
import IconPlus from '~icons/fa7-solid/plus';
import IconTrash from '~icons/fa7-regular/trash-can';
import IconUsers from '~icons/fa7-solid/users';
import type { OrganizationProps } from '../people/of-organization.js';
import { organizationsQuery } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { Loaded } from '../ui/loaded.js';
import { useEntryDialogs } from './entry-dialogs.js';
import { SpaceTree } from './space-tree.js';
import { useWorkspaceTree } from './workspace-tree.js';

/** The way around: the organization, its screens, and the tree of its collections and spaces. */
export function Sidebar({ organization }: Partial<OrganizationProps>): ReactNode {
  if (!organization) return null;
  return (
    <>
      <nav aria-label={texts.people.shell.screens}>
        <Stack gap={0} p="xs">
          <OrganizationSwitcher organization={organization} />
          <ScreenLinks organization={organization} />
        </Stack>
      </nav>
      <Spaces key={organization.id} organization={organization} />
    </>
  );
}

function OrganizationSwitcher({ organization: current }: OrganizationProps): ReactNode {
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
            <IconAngles aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.people.shell.organizations}</Menu.Label>
        {organizations.map(({ id, title }) => (
          <Menu.Item
            key={id}
            rightSection={id === current.id && <IconCheck aria-label={texts.people.shell.current} />}
            onClick={() => void router.navigate({ to: '/o/$organizationId', params: { organizationId: id } })}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ScreenLinks({ organization }: OrganizationProps): ReactNode {
  const words = texts.people.shell;
  const links = [
    ['', words.home, IconHouse],
    ['/changes', words.changes, IconRequests],
    ['/search', words.searchScreen, IconSearch],
    ...(organization.permissions.listMembers ? [['/people', words.people, IconUsers] as const] : []),
    ['/trash', words.trash, IconTrash],
  ] as const;
  return links.map(([path, label, Icon]) => (
    <NavLink
      key={path}
      renderRoot={(props) => (
        <Link
          {...props}
          to={`/o/$organizationId${path}`}
          params={{ organizationId: organization.id }}
          activeOptions={{ exact: path === '' }}
        />
      )}
      label={label}
      leftSection={<Icon aria-hidden />}
    />
  ));
}

function Spaces({ organization }: OrganizationProps): ReactNode {
  const { spaces, tree } = useWorkspaceTree(organization);
  const { dialog, show } = useEntryDialogs(tree);
  const words = texts.people.tree;
  return (
    <Stack component="nav" aria-label={words.label} gap={0} flex={1} mih={0}>
      <Group justify="space-between" px="md" py={4}>
        <Text size="sm" c="dimmed" fw={600}>
          {words.heading}
        </Text>
        {tree.mayCreateAtTop && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={words.create}>
                <IconPlus aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => show('space')}>{words.newSpace}</Menu.Item>
              <Menu.Item onClick={() => show('collection')}>{words.newCollection}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
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
              <SpaceTree tree={tree} />
            )
          }
        </Loaded>
      </Stack>
      {dialog}
    </Stack>
  );
}
