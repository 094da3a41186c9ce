import { Alert, Anchor, Container, Grid, Group, Stack, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import { Conversation } from './conversation.js';
import { MergeBox } from './merge-box.js';
import { requestQuery, spaceQuery } from './queries.js';
import { RequestDescription } from './request-description.js';
import { RequestSubject } from './request-subject.js';
import { RequestTabs } from './request-tabs.js';
import { Reviewers } from './reviewers.js';
import { StatusBadge } from './status-badge.js';

const words = texts.review.request;

/** A change request: its discussion, its reviewers, and its merge. */
function RequestScreen(): ReactNode {
  const { organizationId, spaceId, changeRequestId } = requestScreen.useParams();
  const { comment } = requestScreen.useSearch();
  const path = { spaceId, changeRequestId };
  const { data: request } = useSuspenseQuery(requestQuery(path));
  const { data: space } = useSuspenseQuery(spaceQuery(spaceId));
  return (
    <Container size="lg" py="md">
      <Stack gap="md">
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/o/$organizationId/s/$spaceId" params={{ organizationId, spaceId }} {...props} />
          )}
        >
          {space.title}
        </Anchor>
        <RequestSubject request={request} path={path} mayEdit={space.permissions.edit} />
        <Group gap="xs">
          <StatusBadge status={request.status} />
          <Text size="sm" c="dimmed">
            {`#${request.number} · ${words.openedBy(request.createdBy.displayName)} `}
            <Time at={request.createdAt} />
            {request.agent !== undefined && ` · ${words.byAgent(request.agent)}`}
          </Text>
        </Group>
        <RequestTabs organizationId={organizationId} path={path} current="conversation" />
        {request.outdated && request.status !== 'merged' && (
          <Alert color="yellow" title={words.outdatedTitle}>
            {words.outdatedText}
          </Alert>
        )}
        <Grid gutter="lg">
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Stack gap="md">
              <RequestDescription request={request} path={path} mayEdit={space.permissions.edit} />
              <Conversation path={path} request={request} space={space} focus={comment} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Stack gap="md">
              <Reviewers organizationId={organizationId} path={path} request={request} space={space} />
              <MergeBox organizationId={organizationId} path={path} request={request} space={space} />
            </Stack>
          </Grid.Col>
        </Grid>
      </Stack>
    </Container>
  );
}

export const requestScreen = createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/')({
  component: RequestScreen,
});
