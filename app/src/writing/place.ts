import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { requestQuery, spaceQuery, type ChangeRequest, type Space } from '../api/queries.js';

/** A state of a space that is read: its content, that of a change request, or a revision. */
export interface Place {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly changeRequestId?: string;
  readonly revisionId?: string;
}

/** The place that the address of the screen names. */
export function usePlace(): Place {
  const { organizationId = '', spaceId = '', changeRequestId, revisionId } = useParams({ strict: false });
  return useMemo(
    () => ({
      organizationId,
      spaceId,
      ...(changeRequestId !== undefined && { changeRequestId }),
      ...(revisionId !== undefined && { revisionId }),
    }),
    [organizationId, spaceId, changeRequestId, revisionId],
  );
}

/** The space of the place. */
export function useSpace(): Space {
  return useSuspenseQuery(spaceQuery(usePlace().spaceId)).data;
}

/** The change request of the place, if it is one. */
export function usePlaceRequest(): ChangeRequest | undefined {
  const { spaceId, changeRequestId = '' } = usePlace();
  return useQuery({ ...requestQuery({ spaceId, changeRequestId }), enabled: changeRequestId !== '' }).data;
}

/** Whether somebody may write at the place. */
export function useMayWrite(): boolean {
  const { changeRequestId, revisionId } = usePlace();
  const space = useSpace();
  const request = usePlaceRequest();
  if (revisionId !== undefined || !space.permissions.edit) return false;
  if (changeRequestId !== undefined) return request?.status === 'draft' || request?.status === 'open';
  return space.editMode === 'live';
}

/** The path of an operation at a place; the operations have the same form at all places. */
export function pathAt<Path extends string>({ changeRequestId, revisionId }: Place, path: Path): Path {
  const space = '/v1/spaces/{spaceId}';
  const rest = path.slice(space.length);
  if (changeRequestId !== undefined)
    return `${space}/change-requests/${encodeURIComponent(changeRequestId)}${rest}` as Path;
  if (revisionId === undefined) return path;
  return `${space}/revisions/${encodeURIComponent(revisionId)}${rest.replace(/^\/content/, '')}` as Path;
}

/** The beginning of the keys of everything that is read at a place. */
export function placeKey({ spaceId, changeRequestId, revisionId }: Place): readonly string[] {
  return ['content', spaceId, changeRequestId ?? '', revisionId ?? ''];
}

type Target = Readonly<{ page?: string | undefined; edit?: boolean }>;

/** The address of a place, or of a page there, below the address of the workspace. */
export function addressOf(place: Place, { page, edit = false }: Target = {}): string {
  const { organizationId, spaceId, changeRequestId, revisionId } = place;
  const version =
    changeRequestId !== undefined
      ? `/~/changes/${changeRequestId}`
      : revisionId !== undefined
        ? `/~/revisions/${revisionId}`
        : '';
  const first = changeRequestId === undefined ? '' : '/~/pages';
  const pages = page === undefined ? first : `/~/pages/${page}`;
  return `/o/${organizationId}/s/${spaceId}${version}${pages}${edit ? '?edit=true' : ''}`;
}

/** Goes to an address that `addressOf` gave. */
export function useGoTo(): (address: string) => void {
  const router = useRouter();
  return (address) => router.history.push(`${new URL(document.baseURI).pathname.replace(/\/$/, '')}${address}`);
}
