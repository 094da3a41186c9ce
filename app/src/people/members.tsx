import { ActionIcon, Avatar, Group, Menu, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import IconEllipsis from '~icons/fa7-solid/ellipsis';
import { answered, api } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { queries } from '../api/query-client.js';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { HiddenHeading } from '../ui/hidden-heading.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { LoadedList } from '../ui/loaded.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import { showDone } from '../ui/toasts.js';
import { MemberSessions, SignInLink } from './member-dialogs.js';
import type { Member, Organization, Role } from './queries.js';
import { RoleSelect } from './role-select.js';

const WAIT = 250;
const words = texts.people.people;

/** The members of an organization; administrators change and remove them. */
export function Members({ organization }: { readonly organization: Organization }): ReactNode {
  const { search: given = '' } = useSearch({ from: '/signed-in/o/$organizationId/people' });
  const [typed, setTyped] = useState(given);
  const [search] = useDebouncedValue(typed.trim(), WAIT);
  const organizationId = organization.id;
  const members = useInfiniteQuery({
    queryKey: ['members', organizationId, 'list', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) =>
      answered(
        api.GET('/v1/orgs/{organizationId}/members', {
          params: {
            path: { organizationId },
            query: { page, sort: 'name', order: 'asc', ...(search !== '' && { search }) },
          },
        }),
      ),
    getNextPageParam: nextPage<Member>,
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <TextInput
        type="search"
        maw={320}
        aria-label={words.find}
        placeholder={words.find}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <LoadedList query={members} empty={<EmptyScreen title={words.nobody} text={words.nobodyText} />}>
        {(items) => (
          <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{words.person}</Table.Th>
                  <Table.Th>{words.role}</Table.Th>
                  <Table.Th>{words.seen}</Table.Th>
                  {organization.permissions.admin && <HiddenHeading>{words.actions}</HiddenHeading>}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((member) => (
                  <MemberRow key={member.id} organization={organization} member={member} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </LoadedList>
    </Stack>
  );
}

interface MemberRowProps {
  readonly organization: Organization;
  readonly member: Member;
}

function MemberRow({ organization, member }: MemberRowProps): ReactNode {
  const { user, role, lastSeenAt } = member;
  const isAdmin = organization.permissions.admin;
  const path = { organizationId: organization.id, userId: member.id };
  const change = useMutation({
    mutationFn: (to: Role) =>
      answered(api.PATCH('/v1/orgs/{organizationId}/members/{userId}', { params: { path }, body: { role: to } })),
    onSuccess: () => showDone(words.roleChanged(user.displayName)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['members', organization.id] }),
  });
  const shown = change.isPending ? change.variables : role;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <Group gap="sm" wrap="nowrap">
          <Avatar name={user.displayName} src={user.photoURL} size="sm" alt="" />
          <div>
            {user.displayName}
            <Text size="xs" c="dimmed">
              {user.email}
            </Text>
          </div>
        </Group>
      </Table.Th>
      <Table.Td>
        {isAdmin ? (
          <RoleSelect
            label={words.roleOf(user.displayName)}
            hidden
            value={shown}
            disabled={change.isPending}
            onChange={(to) => change.mutate(to)}
          />
        ) : (
          texts.people.roles[role ?? 'guest']
        )}
      </Table.Td>
      <Table.Td>{lastSeenAt === undefined ? '–' : <Time at={lastSeenAt} />}</Table.Td>
      {isAdmin && (
        <Table.Td ta="right">
          <MemberMenu organization={organization} member={member} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function MemberMenu({ organization, member }: MemberRowProps): ReactNode {
  const [dialog, setDialog] = useState<'link' | 'sessions' | 'remove'>();
  const { user } = useSession();
  const isSelf = user.id === member.id;
  const close = (): void => setDialog(undefined);
  const path = { organizationId: organization.id, userId: member.id };
  const remove = async (): Promise<void> => {
    await answered(api.DELETE('/v1/orgs/{organizationId}/members/{userId}', { params: { path } }));
    await queries.invalidateQueries({ queryKey: isSelf ? [] : ['members', organization.id] });
    showDone(words.removed(member.user.displayName));
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={words.actionsFor(member.user.displayName)}>
            <IconEllipsis aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isSelf && <Menu.Item onClick={() => setDialog('link')}>{words.signInLink}</Menu.Item>}
          <Menu.Item onClick={() => setDialog('sessions')}>{words.sessions}</Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => setDialog('remove')}>
            {isSelf ? words.leave : words.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'link' && <SignInLink path={path} member={member} onClose={close} />}
      {dialog === 'sessions' && <MemberSessions path={path} member={member} onClose={close} />}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={isSelf ? words.leave : words.removeTitle(member.user.displayName)}
          text={words.removeText}
          action={isSelf ? words.leave : words.remove}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </>
  );
}
