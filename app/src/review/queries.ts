import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { answered, api, type Schemas } from '../api/client.js';
import { nextPage } from '../api/pages.js';

export type ChangeRequest = Schemas['ChangeRequestBody'];
export type Review = Schemas['ReviewBody'];
export type RequestStatus = ChangeRequest['status'];

/** A change request by its number or id, within its space. */
export interface RequestAddress {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

export const requestKey = (
  { spaceId, changeRequestId }: RequestAddress,
  ...more: readonly unknown[]
): readonly unknown[] => ['change-request', spaceId, changeRequestId, ...more];

export const requestQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path),
    queryFn: () => answered(api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}', { params: { path } })),
  });

export const reviewsQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'reviews'),
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/reviews', {
          params: { path, query: { limit: 100 } },
        }),
      ),
  });

export const reviewersQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'reviewers'),
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/requested-reviewers', { params: { path } }),
      ),
  });

export const contributorsQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'contributors'),
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/contributors', {
          params: { path, query: { limit: 100 } },
        }),
      ),
  });

export const mergeChecksQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'merge-checks'),
    queryFn: () =>
      answered(api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge-checks', { params: { path } })),
  });

export const conflictsQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'conflicts'),
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts', {
          params: { path, query: { limit: 1000 } },
        }),
      ),
  });

/** The references to things that are not there any more with the change request. */
export const brokenLinksQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'broken-links'),
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/links', {
          params: { path, query: { limit: 20, status: 'broken', brokenContext: 'change-request' } },
        }),
      ),
  });

export const spaceQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId],
    queryFn: () => answered(api.GET('/v1/spaces/{spaceId}', { params: { path: { spaceId } } })),
  });

/** The filters of a list of change requests, as its address has them. */
export interface RequestFilter {
  readonly status: RequestStatus;
  readonly creator?: string;
  readonly requestedReviewer?: string;
}

export const spaceRequestsQuery = (spaceId: string, filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['change-requests', 'space', spaceId, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests', {
          params: { path: { spaceId }, query: { ...filter, page, limit: 50 } },
        }),
      ),
    getNextPageParam: nextPage,
  });

export const organizationRequestsQuery = (organizationId: string, filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['change-requests', 'organization', organizationId, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) =>
      answered(
        api.GET('/v1/orgs/{organizationId}/change-requests', {
          params: { path: { organizationId }, query: { ...filter, page, limit: 50 } },
        }),
      ),
    getNextPageParam: nextPage,
  });

/** Reads everything of a change request anew after it was changed, and the lists that show it. */
export async function renewRequest(queries: QueryClient, path: RequestAddress): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: requestKey(path) }),
    queries.invalidateQueries({ queryKey: ['change-requests'] }),
  ]);
}
