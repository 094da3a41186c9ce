import { Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get } from '../api/client.js';
import { sessionQuery } from '../api/session.js';
import { texts } from '../texts/en.js';
import { LoadingScreen } from '../ui/screens.js';
import { ComingInFrame } from './coming-in.js';
import { JoinButton } from './join-button.js';
import { SignInForm } from './sign-in-screen.js';

const words = texts.people.invitation;

function Join(): ReactNode {
  const { inviteId } = joinScreen.useParams();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const link = useQuery({
    queryKey: ['invite-link', inviteId],
    queryFn: () => get('/v1/auth/invite-links/{inviteId}', { inviteId }),
  });
  if (link.isPending) return <LoadingScreen />;
  if (!link.data)
    return (
      <ComingInFrame title={words.overTitle}>
        <Text>{words.linkOverText}</Text>
      </ComingInFrame>
    );
  const { organization } = link.data;
  return (
    <ComingInFrame title={words.title(organization.title)}>
      {session ? (
        <JoinButton organization={organization} invite={inviteId} as={session.user.displayName} />
      ) : (
        <>
          <Text>{words.linkText}</Text>
          <SignInForm returnTo={`/o/${organization.id}`} organization={organization.id} invite={inviteId} />
        </>
      )}
    </ComingInFrame>
  );
}

export const joinScreen = createLazyRoute('/join/$organizationId/$inviteId')({ component: Join });
