import { Badge, Text, Group } from '@mantine/core';
import Bowser from 'bowser';
import type { ReactNode } from 'react';
import { type Schemas, useList, get, send } from '../api/client.js';
import { memberTexts } from '../texts/members.js';
import { ListTable, RowName } from '../ui/tables.js';
import { Time } from '../ui/screens.js';
import { ActionButton } from '../ui/forms.js';

export type ListedSession = Schemas['SessionInListBody'];

const words = memberTexts.sessions;

/** A browser in words that people know, from the name that it gives itself. */
function browserName(userAgent: string | undefined): string {
  if (userAgent === undefined) return words.unknownBrowser;
  const { browser, os } = Bowser.parse(userAgent);
  if (browser.name === undefined || browser.name === '') return userAgent;
  return os.name === undefined ? browser.name : words.browserOn(browser.name, os.name);
}

interface SessionTableProps {
  readonly query: ReturnType<typeof useList<ListedSession>>;
  /** A button at the end of each row. */
  readonly action?: (session: ListedSession) => ReactNode;
}

/** Sessions of browsers. */
export function SessionTable({ query, action }: SessionTableProps) {
  return (
    <ListTable
      query={query}
      empty={<Text>{words.none}</Text>}
      columns={[
        {
          heading: words.browser,
          cell: ({ userAgent, current, method, ip }) => (
            <RowName below={[words.methods[method], ip].filter(Boolean).join(' · ')}>
              {browserName(userAgent)} {current && <Badge>{words.current}</Badge>}
            </RowName>
          ),
        },
        { heading: words.began, cell: ({ createdAt }) => <Time at={createdAt} /> },
        { heading: words.used, cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? '–' : <Time at={lastUsedAt} />) },
        ...(action ? [{ heading: words.end, isButtons: true, cell: action }] : []),
      ]}
    />
  );
}

const KEY = ['own-sessions'] as const;
/** The browsers in which the person is signed in. */
export function OwnSessions() {
  const sessions = useList<ListedSession>(KEY, (page) => get('/v1/user/sessions', {}, { page }));
  const endOne = ({ current, id }: ListedSession) =>
    !current && (
      <ActionButton
        label={words.end}
        size="xs"
        action={() => send('delete', '/v1/user/sessions/{sessionId}', { sessionId: id })}
        refresh={KEY}
        done={words.ended}
      />
    );
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{words.text}</Text>
        <ActionButton
          label={words.endOthers}
          action={() => send('delete', '/v1/user/sessions', {})}
          refresh={KEY}
          done={words.othersEnded}
        />
      </Group>
      <SessionTable query={sessions} action={endOne} />
    </>
  );
}
