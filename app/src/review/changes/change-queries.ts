import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answered, api } from '../../api/client.js';
import { requestKey, type ChangeRequest, type RequestAddress } from '../queries.js';
import { changedThings, withViewed } from './changed-things.js';

const MOST_CHANGES = 1000;
/** Addresses of files in a comparison hold for an hour. */
const FRESH_MS = 1_800_000;

export const changesQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'changes'),
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes', {
          params: { path, query: { limit: MOST_CHANGES } },
        }),
      ),
    select: changedThings,
  });

/** The differences of a page, for the state that a change request has now. */
export const diffQuery = (
  path: RequestAddress,
  { revision, revisionMergedAncestor = '' }: ChangeRequest,
  pageId: string,
  format: 'html' | 'unified',
) =>
  queryOptions({
    queryKey: ['diff', path.spaceId, path.changeRequestId, revision, revisionMergedAncestor, pageId, format],
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes/{pageId}/diff', {
          params: { path: { ...path, pageId }, query: { format } },
        }),
      ),
  });

interface Mark {
  readonly pageId: string;
  readonly viewed: boolean;
}

/** Marks a page as viewed in the state that is shown; the mark is seen at once, and taken back if it fails. */
export function useViewedMark(path: RequestAddress, { revision }: ChangeRequest) {
  const queries = useQueryClient();
  const { queryKey } = changesQuery(path);
  return useMutation({
    mutationFn: ({ pageId, viewed }: Mark) =>
      answered(
        api.PUT('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/changes/{pageId}/viewed', {
          params: { path: { ...path, pageId } },
          body: { viewed, ...(viewed && { revision }) },
        }),
      ),
    onMutate: async ({ pageId, viewed }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (known) => known && withViewed(known, pageId, viewed));
    },
    onError: () => queries.invalidateQueries({ queryKey }),
  });
}
