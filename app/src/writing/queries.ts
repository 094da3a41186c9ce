import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { answered, api, type Schemas } from '../api/client.js';
import { readAll } from '../api/pages.js';
import { pathAt, placeKey, type Place } from './place.js';

export type Page = Schemas['PageBody'];
export type Space = Schemas['SpaceBody'];
export type SpaceFile = Schemas['FileBody'];
export type ChangeRequest = Schemas['ChangeRequestBody'];

const fixed = ({ revisionId }: Place): { staleTime: number } | undefined =>
  revisionId === undefined ? undefined : { staleTime: Infinity };

export const spaceQuery = (spaceId: string) =>
  queryOptions({
    queryKey: ['space', spaceId],
    queryFn: () => answered(api.GET('/v1/spaces/{spaceId}', { params: { path: { spaceId } } })),
  });

export const requestQuery = (spaceId: string, changeRequestId: string) =>
  queryOptions({
    queryKey: ['change-request', spaceId, changeRequestId],
    queryFn: () =>
      answered(
        api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}', {
          params: { path: { spaceId, changeRequestId } },
        }),
      ),
  });

export const pagesQuery = (place: Place) =>
  queryOptions({
    queryKey: [...placeKey(place), 'pages'],
    ...fixed(place),
    queryFn: async () => {
      const path = { spaceId: place.spaceId };
      const query = { metadata: false };
      const { pages } = await answered(
        api.GET(pathAt(place, '/v1/spaces/{spaceId}/content/pages'), { params: { path, query } }),
      );
      return pages;
    },
  });

export const pageByPathQuery = (place: Place, pagePath: string) =>
  queryOptions({
    queryKey: [...placeKey(place), 'path', pagePath],
    ...fixed(place),
    queryFn: () =>
      answered(
        api.GET(pathAt(place, '/v1/spaces/{spaceId}/content/path/{pagePath}'), {
          params: { path: { spaceId: place.spaceId, pagePath } },
        }),
      ),
  });

/** A page with its text as Markdown. */
export const pageSourceQuery = (place: Place, pageId: string) =>
  queryOptions({
    queryKey: [...placeKey(place), 'source', pageId],
    ...fixed(place),
    queryFn: () =>
      answered(
        api.GET(pathAt(place, '/v1/spaces/{spaceId}/content/page/{pageId}'), {
          params: {
            path: { spaceId: place.spaceId, pageId },
            query: { format: 'markdown', computed: false, evaluated: 'false' },
          },
        }),
      ),
  });

/** The body of a page as it will be published. Addresses of files in it expire, so it is read anew after half an hour. */
export const pageHtmlQuery = (place: Place, pageId: string) =>
  queryOptions({
    queryKey: [...placeKey(place), 'html', pageId],
    staleTime: place.revisionId === undefined ? 10_000 : 1_800_000,
    queryFn: () =>
      answered(
        api.GET(pathAt(place, '/v1/spaces/{spaceId}/content/page/{pageId}/html'), {
          params: { path: { spaceId: place.spaceId, pageId } },
        }),
      ),
  });

export const filesQuery = (place: Place) =>
  queryOptions({
    queryKey: [...placeKey(place), 'files'],
    queryFn: () =>
      readAll((page) =>
        answered(
          api.GET(pathAt(place, '/v1/spaces/{spaceId}/content/files'), {
            params: { path: { spaceId: place.spaceId }, query: { page, limit: 1000, metadata: false } },
          }),
        ),
      ),
  });

/** Everything that a state has: used for its variables and reusable contents, which have no lists of their own. */
export const revisionQuery = (place: Place) =>
  queryOptions({
    queryKey: [...placeKey(place), 'revision'],
    ...fixed(place),
    queryFn: async () => {
      const params = { path: { spaceId: place.spaceId }, query: { metadata: false } };
      const { id, variables, reusableContents } = await answered(
        api.GET(pathAt(place, '/v1/spaces/{spaceId}/content'), { params }),
      );
      return { id, variables: variables ?? {}, reusableContents };
    },
  });

/** The revision that a place stands on now: of a change request its own, else that of the space. */
export async function presentRevision({ spaceId, changeRequestId, revisionId }: Place): Promise<string> {
  if (revisionId !== undefined) return revisionId;
  if (changeRequestId === undefined)
    return (await answered(api.GET('/v1/spaces/{spaceId}', { params: { path: { spaceId } } }))).revision;
  const path = { spaceId, changeRequestId };
  return (await answered(api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}', { params: { path } })))
    .revision;
}

/** Reads all content of a space anew that is shown, after something was written. */
export async function renewContent(queries: QueryClient, { spaceId }: Place): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['content', spaceId] }),
    queries.invalidateQueries({ queryKey: ['space', spaceId] }),
    queries.invalidateQueries({ queryKey: ['change-request', spaceId] }),
    queries.invalidateQueries({ queryKey: ['history', spaceId] }),
  ]);
}
