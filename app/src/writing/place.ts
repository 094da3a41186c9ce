import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { requestQuery, spaceQuery, type ChangeRequest, type Space } from '../api/client.js';

/** The height of a screen whose parts are scrolled each by itself. */
export const SCREEN_HEIGHT = 'calc(100dvh - var(--app-shell-header-offset, 0px))';

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
  return useMemo(() => {
    const version = {
      ...(changeRequestId !== undefined && { changeRequestId }),
      ...(revisionId !== undefined && { revisionId }),
    };
    return { organizationId, spaceId, ...version };
  }, [organizationId, spaceId, changeRequestId, revisionId]);
}

/** The present content of the space of a place. */
export function spaceOf({ organizationId, spaceId }: Place): Place {
  return { organizationId, spaceId };
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

/** The route of a place below that of its space. */
export function routeOf({ changeRequestId }: Place) {
  return changeRequestId === undefined ? '' : '/~/changes/$changeRequestId';
}

/** The beginning of the keys of everything that is read at a place. */
export function placeKey({ spaceId, changeRequestId, revisionId }: Place): readonly string[] {
  return ['content', spaceId, changeRequestId ?? '', revisionId ?? ''];
}

type Target = Readonly<{ page?: string | undefined; edit?: boolean }>;

/** The address of a place, or of a page there, below the address of the workspace. */
export function addressOf(place: Place, { page, edit = false }: Target = {}): string {
  const { organizationId, spaceId, changeRequestId, revisionId } = place;
  const ofRevision = revisionId === undefined ? '' : `/~/revisions/${revisionId}`;
  const version = changeRequestId === undefined ? ofRevision : `/~/changes/${changeRequestId}`;
  const first = changeRequestId === undefined ? '' : '/~/pages';
  const pages = page === undefined ? first : `/~/pages/${page}`;
  return `/o/${organizationId}/s/${spaceId}${version}${pages}${edit ? '?edit=true' : ''}`;
}

/** Goes to an address that `addressOf` gave. */
export function useGoTo(): (address: string) => void {
  const navigate = useNavigate();
  return (href) => void navigate({ href });
}

/** Opens a page of the place by its id. */
export function useOpenPage(): (page: string) => void {
  const goTo = useGoTo();
  const place = usePlace();
  return (page) => goTo(addressOf(place, { page }));
}
