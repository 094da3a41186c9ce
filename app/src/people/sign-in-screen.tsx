import { Alert, Button, Divider, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Navigate, useLocation } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { get, send, type Schemas } from '../api/client.js';
import { sessionQuery } from '../api/session.js';
import { texts } from '../texts/en.js';
import { TextField } from '../ui/fields.js';
import { Note } from '../ui/note.js';
import { LoadingScreen } from '../ui/screens.js';
import { faultText } from '../ui/toasts.js';
import { ComingInFrame, useEnter } from './coming-in.js';
import { safePath } from './safe-path.js';

const WAIT = 500;
const words = texts.people.signIn;

function SignIn(): ReactNode {
  const { returnTo, organization } = signInScreen.useSearch();
  const hash = useLocation({ select: (location) => location.hash });
  // The address changes before the next screen is there: until then this one stays as it was.
  const [secret, setSecret] = useState(hash);
  if (hash !== '' && hash !== secret) setSecret(hash);
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (secret !== '') return <SignInByLink key={secret} secret={secret} returnTo={returnTo} />;
  if (session) return <Navigate to={safePath(returnTo)} replace />;
  return (
    <ComingInFrame title={words.title}>
      <SignInForm returnTo={returnTo} organization={organization} />
    </ComingInFrame>
  );
}

type ByLinkProps = Readonly<{ secret: string; returnTo: string | undefined }>;

/** A link says whom it signs in, and waits for the button: programs that look at links in letters do not use it up. */
function SignInByLink({ secret, returnTo }: ByLinkProps): ReactNode {
  const enter = useEnter();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const link = useQuery({
    queryKey: ['sign-in-link', secret],
    queryFn: () => get('/v1/auth/sign-in-links/{secret}', { secret }),
  });
  const signIn = useMutation({
    meta: { handlesErrors: true },
    mutationFn: () => send('post', '/v1/auth/sessions', {}, { secret }),
    onSuccess: (begun) => enter(begun, returnTo ?? link.data?.returnTo),
  });
  if (link.isPending) return <LoadingScreen />;
  if (!link.data)
    return (
      <ComingInFrame title={words.usedTitle}>
        <Text>{words.usedText}</Text>
        <SignInForm returnTo={returnTo} organization={undefined} />
      </ComingInFrame>
    );
  const { displayName, email, organization } = link.data;
  return (
    <ComingInFrame title={words.linkTitle(displayName)}>
      <Text>
        {email}
        {organization && <> · {words.onlyIn(organization.title)}</>}
      </Text>
      {session && session.user.email !== email && <Text c="dimmed">{words.instead(session.user.displayName)}</Text>}
      {signIn.isError && <Alert color="red">{faultText(signIn.error)}</Alert>}
      <Button size="md" autoFocus loading={signIn.isPending} onClick={() => signIn.mutate()}>
        {words.button}
      </Button>
    </ComingInFrame>
  );
}

interface FormProps {
  readonly returnTo: string | undefined;
  readonly organization: string | undefined;
  /** The address of a person who is known already. */
  readonly knownEmail?: string;
  /** The id of an invite link by which the person joins. */
  readonly invite?: string;
}

/** Asks for the e-mail address: offers the identity providers of its domain, and sends a link. */
export function SignInForm({ returnTo, organization, knownEmail, invite }: FormProps): ReactNode {
  const [email, setEmail] = useState(knownEmail ?? '');
  const body = { email: email.trim(), invite, returnTo: returnTo === undefined ? undefined : safePath(returnTo) };
  const letter = useMutation({ mutationFn: () => send('post', '/v1/auth/sign-in-links', {}, body) });
  const ways = useWaysIn(body.email, organization);
  if (letter.isSuccess)
    return (
      <Stack gap="xs">
        <Text role="status">{words.sent(body.email)}</Text>
        <Note>{words.noLetter}</Note>
        <Button variant="default" onClick={letter.reset}>
          {words.otherAddress}
        </Button>
      </Stack>
    );
  return (
    <>
      <form action={() => letter.mutate()}>
        <Stack>
          <TextField
            type="email"
            label={words.email}
            value={email}
            onText={setEmail}
            autoComplete="email"
            required
            readOnly={knownEmail !== undefined}
            autoFocus
          />
          <Button type="submit" size="md" loading={letter.isPending} disabled={ways?.mail === false}>
            {words.send}
          </Button>
        </Stack>
      </form>
      <Providers items={ways?.items ?? []} returnTo={returnTo} />
      <Note role="status">{ways?.mail === false ? words.noMail : words.noLetter}</Note>
    </>
  );
}

/** The identity providers for an address or of an organization, and whether letters are sent; undefined until asked. */
function useWaysIn(email: string, organization: string | undefined): Schemas['WaysInBody'] | undefined {
  const [settled] = useDebouncedValue(email, WAIT);
  const isAddress = /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(settled);
  const { data } = useQuery({
    queryKey: ['ways-in', organization ?? settled.replace(/.*@/, '')],
    enabled: organization !== undefined || isAddress,
    queryFn: () => get('/v1/auth/providers', {}, organization === undefined ? { email: settled } : { organization }),
  });
  return data;
}

type ProvidersProps = Readonly<{ items: Schemas['WaysInBody']['items']; returnTo: string | undefined }>;

function Providers({ items, returnTo }: ProvidersProps): ReactNode {
  if (items.length === 0) return null;
  return (
    <>
      <Divider label={words.or} />
      {items.map(({ label, startURL, organization: { title } }) => (
        <Button key={startURL} variant="default" component="a" href={startAddress(startURL, returnTo)}>
          {words.through(label, title)}
        </Button>
      ))}
    </>
  );
}

function startAddress(startURL: string, returnTo: string | undefined): string {
  const start = new URL(startURL);
  start.searchParams.set('returnTo', new URL(`.${safePath(returnTo)}`, document.baseURI).href);
  return start.href;
}

export const signInScreen = createLazyRoute('/sign-in')({ component: SignIn });
