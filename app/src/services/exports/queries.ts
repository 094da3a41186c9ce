import { queryOptions } from '@tanstack/react-query';
import { api, ApiError, get, send } from '../../api/client.js';
import { pathAt, placeKey, type Place } from '../../writing/place.js';
import { runAt } from '../imports/queries.js';
import { POLL_EVERY } from '../polling.js';

/** The pages that a PDF has: all of them, one, or one with those below it. */
export type PdfPages = Readonly<{ page?: string; only?: boolean }>;

const HALF_AN_HOUR = 1_800_000;
const ARCHIVE = '/v1/orgs/{organizationId}/export';

/** The address of a PDF, asked for again until its download begins at once, and before it expires. */
export const pdfQuery = (place: Place, pages: PdfPages) =>
  queryOptions({
    queryKey: [...placeKey(place), 'pdf', pages],
    queryFn: () => get(pathAt(place, '/v1/spaces/{spaceId}/pdf'), place, pages),
    // One that could not be made is not begun again before somebody asks for it.
    refetchInterval: ({ state: { data, status } }) =>
      status !== 'error' && (data?.status === 'pending' ? POLL_EVERY : HALF_AN_HOUR),
    staleTime: 0,
  });

/** Begins an export of a place as a folder; gives the id of the run. */
export async function exportFolder({ spaceId, changeRequestId }: Place): Promise<string> {
  const query = changeRequestId === undefined ? {} : { changeRequest: changeRequestId };
  return (await send('post', '/v1/spaces/{spaceId}/export', { spaceId }, undefined, { query })).id;
}

export type GitTarget = Readonly<{ url: string; ref: string; directory: string; message: string; force: boolean }>;

/** Begins an export of a space to a repository; gives the id of the run. */
export async function exportToGit({ spaceId }: Place, target: GitTarget): Promise<string> {
  const { url, ref, directory, message, force } = target;
  const body = { url, ref, commitMessage: message, force };
  const { response } = await api.POST('/v1/spaces/{spaceId}/git/export', {
    params: { path: { spaceId } },
    body: { ...body, ...(directory !== '' && { repoProjectDirectory: directory }) },
  });
  return runAt(response);
}

export const archiveKey = (organizationId: string) => ['organization-export', organizationId] as const;

/** The newest export of an organization; null where there is none. */
export const archiveQuery = (organizationId: string) =>
  queryOptions({
    queryKey: archiveKey(organizationId),
    queryFn: async () => {
      try {
        return await get(ARCHIVE, { organizationId });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: ({ state: { data } }) =>
      data?.status === 'pending' || data?.status === 'in-progress' ? POLL_EVERY : false,
  });

export const beginArchive = (organizationId: string) => send('post', ARCHIVE, { organizationId });
