import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { get, send, type Schemas } from '../api/client.js';
import { queries } from '../api/query-client.js';
import { sessionQuery } from '../api/session.js';
import { texts } from '../texts/en.js';
import { LoadingScreen } from '../ui/screens.js';
import { ComingInFrame, useEnter } from './coming-in.js';
import { JoinButton } from './join-button.js';
import { roleName } from './role-select.js';
import { SignInForm } from './sign-in-screen.js';

const words = texts.people.invitation;
type Shown = Schemas['OpenInvitationBody'];

function Invitation(): ReactNode {
  const { secret } = invitationScreen.useParams();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const invitation = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => get('/v1/auth/invitations/{secret}', { secret }),
  });
  if (invitation.isPending) return <LoadingScreen />;
  if (!invitation.data)
    return (
      <ComingInFrame title={words.overTitle}>
        <Text>{words.overText}</Text>
      </ComingInFrame>
    );
  const { organization, invitedBy, email, role, hasAccount } = invitation.data;
  return (
    <ComingInFrame title={words.title(organization.title)}>
      <Text>{words.text(invitedBy, email, roleName(role))}</Text>
      {session ? (
        <JoinButton organization={organization} invite={secret} as={session.user.displayName} />
      ) : hasAccount ? (
        <>
          <Text>{words.hasAccount}</Text>
          <SignInForm returnTo={`/invitations/${secret}`} organization={organization.id} knownEmail={email} />
        </>
      ) : (
        <NewAccount secret={secret} invitation={invitation.data} />
      )}
    </ComingInFrame>
  );
}

function NewAccount({ secret, invitation }: Readonly<{ secret: string; invitation: Shown }>): ReactNode {
  const enter = useEnter();
  const [displayName, setDisplayName] = useState('');
  const accept = useMutation({
    mutationFn: async () => {
      const name = displayName.trim();
      const body = { session: true, ...(name !== '' && { displayName: name }) };
      await send('post', '/v1/auth/invitations/{secret}', { secret }, body);
      return queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    },
    onSuccess: (session) => session && enter(session, `/o/${invitation.organization.id}`),
  });
  return (
    <form action={() => accept.mutate()}>
      <Stack>
        <TextInput
          label={words.name}
          value={displayName}
          onChange={({ currentTarget }) => setDisplayName(currentTarget.value)}
          autoComplete="name"
          maxLength={100}
          autoFocus
        />
        <Button type="submit" size="md" loading={accept.isPending}>
          {words.join(invitation.organization.title)}
        </Button>
      </Stack>
    </form>
  );
}

export const invitationScreen = createLazyRoute('/invitations/$secret')({ component: Invitation });
