import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import git, { Errors, type HttpClient } from 'isomorphic-git';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import { withWorkFolder } from '../../../kernel/platform/storage/work-folders.js';
import { GITDIR, listCommit, type CommitListing } from './commit-listing.js';
import type { GitBlob } from './git-objects.js';
import { keepCommit, type KeptCommit } from './kept-commit.js';
import { MemoryFs } from './memory-fs.js';
import { checkPack, type PackLimits } from './pack-limits.js';
import { RefusedAccess } from './refused-access.js';
import { transportUrl } from './ssh-address.js';

const MB = 1024 ** 2;
const WRITTEN_AT_ONCE = 16;
/** For any repository. */
export const PACK_LIMITS: PackLimits = { objectBytes: 100 * MB, totalBytes: 1024 * MB, objects: 200_000 };

/** The fetched commit, as revisions store it. */
export interface FetchedCommit {
  readonly oid: string;
  readonly message: string;
  readonly url: string;
  readonly ref?: string;
}

/** The content of a repository at a commit: files, and the omitted entries with reasons. */
export interface Checkout {
  /** A temporary folder with the files, removed after the work. */
  readonly folder: string;
  readonly commit: FetchedCommit;
  /** The git object of each file, by path. */
  readonly objects: ReadonlyMap<string, GitBlob>;
  readonly refused: readonly { readonly path: string; readonly message: string }[];
  /** For `fetchSince`: the commit and its trees; undefined unless it is asked for, and where that is too much. */
  readonly kept: KeptCommit | undefined;
}

/**
 * Fetches one commit of a repository (`ref` is a branch, a tag or a commit id; the default branch without it), writes
 * its files into a folder for `work` and removes the folder afterwards. Nothing in the repository is ever executed.
 * Symbolic links and submodules are left out and reported. Throws `invalid` if the address or the ref does not exist
 * and `tooLarge` beyond the limits.
 */
export async function withCheckout<T>(
  source: { readonly url: string; readonly ref?: string; readonly keep?: boolean },
  http: HttpClient,
  work: (checkout: Checkout) => Promise<T>,
  limits: PackLimits = PACK_LIMITS,
): Promise<T> {
  const fs = newRepository(limits);
  const { parents: _, ...commit } = await fetchCommit(fs, source, http);
  return withWorkFolder(async (folder) => {
    const { objects, refused, kept } = await checkOut(fs, commit.oid, folder, source).catch((error: unknown) => {
      throw explainGitError(error, source.ref);
    });
    return work({ folder, commit, objects, refused, kept });
  });
}

/** The repository ends here: what works with the files does not hold it in memory. */
async function checkOut(
  fs: MemoryFs,
  oid: string,
  folder: string,
  { keep = false }: { readonly keep?: boolean },
): Promise<Pick<Checkout, 'objects' | 'refused' | 'kept'>> {
  const cache = {};
  const listing = await listCommit(fs, oid, cache);
  await writeFiles(fs, listing, folder, cache);
  return { ...listing, kept: keep ? await keepCommit(fs, oid, listing, cache) : undefined };
}

/** The file system for a repository in memory, which takes no pack beyond its limits. */
export function newRepository(limits: PackLimits): MemoryFs {
  return new MemoryFs(async (path, bytes) => {
    if (path.endsWith('.pack')) await checkPack(bytes, limits);
  });
}

/** Fetches a commit, and those before it up to a depth, into a repository, which may have others. */
export async function fetchCommit(
  fs: MemoryFs,
  { url, ref }: { url: string; ref?: string },
  http: HttpClient,
  depth = 1,
): Promise<FetchedCommit & { readonly parents: readonly string[] }> {
  await git.init({ fs, gitdir: GITDIR, bare: true });
  await git.addRemote({ fs, gitdir: GITDIR, remote: 'origin', url: transportUrl(url), force: true });
  try {
    const { fetchHead } = await git.fetch({
      fs,
      http,
      gitdir: GITDIR,
      url: transportUrl(url),
      depth,
      singleBranch: true,
      tags: false,
      ...(ref !== undefined && { ref, remoteRef: ref }),
    });
    if (fetchHead === null) throw invalid('url', 'the repository is empty');
    const { oid, commit } = await git.readCommit({ fs, gitdir: GITDIR, oid: fetchHead });
    return { oid, message: commit.message.trim(), url, parents: commit.parent, ...(ref !== undefined && { ref }) };
  } catch (error) {
    throw explainGitError(error, ref);
  }
}

/** Converts a fault to one that the caller can understand; other errors are returned unchanged. */
export function explainGitError(error: unknown, ref: string | undefined): unknown {
  if (error instanceof RangeError) return new DomainError('tooLarge', `The repository ${error.message}`);
  if (error instanceof Errors.NotFoundError) return invalid('ref', `the repository has no ${ref ?? 'default branch'}`);
  if (error instanceof Errors.HttpError && error.data.statusCode === 401) return new RefusedAccess();
  if (error instanceof Errors.HttpError) return refusedBy(error.data.statusCode);
  if (error instanceof Errors.SmartHttpError) return invalid('url', 'is not the address of a git repository');
  if (error instanceof Errors.UnsafeFilepathError)
    return invalid('url', `the repository holds an unsafe name: ${error.data.filepath}`);
  if (error instanceof Errors.ParseError || error instanceof Errors.EmptyServerResponseError)
    return invalid('url', 'the server of the repository sent an invalid response');
  if (error instanceof Errors.RemoteCapabilityError) return invalid('url', 'the server cannot send a single commit');
  return error;
}

/** Advice for people about an answer, as far as its status tells. */
const REASONS: Readonly<Record<number, string>> = {
  403: 'the credentials do not allow it',
  404: 'there is no repository at this address, or the credentials do not show it',
};

function refusedBy(status: number): DomainError {
  const reason = REASONS[status];
  return invalid('url', `the server of the repository answered ${status}${reason === undefined ? '' : `: ${reason}`}`);
}

/** Writes the files of a commit into a folder, some at once: each takes several calls of the system. */
async function writeFiles(
  fs: MemoryFs,
  { objects, folders }: CommitListing,
  folder: string,
  cache: object,
): Promise<void> {
  const writing: Promise<void>[] = [];
  try {
    for (const path of folders) await mkdir(join(folder, path));
    for (const [path, { oid }] of objects) {
      const { blob } = await git.readBlob({ fs, gitdir: GITDIR, oid, cache });
      if (writing.length === WRITTEN_AT_ONCE) await Promise.all(writing.splice(0));
      const write = writeFile(join(folder, path), blob, { flag: 'wx' });
      // It is awaited later; until then its failure is not an unhandled one.
      write.catch(() => undefined);
      writing.push(write);
    }
  } finally {
    await Promise.allSettled(writing);
  }
  await Promise.all(writing);
}
