import { queryOptions } from '@tanstack/react-query';
import { get, REQUEST, type Schemas, readAll, send, queries } from '../api/client.js';
import { pathAt, type Place, placeKey, usePlace } from './place.js';
import { showDone } from '../ui/toasts.js';

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

/** Everything that a state has: used for its variables, reusable contents and tags, which have no lists of their own. */
export const revisionQuery = (place: Place) =>
  placeQuery(place, ['revision'], async () => {
    const content = await get(pathAt(place, '/v1/spaces/{spaceId}/content'), place, { metadata: false });
    const { id, createdAt, variables = {}, reusableContents, tags } = content;
    return { id, createdAt, variables, reusableContents, tags };
  });

/** The revision that a place stands on now: of a change request its own, else that of the space. */
export async function presentRevision(place: Place): Promise<string> {
  return place.revisionId ?? (await get(pathAt(place, '/v1/spaces/{spaceId}'), place)).revision;
}

/** Reads all content of a space anew that is shown, after something was written. */
export async function renewContent({ spaceId }: Place): Promise<void> {
  const keys = ['content', 'space', 'change-request', 'history'];
  await Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key, spaceId] })));
}

/** The file or address that a cover names. */
export function coverTarget(cover: Page['cover']): { readonly file?: string; readonly url?: string } {
  const ref = cover?.['ref'];
  if (typeof ref !== 'object' || ref === null) return {};
  if ('file' in ref && typeof ref.file === 'string') return { file: ref.file };
  return 'url' in ref && typeof ref.url === 'string' ? { url: ref.url } : {};
}

export type Change = Schemas['WriteContent']['changes'][number];

/**
 * Writes at a place: into its change request, or straight into the space; returns the new revision, and the pages. With `If-Match` only while what has the content
 * is in that version; else the answer is 412.
 */
export async function write(
  { spaceId, changeRequestId }: Place,
  changes: readonly Change[],
  headers: Readonly<Partial<Record<'If-Match' | 'Idempotency-Key', string>>> = {},
): Promise<{ readonly revision: string; readonly pages: readonly string[] }> {
  const body = { changes: [...changes] };
  const query = { compat: false };
  const answer =
    changeRequestId === undefined
      ? await send('post', '/v1/spaces/{spaceId}/content', { spaceId }, body, { headers })
      : await send('post', `${REQUEST}/content`, { spaceId, changeRequestId }, body, { headers, query });
  const { revision } = 'changeRequest' in answer ? answer.changeRequest : answer;
  const made = 'changes' in answer ? answer.changes : [];
  return { revision, pages: made.map(({ page }) => (typeof page === 'string' ? page : page.id)) };
}

/** The same, after which the content is read anew, also where it failed. */
export async function writeAndRenew(place: Place, changes: readonly Change[]): ReturnType<typeof write> {
  try {
    return await write(place, changes);
  } finally {
    await renewContent(place);
  }
}

/** Writes a change at the place of the screen, and tells what was done. */
export function useWrite(): (change: Change, done?: string) => Promise<void> {
  const place = usePlace();
  return async (change, done) => {
    await writeAndRenew(place, [change]);
    if (done !== undefined) showDone(done);
  };
}

/** Uploads a file to a place, as a new one or as the bytes of `replaced`. */
export async function upload(place: Place, file: File, replaced?: string): Promise<SpaceFile | undefined> {
  const name = file.name === '' ? 'image.png' : file.name;
  const headers = { 'Content-Type': file.type === '' ? 'application/octet-stream' : file.type };
  const options = { file, headers, query: { name, file: replaced } };
  const path = pathAt(place, '/v1/spaces/{spaceId}/content/files');
  const { insertedFiles } = await send('post', path, place, undefined, options);
  return insertedFiles?.[0];
}
