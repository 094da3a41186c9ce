import { answered, api, type Schemas } from '../api/client.js';
import type { Place } from './place.js';
import type { ChangeRequest, Space, SpaceFile } from './queries.js';

export type Change = Schemas['WriteContent']['changes'][number];

/** What a write did: the revision that it made, and the pages and files. */
export interface Written {
  readonly revision: string;
  readonly pages: readonly string[];
  readonly files: readonly SpaceFile[];
}

/**
 * Writes at a place: into its change request, or straight into the space. With `ifMatch` only while what has the content
 * is in that version; else the answer is 412.
 */
export async function write(
  { spaceId, changeRequestId }: Place,
  changes: readonly Change[],
  ifMatch?: string,
): Promise<Written> {
  const body = { changes: [...changes] };
  const headers = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
  if (changeRequestId === undefined) {
    const answer = await answered(
      api.POST('/v1/spaces/{spaceId}/content', { params: { path: { spaceId } }, body, headers }),
    );
    return { revision: answer.revision, ...resultOf(answer) };
  }
  const path = { spaceId, changeRequestId };
  const params = { path, query: { compat: false } };
  const answer = await answered(
    api.POST('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content', { params, body, headers }),
  );
  if (!('changeRequest' in answer)) return { revision: answer.revision, pages: [], files: [] };
  return { revision: answer.changeRequest.revision, ...resultOf(answer) };
}

function resultOf({ changes, insertedFiles = [] }: Pick<Schemas['ContentUpdateBody'], 'changes' | 'insertedFiles'>) {
  return { pages: changes.map(({ page }) => (typeof page === 'string' ? page : page.id)), files: insertedFiles };
}

/** Whether somebody may write at a place, and how. */
export function mayWrite(place: Place, space: Space, request: ChangeRequest | undefined): boolean {
  if (place.revisionId !== undefined || !space.permissions.edit) return false;
  if (place.changeRequestId !== undefined) return request?.status === 'draft' || request?.status === 'open';
  return space.editMode === 'live';
}

/** The most bytes that go into a request as base64. */
export const MOST_BYTES = 1_000_000;

/** A file as a change takes it; throws an error for people where it is too large. */
export async function fileForWrite(
  file: File,
  tooLarge: (name: string) => string,
): Promise<{ name: string; contentType: string; base64: string }> {
  if (file.size > MOST_BYTES) throw new Error(tooLarge(file.name));
  return {
    name: file.name === '' ? 'image.png' : file.name,
    contentType: file.type === '' ? 'application/octet-stream' : file.type,
    base64: await base64Of(file),
  };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : '';
      resolve(address.slice(address.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}
