import { Alert, Badge, Container, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { ButtonLink, TextLink } from '../ui/links.js';
import { Note } from '../ui/note.js';
import { Time } from '../ui/time.js';
import { conflictsQuery, useRequest, type RequestStatus } from './queries.js';
import { RequestSubject } from './request-texts.js';

const words = texts.review.request;
const COLORS = { draft: 'gray', open: 'green', merged: 'violet', archived: 'red' } as const;
const TABS = { conversation: '', changes: '/~/changes', conflicts: '/~/conflicts' } as const;

type Tab = keyof typeof TABS;

/** The status of a change request in a word and a colour. */
export function StatusBadge({ status }: Readonly<{ status: RequestStatus }>): ReactNode {
  return (
    <Badge color={COLORS[status]} variant="light" flex="none">
      {texts.review.status[status]}
    </Badge>
  );
}

/** A screen of a change request below its head: its space, its subject, its state, and the other screens. */
export function RequestFrame({ current, children }: Readonly<{ current: Tab; children: ReactNode }>): ReactNode {
  const { path, request, space } = useRequest();
  return (
    <Container size="xl" py="md">
      <Stack gap="md">
        <Group gap="md">
          <TextLink size="sm" to="/o/$organizationId/s/$spaceId" params={path}>
            {space.title}
          </TextLink>
          <TextLink size="sm" to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/pages" params={path}>
            {words.pages}
          </TextLink>
        </Group>
        <RequestSubject />
        <Group gap="xs">
          <StatusBadge status={request.status} />
          <Note>
            {`#${request.number} · ${words.openedBy(request.createdBy.displayName)} `}
            <Time at={request.createdAt} />
            {request.agent !== undefined && ` · ${words.byAgent(request.agent)}`}
          </Note>
        </Group>
        <Tabs current={current} />
        {request.outdated && request.status !== 'merged' && current === 'conversation' && (
          <Alert color="yellow" title={words.outdatedTitle}>
            {words.outdatedText}
          </Alert>
        )}
        {children}
      </Stack>
    </Container>
  );
}

function Tabs({ current }: Readonly<{ current: Tab }>): ReactNode {
  const { path, request } = useRequest();
  const { data: { count } = { count: 0 } } = useQuery({ ...conflictsQuery(path), enabled: request.outdated });
  const { label, conflicts, ...others } = texts.review.tabs;
  const tabs: [Tab, string][] = [
    ['conversation', others.conversation],
    ['changes', others.changes],
  ];
  if (current === 'conflicts' || count > 0) tabs.push(['conflicts', conflicts(count)]);
  return (
    <Group component="nav" gap="xs" aria-label={label}>
      {tabs.map(([tab, name]) => (
        <ButtonLink
          key={tab}
          to={`/o/$organizationId/s/$spaceId/~/changes/$changeRequestId${TABS[tab]}`}
          params={path}
          size="sm"
          variant={tab === current ? 'light' : 'subtle'}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {name}
        </ButtonLink>
      ))}
    </Group>
  );
}
