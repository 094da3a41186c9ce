import { Badge, Button, Group, Stack, Textarea } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { get, send, type Schemas } from '../api/client.js';
import { useList } from '../api/pages.js';
import { texts } from '../texts/en.js';
import { ActionButton } from '../ui/action-button.js';
import { CopyAction } from '../ui/copy-field.js';
import { ListTable } from '../ui/list-table.js';
import { Note } from '../ui/note.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import { useChange } from '../ui/use-change.js';
import type { Role } from './queries.js';
import { RoleSelect, roleName } from './role-select.js';

type Invitation = Schemas['InvitationBody'];
type Props = Readonly<{ organizationId: string }>;

const INVITES = '/v1/orgs/{organizationId}/invites';
const words = texts.people.invitations;

/** Invites people by e-mail, and shows who has not answered. */
export function Invitations({ organizationId }: Props): ReactNode {
  const key = ['invitations', organizationId];
  const invitations = useList<Invitation>(key, (page) => get(INVITES, { organizationId }, { page }));
  const buttons = ({ id, email, urls }: Invitation): ReactNode => (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {urls.accept !== undefined ? (
        <CopyAction label={words.copyLink} value={urls.accept} />
      ) : (
        <Note size="xs">{words.linkInLetter}</Note>
      )}
      <ActionButton
        size="xs"
        aria-label={words.revokeOne(email)}
        action={() =>
          send('delete', '/v1/orgs/{organizationId}/link-invites/{inviteId}', { organizationId, inviteId: id })
        }
        refresh={key}
        done={words.revoked(email)}
      >
        {words.revoke}
      </ActionButton>
    </Group>
  );
  return (
    <Stack gap="xl">
      <Invite organizationId={organizationId} />
      <ListTable
        query={invitations}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          {
            heading: words.address,
            cell: ({ email, mailed }) => (
              <>
                {email} {mailed && <Badge variant="light">{words.mailed}</Badge>}
              </>
            ),
          },
          { heading: texts.people.people.role, cell: ({ role }) => roleName(role) },
          { heading: words.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          { heading: texts.people.people.actions, isButtons: true, cell: buttons },
        ]}
      />
    </Stack>
  );
}

function Invite({ organizationId }: Props): ReactNode {
  const [addresses, setAddresses] = useState('');
  const [role, setRole] = useState<Role>('edit');
  const emails = addresses.split(/[\s,;]+/).filter((address) => address !== '');
  const invite = useChange(() => send('post', INVITES, { organizationId }, { emails, role }), {
    refresh: ['invitations', organizationId],
    done: ({ invited, users }) => words.invited(invited, users.length),
  });
  return (
    <form action={() => invite.mutate(undefined, { onSuccess: () => setAddresses('') })}>
      <Stack gap="sm">
        <Textarea
          label={words.addresses}
          description={words.addressesHelp}
          value={addresses}
          onChange={({ currentTarget }) => setAddresses(currentTarget.value)}
          autosize
          minRows={2}
          maxRows={8}
        />
        <Group align="flex-end">
          <RoleSelect label={texts.people.people.role} value={role} onChange={setRole} />
          <Button type="submit" disabled={emails.length === 0} loading={invite.isPending}>
            {words.invite}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
