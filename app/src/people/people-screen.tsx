import { texts } from '../texts/en.js';
import { invitationTexts } from '../texts/invitations.js';
import { memberTexts } from '../texts/members.js';
import { ScreenFrame, ScreenTabs, EmptyScreen, Note, Time } from '../ui/screens.js';
import { AuditLog } from './audit-log.js';
import { Members } from './members.js';
import { useOrganization, type Role } from './queries.js';
import { Badge, Group, Stack, Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { get, send, type Schemas, useList } from '../api/client.js';
import { ActionButton, TextAreaField, useChange, useText } from '../ui/forms.js';
import { Button, CopyAction } from '../ui/buttons.js';
import { ListTable } from '../ui/tables.js';
import { RoleSelect, roleName } from './role-select.js';
import { Teams } from './teams.js';

const words = texts.people.people;

export function PeopleScreen() {
  const organization = useOrganization();
  const { id, permissions } = organization;
  if (!permissions.listMembers) return <EmptyScreen order={1} title={words.title} text={words.hidden} />;
  const contents = {
    members: <Members />,
    teams: <Teams />,
    invitations: <Invitations organizationId={id} />,
    links: <InviteLinks />,
    audit: <AuditLog />,
  };
  return (
    <ScreenFrame title={words.title}>
      <ScreenTabs labels={permissions.admin ? words.tabs : words.tabsOfMembers} contents={contents} />
    </ScreenFrame>
  );
}

type Invitation = Schemas['InvitationBody'];
type Props = Readonly<{ organizationId: string }>;

const INVITES = '/v1/orgs/{organizationId}/invites';
const inviteWords = invitationTexts.invitations;

/** Invites people by e-mail, and shows who has not answered. */
export function Invitations({ organizationId }: Props) {
  const key = ['invitations', organizationId];
  const invitations = useList<Invitation>(key, (page) => get(INVITES, { organizationId }, { page }));
  const buttons = ({ id, email, urls }: Invitation) => (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {urls.accept !== undefined ? (
        <CopyAction label={inviteWords.copyLink} value={urls.accept} />
      ) : (
        <Note size="xs">{inviteWords.linkInLetter}</Note>
      )}
      <ActionButton
        label={inviteWords.revoke}
        size="xs"
        flex="none"
        aria-label={inviteWords.revokeOne(email)}
        action={() =>
          send('delete', '/v1/orgs/{organizationId}/link-invites/{inviteId}', { organizationId, inviteId: id })
        }
        refresh={key}
        done={inviteWords.revoked(email)}
      />
    </Group>
  );
  return (
    <Stack gap="xl">
      <Invite organizationId={organizationId} />
      <ListTable
        query={invitations}
        empty={<EmptyScreen title={inviteWords.none} text={inviteWords.noneText} />}
        columns={[
          {
            heading: inviteWords.address,
            cell: ({ email, mailed }) => (
              <>
                {email} {mailed && <Badge>{inviteWords.mailed}</Badge>}
              </>
            ),
          },
          { heading: texts.people.people.role, cell: ({ role }) => roleName(role) },
          { heading: memberTexts.tokens.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          { heading: texts.people.people.actions, isButtons: true, cell: buttons },
        ]}
      />
    </Stack>
  );
}

function Invite({ organizationId }: Props) {
  const addresses = useText();
  const [role, setRole] = useState<Role>('edit');
  const emails = addresses.value.split(/[\s,;]+/).filter((address) => address !== '');
  const invite = useChange(() => send('post', INVITES, { organizationId }, { emails, role }), {
    refresh: ['invitations', organizationId],
    done: ({ invited, users }) => inviteWords.invited(invited, users.length),
  });
  return (
    <form action={() => invite.mutate(undefined, { onSuccess: () => addresses.onText('') })}>
      <Stack gap="sm">
        <TextAreaField
          label={inviteWords.addresses}
          description={inviteWords.addressesHelp}
          {...addresses}
          minRows={2}
          maxRows={8}
        />
        <Group align="flex-end">
          <RoleSelect label={texts.people.people.role} value={role} onChange={setRole} />
          <Button label={inviteWords.invite} type="submit" disabled={emails.length === 0} loading={invite.isPending} />
        </Group>
      </Stack>
    </form>
  );
}

type InviteLink = Schemas['InviteLinkBody'];

const LINKS = '/v1/orgs/{organizationId}/link-invites';
const linkWords = invitationTexts.links;

/** Links by which people join an organization by themselves. */
export function InviteLinks() {
  const organization = useOrganization();
  const organizationId = organization.id;
  const key = ['invite-links', organizationId];
  const [role, setRole] = useState<Role>('read');
  const links = useList<InviteLink>(key, (page) => get(LINKS, { organizationId }, { page }));
  const buttons = ({ id }: InviteLink) => (
    <Group gap="xs" justify="flex-end">
      <CopyAction label={inviteWords.copyLink} value={new URL(`join/${organizationId}/${id}`, document.baseURI).href} />
      <ActionButton
        label={texts.common.delete}
        size="xs"
        action={() => send('delete', `${LINKS}/{inviteId}`, { organizationId, inviteId: id })}
        refresh={key}
        done={linkWords.removed}
      />
    </Group>
  );
  return (
    <Stack>
      <Text c="dimmed">{linkWords.text}</Text>
      {!organization.inviteLinks && <Alert color="yellow">{linkWords.off}</Alert>}
      <Group align="flex-end">
        <RoleSelect label={texts.people.people.role} value={role} onChange={setRole} />
        <ActionButton
          label={linkWords.make}
          variant="filled"
          action={() => send('post', LINKS, { organizationId }, { role })}
          refresh={key}
        />
      </Group>
      <ListTable
        query={links}
        minWidth={320}
        empty={<EmptyScreen title={linkWords.none} text={linkWords.noneText} />}
        columns={[
          { heading: linkWords.opens, cell: ({ space, collection }) => (space ?? collection ?? organization).title },
          {
            heading: texts.people.people.role,
            cell: (link) => roleName(link.space || link.collection ? link.level : link.role),
          },
          { heading: texts.people.people.actions, isButtons: true, cell: buttons },
        ]}
      />
    </Stack>
  );
}
