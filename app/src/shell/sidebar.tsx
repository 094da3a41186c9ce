import { ActionIcon, Group, Menu, NavLink, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import IconAngles from '~icons/fa7-solid/angle-down';
import IconCheck from '~icons/fa7-solid/check';
import IconRequests from '~icons/fa7-solid/code-pull-request';
import IconHouse from '~icons/fa7-solid/house';
import IconSearch from '~icons/fa7-solid/magnifying-glass';
import IconPlus from '~icons/fa7-solid/plus';
import IconTrash from '~icons/fa7-regular/trash-can';
import IconUsers from '~icons/fa7-solid/users';
import { collectionsQuery, organizationsQuery, spacesQuery, type Organization } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { Loaded } from '../ui/loaded.js';
import { EntryDialog } from './lazy-dialogs.js';
import { SpaceTree } from './space-tree.js';
import { TOP, workspaceTree, type WorkspaceTree } from './tree-data.js';

/** The way around: the organization, its screens, and the tree of its collections and spaces. */
export function Sidebar({ organization }: { readonly organization: Organization | undefined }): ReactNode {
  if (!organization) return null;
  return (
    <>
      <nav aria-label={texts.people.shell.screens}>
        <Stack gap={0} p="xs">
          <OrganizationSwitcher current={organization} />
          <ScreenLinks organization={organization} />
        </Stack>
      </nav>
      <Spaces key={organization.id} organization={organization} />
    </>
  );
}

function OrganizationSwitcher({ current }: { readonly current: Organization }): ReactNode {
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

function ScreenLinks({ organization }: { readonly organization: Organization }): ReactNode {
  const words = texts.people.shell;
  const params = { organizationId: organization.id };
  const { createHref } = useRouter().history;
  const router = useRouter();
  const changes = `/o/${organization.id}/changes`;
  return (
    <>
      <NavLink
        renderRoot={(props) => (
          <Link {...props} to="/o/$organizationId" params={params} activeOptions={{ exact: true }} />
        )}
        label={words.home}
        leftSection={<IconHouse aria-hidden />}
      />
      <NavLink
        href={createHref(`${router.basepath}${changes}`)}
        onClick={(event) => {
          event.preventDefault();
          void router.navigate({ href: changes });
        }}
        label={words.changes}
        leftSection={<IconRequests aria-hidden />}
      />
      <NavLink
        renderRoot={(props) => <Link {...props} to="/o/$organizationId/search" params={params} />}
        label={words.searchScreen}
        leftSection={<IconSearch aria-hidden />}
      />
      {organization.permissions.listMembers && (
        <NavLink
          renderRoot={(props) => <Link {...props} to="/o/$organizationId/people" params={params} />}
          label={words.people}
          leftSection={<IconUsers aria-hidden />}
        />
      )}
      <NavLink
        renderRoot={(props) => <Link {...props} to="/o/$organizationId/trash" params={params} />}
        label={words.trash}
        leftSection={<IconTrash aria-hidden />}
      />
    </>
  );
}

/** The tree of an organization, from its two lists. */
export function useWorkspaceTree(organizationId: string): {
  readonly spaces: ReturnType<typeof useSpaces>;
  readonly tree: WorkspaceTree;
} {
  const spaces = useSpaces(organizationId);
  const { data: collections } = useQuery(collectionsQuery(organizationId));
  const tree = useMemo(() => workspaceTree(collections ?? [], spaces.data ?? []), [collections, spaces.data]);
  return { spaces, tree };
}

function useSpaces(organizationId: string) {
  return useQuery(spacesQuery(organizationId));
}

function Spaces({ organization }: { readonly organization: Organization }): ReactNode {
  const { spaces, tree } = useWorkspaceTree(organization.id);
  const [creating, setCreating] = useState<'space' | 'collection'>();
  const words = texts.people.tree;
  const mayCreateAtTop = organization.permissions.createContent;
  const dialog = {
    organizationId: organization.id,
    tree,
    mayCreateAtTop,
    entry: TOP,
    onClose: () => setCreating(undefined),
  };
  return (
    <Stack component="nav" aria-label={words.label} gap={0} flex={1} mih={0}>
      <Group justify="space-between" px="md" py={4}>
        <Text size="sm" c="dimmed" fw={600}>
          {words.heading}
        </Text>
        {mayCreateAtTop && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={words.create}>
                <IconPlus aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setCreating('space')}>{words.newSpace}</Menu.Item>
              <Menu.Item onClick={() => setCreating('collection')}>{words.newCollection}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      <ScrollArea flex={1} px="xs" pb="md" type="auto">
        <Loaded query={spaces}>
          {() =>
            tree.entries.size === 1 ? (
              <Text size="sm" c="dimmed" p="xs">
                {mayCreateAtTop ? words.empty : words.emptyForReaders}
              </Text>
            ) : (
              <SpaceTree organizationId={organization.id} tree={tree} mayCreateAtTop={mayCreateAtTop} />
            )
          }
        </Loaded>
      </ScrollArea>
      {creating && <EntryDialog {...dialog} dialog={creating} />}
    </Stack>
  );
}
