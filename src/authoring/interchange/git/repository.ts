import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import git, { Errors, type HttpClient } from 'isomorphic-git';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import type { GitBlob } from './git-objects.js';
import { EntryRules } from './entry-rules.js';
import { MemoryFs } from './memory-fs.js';
import { checkPack, type PackLimits } from './pack-limits.js';
import { transportUrl } from './ssh-address.js';

const GITDIR = '/repository';
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
}

/**
 * Fetches one commit of a repository (`ref` is a branch, a tag or a commit id; the default branch without it), writes
 * its files into a folder for `work` and removes the folder afterwards. Nothing in the repository is ever executed.
 * Symbolic links and submodules are left out and reported. Throws `invalid` if the address or the ref does not exist
 * and `tooLarge` beyond the limits.
 */
export async function withCheckout<T>(
  source: { readonly url: string; readonly ref?: string },
  http: HttpClient,
  work: (checkout: Checkout) => Promise<T>,
  limits: PackLimits = PACK_LIMITS,
): Promise<T> {
  const fs = newRepository(limits);
  const { parents: _, ...commit } = await fetchCommit(fs, source, http);
  const folder = await mkdtemp(join(tmpdir(), 'bindery-import-'));
  try {
    const writer = new CheckoutWriter(fs, folder);
    await writer.write(commit.oid).catch((error: unknown) => {
      throw explainGitError(error, source.ref);
    });
    return await work({ folder, commit, objects: writer.objects, refused: writer.refused });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The file system for a repository in memory, which takes no pack beyond its limits. */
export function newRepository(limits: PackLimits): MemoryFs {
  return new MemoryFs((path, bytes) => {
    if (path.endsWith('.pack')) checkPack(bytes, limits);
  });
}

export async function fetchCommit(
  fs: MemoryFs,
  { url, ref }: { url: string; ref?: string },
  http: HttpClient,
): Promise<FetchedCommit & { readonly parents: readonly string[] }> {
  await git.init({ fs, gitdir: GITDIR, bare: true });
  await git.addRemote({ fs, gitdir: GITDIR, remote: 'origin', url: transportUrl(url) });
  try {
    const { fetchHead } = await git.fetch({
      fs,
      http,
      gitdir: GITDIR,
      url: transportUrl(url),
      depth: 1,
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
  if (error instanceof Errors.HttpError)
    return invalid('url', `the server of the repository answered ${error.data.statusCode}`);
  if (error instanceof Errors.SmartHttpError) return invalid('url', 'is not the address of a git repository');
  if (error instanceof Errors.UnsafeFilepathError)
    return invalid('url', `the repository holds an unsafe name: ${error.data.filepath}`);
  if (error instanceof Errors.ParseError)
    return invalid('url', 'the server of the repository sent an invalid response');
  if (error instanceof Errors.RemoteCapabilityError) return invalid('url', 'the server cannot send a single commit');
  return error;
}

/** Writes the files of a commit into a folder, none outside of it and only plain files. */
class CheckoutWriter {
  readonly objects = new Map<string, GitBlob>();
  readonly refused: { path: string; message: string }[] = [];
  private readonly cache = {};
  private readonly writing: Promise<void>[] = [];
  private readonly rules = new EntryRules();

  constructor(
    private readonly fs: MemoryFs,
    private readonly folder: string,
  ) {}

  /** Writes the files of a commit, some at once: each takes several calls of the system. */
  async write(oid: string): Promise<void> {
    try {
      await this.writeTree(oid, '', 0);
    } finally {
      await Promise.allSettled(this.writing);
    }
    await Promise.all(this.writing);
  }

  private async writeTree(oid: string, prefix: string, depth: number): Promise<void> {
    await mkdir(join(this.folder, prefix), { recursive: true });
    const { tree } = await git.readTree({ fs: this.fs, gitdir: GITDIR, oid, cache: this.cache });
    for (const entry of tree) {
      const path = prefix + entry.path;
      const message = this.rules.refusal(entry, path, depth);
      if (message !== undefined) this.refused.push({ path, message });
      else if (entry.type === 'tree') await this.writeTree(entry.oid, `${path}/`, depth + 1);
      else await this.writeBlob(entry.oid, path);
    }
  }

  private async writeBlob(oid: string, path: string): Promise<void> {
    const { blob } = await git.readBlob({ fs: this.fs, gitdir: GITDIR, oid, cache: this.cache });
    this.objects.set(path, { oid, path });
    if (this.writing.length === WRITTEN_AT_ONCE) await Promise.all(this.writing.splice(0));
    const write = writeFile(join(this.folder, path), blob, { flag: 'wx' });
    // It is awaited later; until then its failure is not an unhandled one.
    write.catch(() => undefined);
    this.writing.push(write);
  }
}
