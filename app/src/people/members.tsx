import { Avatar, Group, Menu, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { get, send } from '../api/client.js';
import { useList } from '../api/pages.js';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { ActionMenu } from '../ui/action-menu.js';
import { TextField } from '../ui/fields.js';
import { FormDialog } from '../ui/form-dialog.js';
import { ListTable, RowName } from '../ui/list-table.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import { changing, useChange } from '../ui/use-change.js';
import { MemberSessions, SignInLink } from './member-dialogs.js';
import type { OrganizationProps } from './of-organization.js';
import type { Member, Role } from './queries.js';
import { RoleSelect, roleName } from './role-select.js';

const WAIT = 250;
const MEMBER = '/v1/orgs/{organizationId}/members/{userId}';
const words = texts.people.people;

/** The members of an organization; administrators change and remove them. */
export function Members({ organization }: OrganizationProps): ReactNode {
  const { search: given = '' } = useSearch({ from: '/signed-in/o/$organizationId/people' });
  const [typed, setTyped] = useState(given);
  const [search] = useDebouncedValue(typed.trim(), WAIT);
  const { id: organizationId, permissions } = organization;
  const members = useList<Member>(
    ['members', organizationId, 'list', search],
    (page) => {
      const query = { page, sort: 'name', order: 'asc', ...(search !== '' && { search }) } as const;
      return get('/v1/orgs/{organizationId}/members', { organizationId }, query);
    },
    keepPreviousData,
  );
  const common = { organizationId, isAdmin: permissions.admin };
  const menu = (member: Member): ReactNode => <MemberMenu {...common} member={member} />;
  return (
    <Stack>
      <TextField
        type="search"
        maw={320}
        aria-label={words.find}
        placeholder={words.find}
        value={typed}
        onText={setTyped}
      />
      <ListTable
        query={members}
        empty={<EmptyScreen title={words.nobody} text={words.nobodyText} />}
        columns={[
          { heading: words.person, cell: ({ user }) => <Person user={user} /> },
          { heading: words.role, cell: (member) => <MemberRole {...common} member={member} /> },
          { heading: words.seen, cell: ({ lastSeenAt: at }) => (at === undefined ? '–' : <Time at={at} />) },
          ...(permissions.admin ? [{ heading: words.actions, isButtons: true, cell: menu }] : []),
        ]}
      />
    </Stack>
  );
}

function Person({ user: { displayName, photoURL, email } }: Readonly<{ user: Member['user'] }>): ReactNode {
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={displayName} src={photoURL} size="sm" alt="" />
      <RowName below={email}>{displayName}</RowName>
    </Group>
  );
}

type MemberProps = Readonly<{ organizationId: string; isAdmin: boolean; member: Member }>;

function MemberRole({ organizationId, isAdmin, member: { id, user, role } }: MemberProps): ReactNode {
  const change = useChange((to: Role) => send('patch', MEMBER, { organizationId, userId: id }, { role: to }), {
    refresh: ['members', organizationId],
    done: words.roleChanged(user.displayName),
  });
  if (!isAdmin) return roleName(role);
  return (
    <RoleSelect
      label={words.roleOf(user.displayName)}
      hidden
      value={change.isPending ? change.variables : role}
      disabled={change.isPending}
      onChange={change.mutate}
    />
  );
}

function MemberMenu({ organizationId, member }: MemberProps): ReactNode {
  const [dialog, setDialog] = useState<'link' | 'sessions' | 'remove'>();
  const { user } = useSession();
  const { displayName } = member.user;
  const isSelf = user.id === member.id;
  const close = (): void => setDialog(undefined);
  const path = { organizationId, userId: member.id };
  return (
    <>
      <ActionMenu label={words.actionsFor(displayName)}>
        {!isSelf && <Menu.Item onClick={() => setDialog('link')}>{words.signInLink}</Menu.Item>}
        <Menu.Item onClick={() => setDialog('sessions')}>{words.sessions}</Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => setDialog('remove')}>
          {isSelf ? words.leave : words.remove}
        </Menu.Item>
      </ActionMenu>
      {dialog === 'link' && <SignInLink path={path} member={member} onClose={close} />}
      {dialog === 'sessions' && <MemberSessions path={path} member={member} onClose={close} />}
      {dialog === 'remove' && (
        <FormDialog
          color="red"
          title={isSelf ? words.leave : words.removeTitle(displayName)}
          text={words.removeText}
          action={isSelf ? words.leave : words.remove}
          onSubmit={changing(() => send('delete', MEMBER, path), {
            refresh: isSelf ? [] : ['members', organizationId],
            done: words.removed(displayName),
          })}
          onClose={close}
        />
      )}
    </>
  );
}
