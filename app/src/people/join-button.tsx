import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { send } from '../api/client.js';
import { queries } from '../api/query-client.js';
import { texts } from '../texts/en.js';

interface JoinButtonProps {
  readonly organization: { readonly id: string; readonly title: string };
  /** The id of an invite link, or the secret of an invitation. */
  readonly invite: string;
  /** The name of the person who is signed in. */
  readonly as: string;
}

/** Joins an organization with the account of the session. */
export function JoinButton({ organization, invite, as }: JoinButtonProps): ReactNode {
  const navigate = useNavigate();
  const organizationId = organization.id;
  const join = useMutation({
    mutationFn: () =>
      send('post', '/v1/orgs/{organizationId}/invites/{inviteId}', { organizationId, inviteId: invite }),
    onSuccess: async () => {
      await queries.invalidateQueries();
      await navigate({ to: '/o/$organizationId', params: { organizationId }, replace: true });
    },
  });
  return (
    <>
      <Text c="dimmed">{texts.people.invitation.signedInAs(as)}</Text>
      <Button size="md" autoFocus loading={join.isPending} onClick={() => join.mutate()}>
        {texts.people.invitation.join(organization.title)}
      </Button>
    </>
  );
}
