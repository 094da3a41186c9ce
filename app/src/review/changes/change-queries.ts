import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, REQUEST, send } from '../../api/client.js';
import { requestKey, type RequestAddress } from '../../api/queries.js';
import { useRequest } from '../queries.js';
import { changedThings, withViewed } from './changed-things.js';

const MOST_CHANGES = 1000;
/** Addresses of files in a comparison hold for an hour. */
const FRESH_MS = 1_800_000;

export const changesQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'changes'),
    queryFn: () => get(`${REQUEST}/changes`, path, { limit: MOST_CHANGES }),
    select: changedThings,
  });

/** The differences of a page, for the state that the change request has now. */
export function useDiffQuery(pageId: string, format: 'html' | 'unified') {
  const { path, request } = useRequest();
  const { revision, revisionMergedAncestor = '' } = request;
  return queryOptions({
    queryKey: ['diff', path.spaceId, path.changeRequestId, revision, revisionMergedAncestor, pageId, format],
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: () => get(`${REQUEST}/changes/{pageId}/diff`, { ...path, pageId }, { format }),
  });
}

/** Marks a page as viewed in the state that is shown; the mark is seen at once, and taken back if it fails. */
export function useViewedMark() {
  const { path, request } = useRequest();
  const queries = useQueryClient();
  const { queryKey } = changesQuery(path);
  return useMutation({
    mutationFn: ({ pageId, viewed }: Readonly<{ pageId: string; viewed: boolean }>) =>
      send(
        'put',
        `${REQUEST}/changes/{pageId}/viewed`,
        { ...path, pageId },
        {
          viewed,
          ...(viewed && { revision: request.revision }),
        },
      ),
    onMutate: async ({ pageId, viewed }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (known) => known && withViewed(known, pageId, viewed));
    },
    onError: () => queries.invalidateQueries({ queryKey }),
  });
}
