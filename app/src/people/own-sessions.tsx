import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { queries } from '../api/query-client.js';
import { texts } from '../texts/en.js';
import { LoadedList } from '../ui/loaded.js';
import { showDone } from '../ui/toasts.js';
import { SessionTable, type ListedSession } from './session-table.js';

const KEY = ['own-sessions'] as const;
const words = texts.people.sessions;

/** The browsers in which the person is signed in. */
export function OwnSessions(): ReactNode {
  const sessions = useInfiniteQuery({
    queryKey: KEY,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) => answered(api.GET('/v1/user/sessions', { params: { query: { page } } })),
    getNextPageParam: nextPage<ListedSession>,
  });
  const endOthers = useMutation({
    mutationFn: () => answered(api.DELETE('/v1/user/sessions')),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEY });
      showDone(words.othersEnded);
    },
  });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{words.text}</Text>
        <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {words.endOthers}
        </Button>
      </Group>
      <LoadedList query={sessions} empty={<Text>{words.none}</Text>}>
        {(items) => <SessionTable sessions={items} action={(session) => <EndButton session={session} />} />}
      </LoadedList>
    </>
  );
}

function EndButton({ session }: { readonly session: ListedSession }): ReactNode {
  const end = useMutation({
    mutationFn: () =>
      answered(api.DELETE('/v1/user/sessions/{sessionId}', { params: { path: { sessionId: session.id } } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: KEY });
      showDone(words.ended);
    },
  });
  if (session.current) return null;
  return (
    <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate()}>
      {words.end}
    </Button>
  );
}
