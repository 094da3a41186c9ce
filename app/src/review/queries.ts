import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { get, REQUEST, type Schemas, send } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { type ChangeRequest, type RequestAddress, requestKey, requestQuery, spaceQuery } from '../api/queries.js';
import { showDone } from '../ui/toasts.js';

export type Review = Schemas['ReviewBody'];
export type RequestStatus = ChangeRequest['status'];

/** The change request that the address of the screen names; `path` has all that addresses and operations need. */
export function useRequest() {
  const { organizationId = '', spaceId = '', changeRequestId = '' } = useParams({ strict: false });
  const path = useMemo(
    () => ({ organizationId, spaceId, changeRequestId }),
    [organizationId, spaceId, changeRequestId],
  );
  const { data: request } = useSuspenseQuery(requestQuery(path));
  const { data: space } = useSuspenseQuery(spaceQuery(spaceId));
  return { path, request, space };
}

function partQuery<Data>(path: RequestAddress, part: string, queryFn: () => Promise<Data>) {
  return queryOptions({ queryKey: requestKey(path, part), queryFn });
}

export const reviewsQuery = (path: RequestAddress) =>
  partQuery(path, 'reviews', () => get(`${REQUEST}/reviews`, path, { limit: 100 }));

export const reviewersQuery = (path: RequestAddress) =>
  partQuery(path, 'reviewers', () => get(`${REQUEST}/requested-reviewers`, path));

export const mergeChecksQuery = (path: RequestAddress) =>
  partQuery(path, 'merge-checks', () => get(`${REQUEST}/merge-checks`, path));

export const conflictsQuery = (path: RequestAddress) =>
  partQuery(path, 'conflicts', () => get(`${REQUEST}/conflicts`, path, { limit: 1000 }));

/** The references to things that are not there any more with the change request. */
export const brokenLinksQuery = (path: RequestAddress) =>
  partQuery(path, 'broken-links', () =>
    get(`${REQUEST}/links`, path, { limit: 20, status: 'broken', brokenContext: 'change-request' }),
  );

/** Members of an organization whose names or addresses fit a text. */
export const membersQuery = (organizationId: string, search: string) =>
  queryOptions({
    queryKey: ['members', organizationId, search],
    queryFn: () =>
      get('/v1/orgs/{organizationId}/members', { organizationId }, { limit: 20, ...(search !== '' && { search }) }),
  });

/** The filters of a list of change requests. */
export interface RequestFilter {
  readonly status: RequestStatus;
  readonly creator?: string;
  readonly requestedReviewer?: string;
}

/** The change requests of a space, or of all spaces of an organization. */
export const requestsQuery = (organizationId: string, spaceId: string | undefined, filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['change-requests', organizationId, spaceId ?? '', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) => {
      const query = { ...filter, page, limit: 50 };
      return spaceId === undefined
        ? get('/v1/orgs/{organizationId}/change-requests', { organizationId }, query)
        : get('/v1/spaces/{spaceId}/change-requests', { spaceId }, query);
    },
    getNextPageParam: nextPage,
  });

/** Reads everything of a change request anew after it was changed, and the lists that show it. */
export async function renewRequest(queries: QueryClient, path: RequestAddress): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: requestKey(path) }),
    queries.invalidateQueries({ queryKey: ['change-requests'] }),
  ]);
}

/** A change of a change request, after which it is read anew; `done` is told then. */
export function useRequestChange<Given = void>(
  path: RequestAddress,
  change: (given: Given) => Promise<unknown>,
  done?: string,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      if (done !== undefined) showDone(done);
      await renewRequest(queries, path);
    },
  });
}

/** Changes the status, subject or description. */
export function useRequestActions(path: RequestAddress) {
  return useRequestChange(path, (body: Schemas['UpdateChangeRequest']) => send('patch', REQUEST, path, body));
}
