import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { get, send } from '../api/client.js';
import { useList } from '../api/pages.js';
import { texts } from '../texts/en.js';
import { ActionButton } from '../ui/action-button.js';
import { SessionTable, type ListedSession } from './session-table.js';

const KEY = ['own-sessions'] as const;
const words = texts.people.sessions;

/** The browsers in which the person is signed in. */
export function OwnSessions(): ReactNode {
  const sessions = useList<ListedSession>(KEY, (page) => get('/v1/user/sessions', {}, { page }));
  const endOne = ({ current, id }: ListedSession): ReactNode =>
    !current && (
      <ActionButton
        size="xs"
        action={() => send('delete', '/v1/user/sessions/{sessionId}', { sessionId: id })}
        refresh={KEY}
        done={words.ended}
      >
        {words.end}
      </ActionButton>
    );
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{words.text}</Text>
        <ActionButton action={() => send('delete', '/v1/user/sessions', {})} refresh={KEY} done={words.othersEnded}>
          {words.endOthers}
        </ActionButton>
      </Group>
      <SessionTable query={sessions} action={endOne} />
    </>
  );
}
