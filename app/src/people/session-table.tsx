import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.js';
import type { useList } from '../api/pages.js';
import { texts } from '../texts/en.js';
import { ListTable, RowName } from '../ui/list-table.js';
import { Time } from '../ui/time.js';

export type ListedSession = Schemas['SessionInListBody'];

const words = texts.people.sessions;
/** The marks of browsers and systems in the names that they give themselves; the first one that is found counts. */
const BROWSERS = { 'Edg/': 'Edge', 'Firefox/': 'Firefox', 'Chrome/': 'Chrome', 'Safari/': 'Safari' };
const SYSTEMS = {
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  Windows: 'Windows',
  'Mac OS': 'macOS',
  Linux: 'Linux',
};

/** A browser in words that people know, from the name that it gives itself. */
export function browserName(userAgent: string | undefined): string {
  if (userAgent === undefined) return words.unknownBrowser;
  const [browser, system] = [BROWSERS, SYSTEMS].map(
    (names) => Object.entries(names).find(([mark]) => userAgent.includes(mark))?.[1],
  );
  if (browser === undefined) return userAgent;
  return system === undefined ? browser : words.browserOn(browser, system);
}

interface SessionTableProps {
  readonly query: ReturnType<typeof useList<ListedSession>>;
  /** A button at the end of each row. */
  readonly action?: (session: ListedSession) => ReactNode;
}

/** Sessions of browsers. */
export function SessionTable({ query, action }: SessionTableProps): ReactNode {
  return (
    <ListTable
      query={query}
      empty={<Text>{words.none}</Text>}
      columns={[
        {
          heading: words.browser,
          cell: ({ userAgent, current, method, ip }) => (
            <RowName below={[words.methods[method], ip].filter(Boolean).join(' · ')}>
              {browserName(userAgent)} {current && <Badge variant="light">{words.current}</Badge>}
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
