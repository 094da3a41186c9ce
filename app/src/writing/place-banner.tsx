import { Alert, Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import IconRequest from '~icons/fa7-solid/code-pull-request';
import IconHistory from '~icons/fa7-solid/clock-rotate-left';
import { texts } from '../texts/en.js';
import { TextLink } from '../ui/links.js';
import { Time } from '../ui/time.js';
import { RestoreSpace } from './history/restore.js';
import { usePlace, usePlaceRequest, useSpace } from './place.js';
import { revisionQuery } from './queries.js';

const words = texts.writing.read;

/** Says that what is shown is not the present content of the space. */
export function PlaceBanner(): ReactNode {
  const { organizationId, spaceId, revisionId } = usePlace();
  const request = usePlaceRequest();
  if (revisionId !== undefined) return <RevisionBanner revisionId={revisionId} />;
  if (!request) return null;
  const { status, number, subject } = request;
  return (
    <Banner icon={<IconRequest aria-hidden="true" />} text={words.inRequest(number, subject)}>
      {(status === 'merged' || status === 'archived') && <Text size="sm">{words.closed[status]}</Text>}
      <TextLink
        size="sm"
        to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId"
        params={{ organizationId, spaceId, changeRequestId: String(number) }}
      >
        {words.review}
      </TextLink>
    </Banner>
  );
}

function RevisionBanner({ revisionId }: Readonly<{ revisionId: string }>): ReactNode {
  const place = usePlace();
  const space = useSpace();
  const { data: revision } = useQuery(revisionQuery(place));
  const text = (
    <>
      {words.readRevision} {revision && <Time at={revision.createdAt} />}{' '}
      {space.revision === revisionId && <Badge size="sm">{texts.writing.history.present}</Badge>}
    </>
  );
  return (
    <Banner icon={<IconHistory aria-hidden="true" />} text={text}>
      <TextLink size="sm" to="/o/$organizationId/s/$spaceId" params={place}>
        {words.toPresent}
      </TextLink>
      <RestoreSpace revisionId={revisionId} />
    </Banner>
  );
}

function Banner({
  icon,
  text,
  children,
}: Readonly<{ icon: ReactNode; text: ReactNode; children: ReactNode }>): ReactNode {
  return (
    <Alert radius={0} py="xs" variant="default" icon={icon}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {text}
        </Text>
        <Group gap="sm">{children}</Group>
      </Group>
    </Alert>
  );
}
