import { Container, Grid, Group, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PreviewButton } from './changes/preview-dialog.js';
import { Conversation } from './conversation.js';
import { MergeBox } from './merge-box.js';
import { requestQuery, spaceQuery } from './queries.js';
import { RequestDescription } from './request-description.js';
import { RequestHeader } from './request-header.js';
import { Reviewers } from './reviewers.js';

/** A change request: its discussion, its reviewers, and its merge. */
function RequestScreen(): ReactNode {
  const { organizationId, spaceId, changeRequestId } = requestScreen.useParams();
  const { comment } = requestScreen.useSearch();
  const path = { spaceId, changeRequestId };
  const { data: request } = useSuspenseQuery(requestQuery(path));
  const { data: space } = useSuspenseQuery(spaceQuery(spaceId));
  const isOpen = request.status === 'draft' || request.status === 'open';
  return (
    <Container size="lg" py="md">
      <Stack gap="md">
        <RequestHeader organizationId={organizationId} path={path} current="conversation" />
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Stack gap="md">
              <RequestDescription request={request} path={path} mayEdit={space.permissions.edit} />
              <Conversation {...{ organizationId, path, request, space }} focus={comment} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Stack gap="md">
              {isOpen && (
                <Group>
                  <PreviewButton path={path} />
                </Group>
              )}
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
