import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import { requestQuery, spaceQuery, type RequestAddress } from './queries.js';
import { RequestSubject } from './request-subject.js';
import { RequestTabs } from './request-tabs.js';
import { StatusBadge } from './status-badge.js';

const words = texts.review.request;

/** The head of every screen of a change request: its space, its subject, its state, and the other screens. */
export function RequestHeader({
  organizationId,
  path,
  current,
}: {
  readonly organizationId: string;
  readonly path: RequestAddress;
  readonly current: 'conversation' | 'changes' | 'conflicts';
}): ReactNode {
  const { spaceId } = path;
  const { data: request } = useSuspenseQuery(requestQuery(path));
  const { data: space } = useSuspenseQuery(spaceQuery(spaceId));
  return (
    <Stack gap="md">
      <Group gap="md">
        <Anchor
          size="sm"
          renderRoot={(root) => (
            <Link {...root} to="/o/$organizationId/s/$spaceId" params={{ organizationId, spaceId }} />
          )}
        >
          {space.title}
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(root) => (
            <Link
              {...root}
              to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/pages"
              params={{ organizationId, ...path }}
            />
          )}
        >
          {words.pages}
        </Anchor>
      </Group>
      <RequestSubject request={request} path={path} mayEdit={space.permissions.edit} />
      <Group gap="xs">
        <StatusBadge status={request.status} />
        <Text size="sm" c="dimmed">
          {`#${request.number} · ${words.openedBy(request.createdBy.displayName)} `}
          <Time at={request.createdAt} />
          {request.agent !== undefined && ` · ${words.byAgent(request.agent)}`}
        </Text>
      </Group>
      <RequestTabs organizationId={organizationId} path={path} current={current} />
      {request.outdated && request.status !== 'merged' && current === 'conversation' && (
        <Alert color="yellow" title={words.outdatedTitle}>
          {words.outdatedText}
        </Alert>
      )}
    </Stack>
  );
}
