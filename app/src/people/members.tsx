import { Group, Menu, Stack, Modal, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { get, queries, readAll, type Schemas, send, useList, useSession } from '../api/client.js';
import { useMutation } from '../api/mutations.js';
import { texts } from '../texts/en.js';
import { memberTexts } from '../texts/members.js';
import { ActionMenu, MenuItem, Button, CopyField } from '../ui/buttons.js';
import { TextField, FormDialog, changing, useChange, ActionButton, useText } from '../ui/forms.js';
import { ListTable, RowName } from '../ui/tables.js';
import { Portrait } from '../ui/portrait.js';
import { EmptyScreen, Time, Note } from '../ui/screens.js';
import { organizationsQuery, type Member, type Role, useOrganization } from './queries.js';
import { RoleSelect, roleName } from './role-select.js';
import { SessionTable, type ListedSession } from './sessions.js';

const WAIT = 250;
const MEMBER = '/v1/orgs/{organizationId}/members/{userId}';
const CUSTOM_ROLES = '/v1/orgs/{organizationId}/custom-roles';
const words = texts.people.people;
const rows = memberTexts.list;

/** The members of an organization; administrators change and remove them. */
export function Members() {
  const organization = useOrganization();
  const { search: given = '' } = useSearch({ from: '/signed-in/o/$organizationId/people' });
  const typed = useText(given);
  const [search] = useDebouncedValue(typed.value.trim(), WAIT);
  const { id: organizationId, permissions } = organization;
  const members = useList<Member>(
    ['members', organizationId, 'list', search],
    (page) => {
      const query = { page, sort: 'name', order: 'asc', ...(search !== '' && { search }) } as const;
      return get('/v1/orgs/{organizationId}/members', { organizationId }, query);
    },
    keepPreviousData,
  );
  const customRoles = useQuery({
    queryKey: ['custom-roles', organizationId],
    queryFn: () => readAll((page) => get(CUSTOM_ROLES, { organizationId }, { page })),
    enabled: permissions.admin,
  });
  const common = { organizationId, isAdmin: permissions.admin, customRoles: customRoles.data ?? [] };
  const menu = (member: Member) => <MemberMenu organizationId={organizationId} member={member} />;
  return (
    <Stack>
      <TextField {...typed} type="search" maw={320} aria-label={rows.find} placeholder={rows.find} />
      <ListTable
        query={members}
        empty={<EmptyScreen title={words.nobody} text={rows.nobodyText} />}
        columns={[
          { heading: words.person, cell: ({ user }) => <Person user={user} /> },
          { heading: words.role, cell: (member) => <MemberRole {...common} member={member} /> },
          { heading: rows.seen, cell: ({ lastSeenAt: at }) => (at === undefined ? '–' : <Time at={at} />) },
          ...(permissions.admin ? [{ heading: words.actions, isButtons: true, cell: menu }] : []),
        ]}
      />
    </Stack>
  );
}

function Person({ user }: Readonly<{ user: Member['user'] }>) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Portrait user={user} />
      <RowName below={user.email}>{user.displayName}</RowName>
    </Group>
  );
}

type MemberProps = Readonly<{ organizationId: string; isAdmin: boolean; member: Member }>;
type MemberRoleProps = MemberProps & Readonly<{ customRoles: readonly Schemas['CustomRoleBody'][] }>;

/** The role of a member: one of the service, or one that the organization has made. */
function MemberRole({ organizationId, isAdmin, member: { id, user, role, customRole }, customRoles }: MemberRoleProps) {
  const change = useChange(
    (to: Readonly<{ role: Role } | { customRole: string }>) =>
      send('patch', MEMBER, { organizationId, userId: id }, to),
    { refresh: ['members', organizationId], done: words.roleChanged(user.displayName) },
  );
  if (!isAdmin) return roleName(role);
  const shown = change.isPending ? change.variables : { role, customRole };
  return (
    <RoleSelect
      label={words.roleOf(user.displayName)}
      hidden
      value={'role' in shown ? shown.role : role}
      custom={{
        roles: customRoles,
        value: 'customRole' in shown ? shown.customRole : undefined,
        onChange: (chosen) => change.mutate({ customRole: chosen }),
      }}
      disabled={change.isPending}
      onChange={(chosen) => change.mutate({ role: chosen })}
    />
  );
}

