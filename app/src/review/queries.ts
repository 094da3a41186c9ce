import { keepPreviousData, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  get,
  REQUEST,
  type Schemas,
  send,
  readAll,
  useSession,
  type ChangeRequest,
  type RequestAddress,
  requestKey,
  requestQuery,
  spaceQuery,
  queries,
} from '../api/client.js';
import { useMutation } from '../api/mutations.js';
import { changing } from '../ui/forms.js';
import { usePlace } from '../writing/place.js';
import { renewContent } from '../writing/queries.js';
import { changedThings, withViewed } from './changes/changed-things.js';

export type Review = Schemas['ReviewBody'];
export type Conflict = Schemas['ConflictBody'];
export type RequestStatus = ChangeRequest['status'];

const TYPING_MS = 150;

/**
 * The change request that the address of the screen names; `path` has all that addresses and operations need. Nobody
 * reviews an own one.
 */
export function useRequest() {
  const { organizationId = '', spaceId = '', changeRequestId = '' } = useParams({ strict: false });
  const path = useMemo(
    () => ({ organizationId, spaceId, changeRequestId }),
    [organizationId, spaceId, changeRequestId],
  );
  const { data: request } = useSuspenseQuery(requestQuery(path));
  const { data: space } = useSuspenseQuery(spaceQuery(spaceId));
  const { user } = useSession();
  const isUnderReview = request.status === 'draft' || request.status === 'open';
  const mayReview = space.permissions.review && request.createdBy.id !== user.id && isUnderReview;
  return { path, request, space, isUnderReview, mayReview };
}

/** A part of a change request, which is read anew with it. */
export function partQuery<Data>(path: RequestAddress, part: string, queryFn: () => Promise<Data>) {
  return queryOptions({ queryKey: requestKey(path, part), queryFn });
}

export const reviewsQuery = (path: RequestAddress) =>
  partQuery(path, 'reviews', () => get(`${REQUEST}/reviews`, path, { limit: 100 }));

/** All conflicts, with the published revision that was compared. */
export const conflictsQuery = (path: RequestAddress) =>
  partQuery(path, 'conflicts', async () => {
    let primary = '';
    const conflicts = await readAll<Conflict>(async (page) => {
      const answer = await get(`${REQUEST}/conflicts`, path, { limit: 1000, page });
      primary = answer.primary;
      return { items: answer.conflicts, next: answer.next };
    });
    return { primary, conflicts };
  });

export const changesQuery = (path: RequestAddress) => ({
  ...partQuery(path, 'changes', () => get(`${REQUEST}/changes`, path, { limit: 1000 })),
  select: changedThings,
});

/** Marks a page as viewed in the state that is shown; the mark is seen at once, and taken back if it fails. */
export function useViewedMark() {
  const { path, request } = useRequest();
  const { queryKey } = changesQuery(path);
  return useMutation({
    mutationFn: ({ pageId, viewed }: Readonly<{ pageId: string; viewed: boolean }>) => {
      const body = viewed ? { viewed, revision: request.revision } : { viewed };
      return send('put', `${REQUEST}/changes/{pageId}/viewed`, { ...path, pageId }, body);
    },
    onMutate: async ({ pageId, viewed }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (known) => known && withViewed(known, pageId, viewed));
    },
    onError: () => queries.invalidateQueries({ queryKey }),
  });
}

/** Members of the organization whose names or addresses fit a text that is being typed. */
export function useMembers(typed: string | undefined): readonly Schemas['UserBody'][] {
  const { organizationId } = usePlace();
  const [text = ''] = useDebouncedValue(typed, TYPING_MS);
  const search = text === '' ? undefined : text;
  const { data } = useQuery({
    queryKey: ['members', organizationId, search],
    queryFn: () => get('/v1/orgs/{organizationId}/members', { organizationId }, { limit: 20, search }),
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
    select: ({ items }) => items.map(({ user }) => user),
  });
  return data ?? [];
}

/**
 * Changes the change request; `done` is told after it. All that may differ then is read anew, after a failure too:
 * somebody else may have been faster. For dialogs, which tell of its faults themselves.
 */
export function useRequestWork<Given = void>(
  change: (given: Given) => Promise<unknown>,
  done?: string,
): (given: Given) => Promise<void> {
  const { path } = useRequest();
  const run = changing(change, { refresh: ['change-requests'], done });
  return async (given) => {
    try {
      await run(given);
    } finally {
      await renewContent(path);
    }
  };
}

/** The same as a mutation, which tells of faults too. */
export function useRequestChange<Given = void>(change: (given: Given) => Promise<unknown>, done?: string) {
  return useMutation({ mutationFn: useRequestWork(change, done) });
}

export function useRequestUpdate() {
  const { path } = useRequest();
  return useRequestChange((body: Schemas['UpdateChangeRequest']) => send('patch', REQUEST, path, body));
}
