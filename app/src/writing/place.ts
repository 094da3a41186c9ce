import { useParams, useRouter } from '@tanstack/react-router';

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
  return {
    organizationId,
    spaceId,
    ...(changeRequestId !== undefined && { changeRequestId }),
    ...(revisionId !== undefined && { revisionId }),
  };
}

/** The path of an operation at a place; the operations have the same form at all places. */
export function pathAt<Path extends string>({ changeRequestId, revisionId }: Place, path: Path): Path {
  const space = '/v1/spaces/{spaceId}';
  const rest = path.slice(`${space}/content`.length);
  if (changeRequestId !== undefined)
    return `${space}/change-requests/${encodeURIComponent(changeRequestId)}/content${rest}` as Path;
  if (revisionId !== undefined) return `${space}/revisions/${encodeURIComponent(revisionId)}${rest}` as Path;
  return path;
}

/** The beginning of the keys of everything that is read at a place. */
export function placeKey({ spaceId, changeRequestId, revisionId }: Place): readonly string[] {
  return ['content', spaceId, changeRequestId ?? '', revisionId ?? ''];
}

interface Target {
  readonly page?: string;
  readonly edit?: boolean;
}

/** The address of a place, or of a page there, below the address of the workspace. */
export function addressOf(place: Place, { page, edit = false }: Target = {}): string {
  const { organizationId, spaceId, changeRequestId, revisionId } = place;
  const space = `/o/${organizationId}/s/${spaceId}`;
  const version =
    changeRequestId !== undefined
      ? `/~/changes/${changeRequestId}`
      : revisionId !== undefined
        ? `/~/revisions/${revisionId}`
        : '';
  const first = changeRequestId === undefined ? '' : '/~/pages';
  return `${space}${version}${page === undefined ? first : `/~/pages/${page}`}${edit ? '?edit=true' : ''}`;
}

/** Goes to an address that `addressOf` gave. */
export function useGoTo(): (address: string) => void {
  const router = useRouter();
  return (address) => router.history.push(`${new URL(document.baseURI).pathname.replace(/\/$/, '')}${address}`);
}