function MemberMenu({ organizationId, member }: Omit<MemberProps, 'isAdmin'>) {
  const [dialog, setDialog] = useState<'link' | 'sessions' | 'remove'>();
  const { user } = useSession();
  const { displayName } = member.user;
  const isSelf = user.id === member.id;
  const close = (): void => setDialog(undefined);
  const path = { organizationId, userId: member.id };
  const router = useRouter();
  const remove = async (): Promise<void> => {
    await send('delete', MEMBER, path);
    if (!isSelf) return;
    // Nothing of the organization can be read any more: go to another one.
    queries.setQueryData(organizationsQuery.queryKey, (all) => all?.filter(({ id }) => id !== organizationId));
    await router.navigate({ to: '/' });
  };
  return (
    <>
      <ActionMenu label={words.actionsFor(displayName)}>
        {!isSelf && <MenuItem label={rows.signInLink} onClick={() => setDialog('link')} />}
        <MenuItem label={rows.sessions} onClick={() => setDialog('sessions')} />
        <Menu.Divider />
        <MenuItem label={isSelf ? rows.leave : rows.remove} color="red" onClick={() => setDialog('remove')} />
      </ActionMenu>
      {dialog === 'link' && <SignInLink path={path} member={member} onClose={close} />}
      {dialog === 'sessions' && <MemberSessions path={path} member={member} onClose={close} />}
      {dialog === 'remove' && (
        <FormDialog
          color="red"
          title={isSelf ? rows.leave : rows.removeTitle(displayName)}
          text={rows.removeText}
          action={isSelf ? rows.leave : rows.remove}
          onSubmit={changing(remove, {
            refresh: isSelf ? [] : ['members', organizationId],
            done: rows.removed(displayName),
          })}
          onClose={close}
        />
      )}
    </>
  );
}

type MemberDialogProps = Readonly<{
  path: Readonly<{ organizationId: string; userId: string }>;
  member: Member;
  onClose: () => void;
}>;

/** Makes a link that signs a member in, to be handed over by the administrator. */
function SignInLink({ path, member, onClose }: MemberDialogProps) {
  const make = useMutation({
    mutationFn: () => send('post', '/v1/orgs/{organizationId}/members/{userId}/sign-in-link', path),
  });
  return (
    <Modal opened onClose={onClose} title={rows.signInLinkTitle(member.user.displayName)}>
      <Stack>
        <Text>{rows.signInLinkText}</Text>
        {make.data ? (
          <>
            <CopyField label={rows.signInLinkField} value={make.data.url} />
            <Note at={make.data.expiresAt}>{memberTexts.tokens.expires}</Note>
          </>
        ) : (
          <Button label={rows.makeLink} ml="auto" run={make} data-autofocus />
        )}
      </Stack>
    </Modal>
  );
}

/** The browsers in which a member is signed in, and their end. */
function MemberSessions({ path, member, onClose }: MemberDialogProps) {
  const key = ['member-sessions', path.organizationId, path.userId];
  const url = '/v1/orgs/{organizationId}/members/{userId}/sessions';
  const name = member.user.displayName;
  const sessions = useList<ListedSession>(key, (page) => get(url, path, { page }));
  const hasSome = sessions.data?.pages.some(({ items }) => items.length > 0) === true;
  return (
    <Modal opened onClose={onClose} size="lg" title={rows.sessionsTitle(name)}>
      <SessionTable query={sessions} />
      {hasSome && (
        <ActionButton
          label={rows.endSessions}
          variant="filled"
          color="red"
          mt="md"
          action={() => send('delete', url, path)}
          refresh={key}
          done={rows.sessionsEnded(name)}
        />
      )}
    </Modal>
  );
}
