import { useMutation, useQueryClient } from '@tanstack/react-query';
import { REQUEST, send, type Schemas } from '../api/client.js';
import { showDone } from '../ui/toasts.js';
import { usePlace, type Place } from './place.js';
import { renewContent, type SpaceFile } from './queries.js';

export type Change = Schemas['WriteContent']['changes'][number];

/** The result of a write: the revision that it made, and the pages and files. */
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
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
  if (changeRequestId === undefined) {
    const answer = await send('post', '/v1/spaces/{spaceId}/content', { spaceId }, body, { headers });
    return { revision: answer.revision, ...resultOf(answer) };
  }
  const options = { headers, query: { compat: false } };
  const answer = await send('post', `${REQUEST}/content`, { spaceId, changeRequestId }, body, options);
  if (!('changeRequest' in answer)) return { revision: answer.revision, pages: [], files: [] };
  return { revision: answer.changeRequest.revision, ...resultOf(answer) };
}

function resultOf({ changes, insertedFiles = [] }: Pick<Schemas['ContentUpdateBody'], 'changes' | 'insertedFiles'>) {
  return { pages: changes.map(({ page }) => (typeof page === 'string' ? page : page.id)), files: insertedFiles };
}

interface Writing {
  readonly changes: readonly Change[];
  /** What is told when it is done. */
  readonly done: string;
}

/** Writes at the place of the screen, reads its content anew, and tells what was done. */
export function useWrite() {
  const queries = useQueryClient();
  const place = usePlace();
  return useMutation({
    mutationFn: ({ changes }: Writing) => write(place, changes),
    onSuccess: async (_written, { done }) => {
      await renewContent(queries, place);
      showDone(done);
    },
  });
}

/** The most bytes that go into a request as base64. */
const MOST_BYTES = 1_000_000;

type GivenFile = Readonly<{ name: string; contentType: string; base64: string }>;

/** A file as a change takes it; throws an error for people where it is too large. */
export async function fileForWrite(file: File, tooLarge: (name: string) => string): Promise<GivenFile> {
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
