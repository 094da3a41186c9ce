import { Alert, Anchor, Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import IconRequest from '~icons/fa7-solid/code-pull-request';
import IconHistory from '~icons/fa7-solid/clock-rotate-left';
import { answered, api } from '../api/client.js';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import type { Place } from './place.js';
import type { ChangeRequest, Space } from './queries.js';
import { RestoreSpace } from './history/restore.js';

const words = texts.writing.read;

/** Says that what is shown is not the present content of the space. */
export function PlaceBanner({
  place,
  space,
  request,
}: {
  readonly place: Place;
  readonly space: Space;
  readonly request: ChangeRequest | undefined;
}): ReactNode {
  if (place.revisionId !== undefined) return <RevisionBanner {...{ place, space }} revisionId={place.revisionId} />;
  if (!request) return null;
  const { status, number, subject } = request;
  const params = { organizationId: place.organizationId, spaceId: place.spaceId, changeRequestId: String(number) };
  return (
    <Alert radius={0} py="xs" variant="default" icon={<IconRequest aria-hidden="true" />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {words.inRequest(number, subject === '' ? words.noSubject : subject)}
        </Text>
        <Group gap="sm">
          {(status === 'merged' || status === 'archived') && <Text size="sm">{words.closed[status]}</Text>}
          <Anchor
            size="sm"
            renderRoot={(root) => (
              <Link {...root} to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId" params={params} />
            )}
          >
            {words.review}
          </Anchor>
        </Group>
      </Group>
    </Alert>
  );
}

function RevisionBanner({
  place,
  space,
  revisionId,
}: {
  readonly place: Place;
  readonly space: Space;
  readonly revisionId: string;
}): ReactNode {
  const { organizationId, spaceId } = place;
  const path = { spaceId, revisionId };
  const { data: revision } = useQuery({
    queryKey: ['revision', spaceId, revisionId],
    staleTime: Infinity,
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/revisions/{revisionId}', { params: { path, query: { metadata: false } } }),
      ),
    select: ({ createdAt }) => createdAt,
  });
  return (
    <Alert radius={0} py="xs" variant="default" icon={<IconHistory aria-hidden="true" />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {words.readRevision} {revision !== undefined && <Time at={revision} />}{' '}
          {space.revision === revisionId && <Badge size="sm">{texts.writing.history.present}</Badge>}
        </Text>
        <Group gap="sm">
          <Anchor
            size="sm"
            renderRoot={(root) => (
              <Link {...root} to="/o/$organizationId/s/$spaceId" params={{ organizationId, spaceId }} />
            )}
          >
            {words.toPresent}
          </Anchor>
          {space.revision !== revisionId && <RestoreSpace {...{ place, space, revisionId }} />}
        </Group>
      </Group>
    </Alert>
  );
}
