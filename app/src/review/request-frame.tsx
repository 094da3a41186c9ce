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

type FrameProps = Readonly<{ current: keyof typeof TABS; children: ReactNode }>;

/** The status of a change request in a word and a colour. */
export function StatusBadge({ status }: Readonly<{ status: RequestStatus }>): ReactNode {
  return (
    <Badge color={COLORS[status]} variant="light" flex="none">
      {texts.review.status[status]}
    </Badge>
  );
}

/** A screen of a change request below its head: its space, its subject, its state, and the other screens. */
export function RequestFrame({ current, children }: FrameProps): ReactNode {
  const { path, request, space } = useRequest();
  const { number, status, createdBy, createdAt, agent, outdated } = request;
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
          <StatusBadge status={status} />
          <Note>
            {`#${number} · ${words.openedBy(createdBy.displayName)} `}
            <Time at={createdAt} />
            {agent !== undefined && ` · ${words.byAgent(agent)}`}
          </Note>
        </Group>
        <Tabs current={current} />
        {outdated && status !== 'merged' && current === 'conversation' && (
          <Alert color="yellow" title={words.outdatedTitle}>
            {words.outdatedText}
          </Alert>
        )}
        {children}
      </Stack>
    </Container>
  );
}

function Tabs({ current }: Pick<FrameProps, 'current'>): ReactNode {
  const { path, request } = useRequest();
  const { data: { conflicts } = { conflicts: [] } } = useQuery({ ...conflictsQuery(path), enabled: request.outdated });
  const { label, ...names } = texts.review.tabs;
  const shown = { ...names, conflicts: names.conflicts(conflicts.length) };
  return (
    <Group component="nav" gap="xs" aria-label={label}>
      {(['conversation', 'changes', 'conflicts'] as const)
        .filter((tab) => tab !== 'conflicts' || current === tab || conflicts.length > 0)
        .map((tab) => (
          <ButtonLink
            key={tab}
            to={`/o/$organizationId/s/$spaceId/~/changes/$changeRequestId${TABS[tab]}`}
            params={path}
            size="sm"
            variant={tab === current ? 'light' : 'subtle'}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {shown[tab]}
          </ButtonLink>
        ))}
    </Group>
  );
}
