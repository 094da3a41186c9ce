import { Badge, Button, CopyButton, Group, Stack, Table, Text, Textarea } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { answered, api, type Schemas } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { queries } from '../api/query-client.js';
import { texts } from '../texts/en.js';
import { HiddenHeading } from '../ui/hidden-heading.js';
import { LoadedList } from '../ui/loaded.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import { showDone } from '../ui/toasts.js';
import type { Role } from './queries.js';
import { RoleSelect } from './role-select.js';

type Invitation = Schemas['InvitationBody'];

const words = texts.people.invitations;

/** Invites people by e-mail, and shows who has not answered. */
export function Invitations({ organizationId }: { readonly organizationId: string }): ReactNode {
  const invitations = useInfiniteQuery({
    queryKey: ['invitations', organizationId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) =>
      answered(api.GET('/v1/orgs/{organizationId}/invites', { params: { path: { organizationId }, query: { page } } })),
    getNextPageParam: nextPage<Invitation>,
  });
  return (
    <Stack gap="xl">
      <Invite organizationId={organizationId} />
      <LoadedList query={invitations} empty={<EmptyScreen title={words.none} text={words.noneText} />}>
        {(items) => (
          <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{words.address}</Table.Th>
                  <Table.Th>{texts.people.people.role}</Table.Th>
                  <Table.Th>{words.expires}</Table.Th>
                  <HiddenHeading>{texts.people.people.actions}</HiddenHeading>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((invitation) => (
                  <InvitationRow key={invitation.id} organizationId={organizationId} invitation={invitation} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </LoadedList>
    </Stack>
  );
}

function Invite({ organizationId }: { readonly organizationId: string }): ReactNode {
  const [addresses, setAddresses] = useState('');
  const [role, setRole] = useState<Role>('edit');
  const emails = addresses.split(/[\s,;]+/).filter((address) => address !== '');
  const invite = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/v1/orgs/{organizationId}/invites', {
          params: { path: { organizationId } },
          body: { emails, role },
        }),
      ),
    onSuccess: async ({ invited, users }) => {
      setAddresses('');
      showDone(words.invited(invited, users.length));
      await queries.invalidateQueries({ queryKey: ['invitations', organizationId] });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (emails.length > 0) invite.mutate();
  };
  return (
    <form onSubmit={submit}>
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

interface InvitationRowProps {
  readonly organizationId: string;
  readonly invitation: Invitation;
}

function InvitationRow({ organizationId, invitation }: InvitationRowProps): ReactNode {
  const { id, email, role, mailed, expiresAt, urls } = invitation;
  const revoke = useMutation({
    mutationFn: () =>
      answered(
        api.DELETE('/v1/orgs/{organizationId}/link-invites/{inviteId}', {
          params: { path: { organizationId, inviteId: id } },
        }),
      ),
    onSuccess: async () => {
      showDone(words.revoked(email));
      await queries.invalidateQueries({ queryKey: ['invitations', organizationId] });
    },
  });
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {email} {mailed && <Badge variant="light">{words.mailed}</Badge>}
      </Table.Th>
      <Table.Td>{texts.people.roles[role ?? 'guest']}</Table.Td>
      <Table.Td>
        <Time at={expiresAt} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {urls.accept !== undefined ? (
            <CopyButton value={urls.accept}>
              {({ copied, copy }) => (
                <Button size="xs" variant="default" onClick={copy}>
                  {copied ? texts.people.copied : words.copyLink}
                </Button>
              )}
            </CopyButton>
          ) : (
            <Text size="xs" c="dimmed">
              {words.linkInLetter}
            </Text>
          )}
          <Button
            size="xs"
            variant="default"
            aria-label={words.revokeOne(email)}
            loading={revoke.isPending}
            onClick={() => revoke.mutate()}
          >
            {words.revoke}
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
