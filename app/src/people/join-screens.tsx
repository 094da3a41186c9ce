import { Stack, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get, send, sessionQuery, queries } from '../api/client.js';
import { useMutation } from '../api/mutations.js';
import { joiningTexts } from '../texts/joining.js';
import { ActionButton, TextField, useText } from '../ui/forms.js';
import { Button } from '../ui/buttons.js';
import { LoadingScreen } from '../ui/screens.js';
import { ComingInFrame, useEnter, SignInForm } from './sign-in-screen.js';
import { roleName } from './role-select.js';

const words = joiningTexts.invitation;

type Titled = Readonly<{ id: string; title: string }>;

export function InvitationScreen() {
  const { secret } = useParams({ from: '/invitations/$secret' });
  const read = () => get('/v1/auth/invitations/{secret}', { secret });
  const invitation = useQuery({ queryKey: ['invitation', secret], queryFn: read });
  return (
    <JoinFrame query={invitation} overText={words.overText} invite={secret}>
      {({ organization, invitedBy, email, role, hasAccount }) => ({
        text: words.text(invitedBy, email, roleName(role)),
        form: hasAccount ? (
          <>
            <Text>{words.hasAccount}</Text>
            <SignInForm returnTo={`/invitations/${secret}`} organization={organization.id} knownEmail={email} />
          </>
        ) : (
          <NewAccount secret={secret} organization={organization} />
        ),
      })}
    </JoinFrame>
  );
}

export function JoinScreen() {
  const { inviteId } = useParams({ from: '/join/$organizationId/$inviteId' });
  const read = () => get('/v1/auth/invite-links/{inviteId}', { inviteId });
  const link = useQuery({ queryKey: ['invite-link', inviteId], queryFn: read });
  return (
    <JoinFrame query={link} overText={words.linkOverText} invite={inviteId}>
      {({ organization: { id } }) => ({
        form: (
          <>
            <Text>{words.linkText}</Text>
            <SignInForm returnTo={`/o/${id}`} organization={id} invite={inviteId} />
          </>
        ),
      })}
    </JoinFrame>
  );
}

interface JoinFrameProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** Shown when the invitation or the link does not work any more. */
  readonly overText: string;
  /** The id of an invite link, or the secret of an invitation. */
  readonly invite: string;
  /** The text that is shown first, and the form for people without a session. */
  readonly children: (data: Data) => { readonly text?: string; readonly form: ReactNode };
}

/** Asks somebody to join an organization: with the account of the session by one button, else by a form. */
function JoinFrame<Data extends { readonly organization: Titled }>(props: JoinFrameProps<Data>) {
  const { query, overText, invite, children } = props;
  const { data: session } = useSuspenseQuery(sessionQuery);
  const navigate = useNavigate();
  if (query.isPending) return <LoadingScreen />;
  if (!query.data)
    return (
      <ComingInFrame title={words.overTitle}>
        <Text>{overText}</Text>
      </ComingInFrame>
    );
  const { id: organizationId, title } = query.data.organization;
  const { text, form } = children(query.data);
  const join = async (): Promise<void> => {
    await send('post', '/v1/orgs/{organizationId}/invites/{inviteId}', { organizationId, inviteId: invite });
    await queries.invalidateQueries();
    await navigate({ to: '/o/$organizationId', params: { organizationId }, replace: true });
  };
  return (
    <ComingInFrame title={words.title(title)}>
      {text !== undefined && <Text>{text}</Text>}
      {session ? (
        <>
          <Text c="dimmed">{words.signedInAs(session.user.displayName)}</Text>
          <ActionButton label={words.join(title)} variant="filled" size="md" autoFocus action={join} />
        </>
      ) : (
        form
      )}
    </ComingInFrame>
  );
}

function NewAccount({ secret, organization }: Readonly<{ secret: string; organization: Titled }>) {
  const enter = useEnter();
  const displayName = useText();
  const accept = useMutation({
    mutationFn: async () => {
      const name = displayName.value.trim();
      const body = { session: true, ...(name !== '' && { displayName: name }) };
      await send('post', '/v1/auth/invitations/{secret}', { secret }, body);
      return queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    },
    onSuccess: (session) => session && enter(session, `/o/${organization.id}`),
  });
  return (
    <form action={() => accept.mutate()}>
      <Stack>
        <TextField {...displayName} label={words.name} autoComplete="name" maxLength={100} autoFocus />
        <Button label={words.join(organization.title)} type="submit" size="md" loading={accept.isPending} />
      </Stack>
    </form>
  );
}
