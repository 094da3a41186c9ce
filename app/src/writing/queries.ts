import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { get, REQUEST, type Schemas } from '../api/client.js';
import { readAll } from '../api/pages.js';
import { pathAt, type Place, placeKey } from './place.js';

export type Page = Schemas['PageBody'];
export type SpaceFile = Schemas['FileBody'];

/** Something that is read at a place; revisions never change. */
function placeQuery<Data>(place: Place, key: readonly string[], queryFn: () => Promise<Data>) {
  const fixed = place.revisionId === undefined ? {} : { staleTime: Infinity };
  return queryOptions({ queryKey: [...placeKey(place), ...key], ...fixed, queryFn });
}

export const pagesQuery = (place: Place) =>
  placeQuery(place, ['pages'], async () => {
    const query = { metadata: false };
    return (await get(pathAt(place, '/v1/spaces/{spaceId}/content/pages'), place, query)).pages;
  });

export const pageByPathQuery = (place: Place, pagePath: string) =>
  placeQuery(place, ['path', pagePath], () =>
    get(pathAt(place, '/v1/spaces/{spaceId}/content/path/{pagePath}'), { ...place, pagePath }),
  );

/** A page with its text as Markdown. */
export const pageSourceQuery = (place: Place, pageId: string) =>
  placeQuery(place, ['source', pageId], () => {
    const query = { format: 'markdown', computed: false, evaluated: 'false' } as const;
    return get(pathAt(place, '/v1/spaces/{spaceId}/content/page/{pageId}'), { ...place, pageId }, query);
  });

/** The body of a page as it will be published. Addresses of files in it expire, so it is read anew after half an hour. */
export const pageHtmlQuery = (place: Place, pageId: string) =>
  queryOptions({
    ...placeQuery(place, ['html', pageId], () =>
      get(pathAt(place, '/v1/spaces/{spaceId}/content/page/{pageId}/html'), { ...place, pageId }),
    ),
    staleTime: place.revisionId === undefined ? 10_000 : 1_800_000,
  });

export const filesQuery = (place: Place) =>
  queryOptions({
    queryKey: [...placeKey(place), 'files'],
    queryFn: () =>
      readAll((page) =>
        get(pathAt(place, '/v1/spaces/{spaceId}/content/files'), place, { page, limit: 1000, metadata: false }),
      ),
  });

/** Everything that a state has: used for its variables and reusable contents, which have no lists of their own. */
export const revisionQuery = (place: Place) =>
  placeQuery(place, ['revision'], async () => {
    const content = await get(pathAt(place, '/v1/spaces/{spaceId}/content'), place, { metadata: false });
    const { id, createdAt, variables = {}, reusableContents } = content;
    return { id, createdAt, variables, reusableContents };
  });

/** The revision that a place stands on now: of a change request its own, else that of the space. */
export async function presentRevision({ spaceId, changeRequestId, revisionId }: Place): Promise<string> {
  if (revisionId !== undefined) return revisionId;
  const holder =
    changeRequestId === undefined
      ? await get('/v1/spaces/{spaceId}', { spaceId })
      : await get(REQUEST, { spaceId, changeRequestId });
  return holder.revision;
}

/** Reads all content of a space anew that is shown, after something was written. */
export async function renewContent(queries: QueryClient, { spaceId }: Place): Promise<void> {
  await Promise.all(
    ['content', 'space', 'change-request', 'history'].map((key) =>
      queries.invalidateQueries({ queryKey: [key, spaceId] }),
    ),
  );
}

/** The file or address that a cover names. */
export function coverTarget(cover: Page['cover']): { readonly file?: string; readonly url?: string } {
  const ref = cover?.['ref'];
  if (typeof ref !== 'object' || ref === null) return {};
  if ('file' in ref && typeof ref.file === 'string') return { file: ref.file };
  return 'url' in ref && typeof ref.url === 'string' ? { url: ref.url } : {};
}
