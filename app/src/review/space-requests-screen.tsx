import { Container, Group, Stack, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { NewRequestButton } from './new-request.js';
import { spaceQuery, spaceRequestsQuery } from './queries.js';
import { RequestFilters, RequestList, useFilter } from './request-list.js';

/** The change requests of a space. */
function SpaceRequests(): ReactNode {
  const { organizationId, spaceId } = spaceRequestsScreen.useParams();
  const search = spaceRequestsScreen.useSearch();
  const navigate = spaceRequestsScreen.useNavigate();
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    spaceRequestsQuery(spaceId, useFilter(search)),
  );
  const { data: space } = useQuery(spaceQuery(spaceId));
  return (
    <Container size="md" py="md">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={1} size="h2">
            {texts.review.list.title}
          </Title>
          <NewRequestButton organizationId={organizationId} spaceId={spaceId} permissions={space?.permissions} />
        </Group>
        <RequestFilters search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
        <RequestList
          requests={data?.pages.flatMap(({ items }) => items)}
          organizationId={organizationId}
          subject={search.subject}
          more={hasNextPage ? { load: () => void fetchNextPage(), loading: isFetchingNextPage } : undefined}
        />
      </Stack>
    </Container>
  );
}

export const spaceRequestsScreen = createLazyRoute('/signed-in/o/$organizationId/s/$spaceId/~/changes')({
  component: SpaceRequests,
});
