import { Group, Menu, Modal, MultiSelect, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { get, send, useList, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';
import { memberTexts } from '../texts/members.js';
import { ActionMenu, Button, LinkButton, MenuItem } from '../ui/buttons.js';
import { ActionButton, changing, FormDialog, TextField, useChange, useText } from '../ui/forms.js';
import { EmptyScreen, Time } from '../ui/screens.js';
import { ListTable, RowName } from '../ui/tables.js';
import { useCandidates } from './candidates.js';
import { useOrganization } from './queries.js';

type Team = Schemas['TeamBody'];
type TeamMember = Schemas['TeamMemberBody'];
type TeamRole = TeamMember['team']['role'];

const TEAMS = '/v1/orgs/{organizationId}/teams';
const TEAM = '/v1/orgs/{organizationId}/teams/{teamId}';
const MEMBER = '/v1/orgs/{organizationId}/teams/{teamId}/members/{userId}';
const MOST_TITLE = 64;
const words = memberTexts.teams;

const teamsKey = (organizationId: string) => ['teams', organizationId] as const;

/** The teams of an organization; administrators make, rename and delete them, owners choose who is in them. */
export function Teams() {
  const { id: organizationId, permissions } = useOrganization();
  const [open, setOpen] = useState<Team>();
  const teams = useList<Team>(teamsKey(organizationId), (page) => get(TEAMS, { organizationId }, { page }));
  return (
    <Stack>
      {permissions.admin && <NewTeam organizationId={organizationId} />}
      <ListTable
        query={teams}
        minWidth={320}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          {
            heading: words.team,
            cell: (team) => (
              <RowName below={words.counts(team.members, team.spaces)}>
                <LinkButton label={team.title} onClick={() => setOpen(team)} />
              </RowName>
            ),
          },
          { heading: words.made, cell: ({ createdAt }) => <Time at={createdAt} /> },
          ...(permissions.admin
            ? [
                {
                  heading: texts.people.people.actions,
                  isButtons: true,
                  cell: (team: Team) => <TeamMenu organizationId={organizationId} team={team} />,
                },
              ]
            : []),
        ]}
      />
      {open && <TeamMembers organizationId={organizationId} team={open} onClose={() => setOpen(undefined)} />}
    </Stack>
  );
}

function NewTeam({ organizationId }: Readonly<{ organizationId: string }>) {
  const title = useText();
  const make = useChange(() => send('put', TEAMS, { organizationId }, { title: title.value.trim() }), {
    refresh: teamsKey(organizationId),
    done: (team) => words.created(team.title),
  });
  return (
    <form action={() => make.mutate(undefined, { onSuccess: () => title.onText('') })}>
      <Group align="flex-end">
        <TextField {...title} label={words.newTeam} maxLength={MOST_TITLE} flex={1} maw={320} />
        <Button label={words.make} type="submit" disabled={title.value.trim() === ''} loading={make.isPending} />
      </Group>
    </form>
  );
}

type TeamProps = Readonly<{ organizationId: string; team: Team }>;

function TeamMenu({ organizationId, team }: TeamProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete'>();
  const title = useText(team.title);
  const path = { organizationId, teamId: team.id };
  const close = (): void => setDialog(undefined);
  const refresh = teamsKey(organizationId);
  return (
    <>
      <ActionMenu label={texts.people.people.actionsFor(team.title)}>
        <MenuItem label={texts.common.rename} onClick={() => setDialog('rename')} />
        <Menu.Divider />
        <MenuItem label={texts.common.delete} color="red" onClick={() => setDialog('delete')} />
      </ActionMenu>
      {dialog === 'rename' && (
        <FormDialog
          title={texts.people.tree.renameTitle(team.title)}
          action={texts.common.rename}
          disabled={title.value.trim() === ''}
          onSubmit={changing(() => send('patch', TEAM, path, { title: title.value.trim() }), { refresh })}
          onClose={close}
        >
          <TextField {...title} label={words.team} maxLength={MOST_TITLE} data-autofocus />
        </FormDialog>
      )}
      {dialog === 'delete' && (
        <FormDialog
          color="red"
          title={texts.people.tree.deleteTitle(team.title)}
          text={words.deleteText}
          action={texts.common.delete}
          onSubmit={changing(() => send('delete', TEAM, path), { refresh, done: words.deleted(team.title) })}
          onClose={close}
        />
      )}
    </>
  );
}

