import { Container, Stack, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { organizationRequestsQuery } from './queries.js';
import { RequestFilters, RequestList, useFilter } from './request-list.js';

/** The change requests of all spaces of an organization that somebody can see. */
function OrganizationRequests(): ReactNode {
  const { organizationId } = organizationRequestsScreen.useParams();
  const search = organizationRequestsScreen.useSearch();
  const navigate = organizationRequestsScreen.useNavigate();
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    organizationRequestsQuery(organizationId, useFilter(search)),
  );
  return (
    <Container size="md" py="md">
      <Stack gap="md">
        <Title order={1} size="h2">
          {texts.review.list.title}
        </Title>
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

export const organizationRequestsScreen = createLazyRoute('/signed-in/o/$organizationId/changes')({
  component: OrganizationRequests,
});
