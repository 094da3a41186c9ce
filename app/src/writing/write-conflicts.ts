import { ApiError } from '../api/api-error.js';

/** A place of a text where two people changed the same. */
export interface WriteConflict {
  readonly page: string;
  readonly block?: string;
  readonly attribute?: string;
  readonly by?: { readonly id: string; readonly displayName: string };
  readonly base: string;
  readonly current: string;
  readonly given: string;
}

/** The conflicts that an error tells of, none for other errors. */
export function conflictsOf(error: unknown): readonly WriteConflict[] {
  if (!(error instanceof ApiError) || error.status !== 409) return [];
  const found = error.body['conflicts'];
  return Array.isArray(found) ? (found as readonly WriteConflict[]) : [];
}
