import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rememberCsrfToken } from '../api/client.js';
import { queries } from '../api/query-client.js';
import { sessionQuery, type Session } from '../api/session.js';
import { useTitle } from '../ui/title.js';
import { safePath } from './safe-path.js';

/** The frame of the screens by which people come in. */
export function ComingInFrame({ title, children }: Readonly<{ title: string; children: ReactNode }>): ReactNode {
  useTitle(title);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={420}>
        <Stack>
          <Text fw={700} c="dimmed">
            Bindery
          </Text>
          <Title order={1} size="h3">
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
