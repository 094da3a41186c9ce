import { Badge, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';
import { HiddenHeading } from '../ui/hidden-heading.js';
import { Time } from '../ui/time.js';

export type ListedSession = Schemas['SessionInListBody'];

const words = texts.people.sessions;
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A browser in words that people know, from the name that it gives itself. */
export function browserName(userAgent: string | undefined): string {
  if (userAgent === undefined) return words.unknownBrowser;
  const [browser, system] = [BROWSERS, SYSTEMS].map((list) => list.find(([mark]) => userAgent.includes(mark))?.[1]);
  if (browser === undefined) return userAgent;
  return system === undefined ? browser : words.browserOn(browser, system);
}

interface SessionTableProps {
  readonly sessions: readonly ListedSession[];
  /** A button at the end of each row. */
  readonly action?: (session: ListedSession) => ReactNode;
}

/** Sessions of browsers. */
export function SessionTable({ sessions, action }: SessionTableProps): ReactNode {
  return (
    <Table.ScrollContainer minWidth={480} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.browser}</Table.Th>
            <Table.Th>{words.began}</Table.Th>
            <Table.Th>{words.used}</Table.Th>
            {action && <HiddenHeading>{words.end}</HiddenHeading>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Th scope="row" fw={400}>
                {browserName(session.userAgent)} {session.current && <Badge variant="light">{words.current}</Badge>}
                <Text size="xs" c="dimmed">
                  {[words.methods[session.method], session.ip].filter(Boolean).join(' · ')}
                </Text>
              </Table.Th>
              <Table.Td>
                <Time at={session.createdAt} />
              </Table.Td>
              <Table.Td>{session.lastUsedAt === undefined ? '–' : <Time at={session.lastUsedAt} />}</Table.Td>
              {action && <Table.Td ta="right">{action(session)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