type TeamMembersProps = TeamProps & Readonly<{ onClose: () => void }>;

/** The people in a team with their roles in it. */
function TeamMembers({ organizationId, team, onClose }: TeamMembersProps) {
  const path = { organizationId, teamId: team.id };
  const isManager = team.permissions.admin;
  const key = [...teamsKey(organizationId), team.id];
  const url = '/v1/orgs/{organizationId}/teams/{teamId}/members';
  const members = useList<TeamMember & { readonly id: string }>(key, async (page) => {
    const listed = await get(url, path, { page });
    return { ...listed, items: listed.items.map((item) => ({ ...item, id: item.organization.id })) };
  });
  const remove = ({ id, organization: { user } }: TeamMember & { readonly id: string }) => (
    <ActionButton
      label={words.remove}
      size="xs"
      aria-label={words.removeOne(user.displayName)}
      action={() => send('delete', MEMBER, { ...path, userId: id })}
      refresh={teamsKey(organizationId)}
    />
  );
  return (
    <Modal opened onClose={onClose} size="lg" title={words.members(team.title)}>
      <Stack>
        {isManager && <AddMembers organizationId={organizationId} team={team} />}
        <ListTable
          query={members}
          minWidth={320}
          empty={<EmptyScreen title={words.empty} text={words.emptyText} />}
          columns={[
            {
              heading: texts.people.people.person,
              cell: ({ organization: { user } }) => <RowName below={user.email}>{user.displayName}</RowName>,
            },
            {
              heading: texts.people.people.role,
              cell: (member) =>
                isManager ? <TeamRoleSelect {...{ organizationId, team, member }} /> : words.roles[member.team.role],
            },
            ...(isManager ? [{ heading: words.remove, isButtons: true, cell: remove }] : []),
          ]}
        />
      </Stack>
    </Modal>
  );
}

const ROLES = ['member', 'owner'] as const satisfies readonly TeamRole[];

function TeamRoleSelect({ organizationId, team, member }: TeamProps & Readonly<{ member: TeamMember }>) {
  const { id: userId, user } = member.organization;
  const path = { organizationId, teamId: team.id, userId };
  const run = useChange((role: TeamRole) => send('put', MEMBER, path, { role }), {
    refresh: teamsKey(organizationId),
    done: texts.people.people.roleChanged(user.displayName),
  });
  return (
    <Select
      aria-label={texts.people.people.roleOf(user.displayName)}
      data={ROLES.map((value) => ({ value, label: words.roles[value] }))}
      value={run.isPending ? run.variables : member.team.role}
      disabled={run.isPending}
      w={140}
      onChange={(chosen) => {
        const role = ROLES.find((each) => each === chosen);
        if (role !== undefined) run.mutate(role);
      }}
    />
  );
}

function AddMembers({ organizationId, team }: TeamProps) {
  const { clear, ids, field } = useCandidates(organizationId, 'users');
  const url = '/v1/orgs/{organizationId}/teams/{teamId}/members';
  const add = useChange(() => send('put', url, { organizationId, teamId: team.id }, { add: [...ids] }), {
    refresh: teamsKey(organizationId),
    done: words.added(ids.length),
  });
  return (
    <form action={() => add.mutate(undefined, { onSuccess: clear })}>
      <Group align="flex-end">
        <MultiSelect {...field} label={words.add} flex={1} miw={220} />
        <Button label={words.addAction} type="submit" disabled={ids.length === 0} loading={add.isPending} />
      </Group>
    </form>
  );
}
