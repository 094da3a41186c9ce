import { Alert, Divider, Stack, Text, Center, Paper, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Navigate, useLocation, useSearch, useRouter } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { get, send, type Schemas, sessionQuery, rememberCsrfToken, type Session, queries } from '../api/client.js';
import { useMutation } from '../api/mutations.js';
import { joiningTexts } from '../texts/joining.js';
import { AddressButton, Button, SecondaryButton } from '../ui/buttons.js';
import { TextField, useText } from '../ui/forms.js';
import { Note, LoadingScreen, useTitle } from '../ui/screens.js';
import { faultText } from '../ui/toasts.js';
import { safePath } from './safe-path.js';

const WAIT = 500;
const words = joiningTexts.signIn;

export function SignIn() {
  const { returnTo, organization } = useSearch({ from: '/sign-in' });
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

/** A link says whom it signs in, and waits for the button: programs that look at links in letters do not use it up. */
function SignInByLink({ secret, returnTo }: Readonly<{ secret: string; returnTo: string | undefined }>) {
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
      <Button label={words.title} size="md" autoFocus run={signIn} />
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
export function SignInForm({ returnTo, organization, knownEmail, invite }: FormProps) {
  const email = useText(knownEmail);
  const body = { email: email.value.trim(), invite, returnTo: returnTo === undefined ? undefined : safePath(returnTo) };
  const letter = useMutation({ mutationFn: () => send('post', '/v1/auth/sign-in-links', {}, body) });
  const ways = useWaysIn(body.email, organization);
  const providers = ways?.items ?? [];
  if (letter.isSuccess)
    return (
      <Stack gap="xs">
        <Text role="status">{words.sent(body.email)}</Text>
        <Note>{words.noLetter}</Note>
        <SecondaryButton label={words.otherAddress} onClick={letter.reset} />
      </Stack>
    );
  return (
    <>
      <form action={() => letter.mutate()}>
        <Stack>
          <TextField
            type="email"
            label={words.email}
            {...email}
            autoComplete="email"
            required
            readOnly={knownEmail !== undefined}
            autoFocus
          />
          <Button
            label={words.send}
            type="submit"
            size="md"
            loading={letter.isPending}
            disabled={ways?.mail === false}
          />
        </Stack>
      </form>
      {providers.length > 0 && <Divider label={words.or} />}
      {providers.map(({ label, startURL, organization: { title } }) => (
        <AddressButton key={startURL} label={words.through(label, title)} href={startAddress(startURL, returnTo)} />
      ))}
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

function startAddress(startURL: string, returnTo: string | undefined): string {
  const start = new URL(startURL);
  start.searchParams.set('returnTo', new URL(`.${safePath(returnTo)}`, document.baseURI).href);
  return start.href;
}

/** The frame of the screens by which people come in. */
export function ComingInFrame({ title, children }: Readonly<{ title: string; children: ReactNode }>) {
  useTitle(title);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={420}>
        <Stack>
          <Text fw={700} c="dimmed">
            Bindery
          </Text>
          <Title order={1} size={22}>
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}

/** Goes on with a new session: nothing that was read without it is kept. */
export function useEnter(): (session: Session, path: string | undefined) => Promise<void> {
  const router = useRouter();
  return async (session, path) => {
    queries.clear();
    rememberCsrfToken(session.csrfToken);
    queries.setQueryData(sessionQuery.queryKey, session);
    await router.navigate({ href: safePath(path), replace: true });
  };
}
