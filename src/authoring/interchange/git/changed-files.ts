import git, { Errors, type HttpClient } from 'isomorphic-git';
import type { SourceFile } from '../domain/plan-model.js';
import { isSkipped } from '../markdown-folder.js';
import { GITDIR, listCommit } from './commit-listing.js';
import { keepCommit, openKept, type KeptCommit } from './kept-commit.js';
import { fetchCommit, PACK_LIMITS, type Checkout } from './repository.js';

/** The length of the history that is fetched at most, where it does not lead to what is kept. */
const MAX_COMMITS = 100;

/** A file has not changed since the kept commit, and its bytes were not fetched. */
export class NotFetched extends Error {}

/** The content of a commit of which only what has changed was fetched. */
export interface ChangedFiles extends Omit<Checkout, 'folder'> {
  /** By path. One that has not changed, and that is not kept, is of size 0; reading it throws `NotFetched`. */
  readonly files: ReadonlyMap<string, SourceFile>;
}

/**
 * Fetches what a branch has got since a commit. The server is told that this commit is there, as if with all before it, and so sends
 * what they lack; one that does not know it any more sends everything. The ids of all objects are made from their bytes. Throws
 * where what came does not make the commit whole.
 */
export async function fetchSince(
  { url, ref }: { readonly url: string; readonly ref: string },
  since: KeptCommit,
  http: HttpClient,
): Promise<ChangedFiles> {
  const cache = {};
  const { fs, oids } = await openKept(since, cache, PACK_LIMITS);
  const before = await listCommit(fs, since.oid, cache);
  await git.writeRef({ fs, gitdir: GITDIR, ref, value: since.oid });
  const { parents: _, ...commit } = await fetchCommit(fs, { url, ref }, http, MAX_COMMITS);
  const listing = await listCommit(fs, commit.oid, cache);
  const absent = new Set([...before.objects.values()].map(({ oid }) => oid));
  for (const oid of oids) absent.delete(oid);
  const read = async (oid: string): Promise<Buffer> =>
    Buffer.from((await git.readBlob({ fs, gitdir: GITDIR, oid, cache })).blob);
  const file = async (oid: string): Promise<SourceFile> =>
    absent.has(oid)
      ? { size: 0, read: () => read(oid).catch(notFetched) }
      : { size: (await read(oid)).length, read: () => read(oid) };
  const files = new Map<string, SourceFile>();
  for (const [path, { oid }] of listing.objects) files.set(path, await file(oid));
  return { ...listing, commit, files, kept: await keepCommit(fs, commit.oid, listing, cache) };
}

function notFetched(error: unknown): never {
  throw error instanceof Errors.NotFoundError ? new NotFetched(error.message) : error;
}

/** The files below a folder, by their path from there, in the order in which `readFolder` finds them on disk. */
export function filesBelow(folder: string, files: ReadonlyMap<string, SourceFile>): Map<string, SourceFile> {
  const prefix = folder === '' ? '' : `${folder}/`;
  const found = [...files].flatMap(([path, file]) => {
    const segments = path.startsWith(prefix) ? path.slice(prefix.length).split('/') : [];
    // No name holds a NUL, which comes before all that names hold.
    return segments.length === 0 || segments.slice(0, -1).some(isSkipped)
      ? []
      : [{ key: segments.join('\0'), path: segments.join('/'), file }];
  });
  found.sort((left, right) => (left.key < right.key ? -1 : 1));
  return new Map(found.map(({ path, file }) => [path, file]));
}
