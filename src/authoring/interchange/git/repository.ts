import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import git, { Errors, type HttpClient } from 'isomorphic-git';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import { isPlainName } from '../domain/repository-paths.js';
import type { GitBlob } from '../folder-reader.js';
import { MemoryFs } from './memory-fs.js';
import { checkPack, type PackLimits } from './pack-limits.js';

const GITDIR = '/repository';
const MB = 1024 ** 2;
/** For any repository. */
export const PACK_LIMITS: PackLimits = { objectBytes: 100 * MB, totalBytes: 1024 * MB, objects: 200_000 };
const MAX_DEPTH = 64;
export const LINK_MODE = '120000';

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
  const fs = new MemoryFs((path, bytes) => {
    if (path.endsWith('.pack')) checkPack(bytes, limits);
  });
  const commit = await fetchCommit(fs, source, http);
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

async function fetchCommit(
  fs: MemoryFs,
  { url, ref }: { url: string; ref?: string },
  http: HttpClient,
): Promise<FetchedCommit> {
  await git.init({ fs, gitdir: GITDIR, bare: true });
  await git.addRemote({ fs, gitdir: GITDIR, remote: 'origin', url });
  try {
    const { fetchHead } = await git.fetch({
      fs,
      http,
      gitdir: GITDIR,
      url,
      depth: 1,
      singleBranch: true,
      tags: false,
      ...(ref !== undefined && { ref, remoteRef: ref }),
    });
    if (fetchHead === null) throw invalid('url', 'the repository is empty');
    const { oid, commit } = await git.readCommit({ fs, gitdir: GITDIR, oid: fetchHead });
    return { oid, message: commit.message.trim(), url, ...(ref !== undefined && { ref }) };
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
  private readonly spelled = new Map<string, string>();

  constructor(
    private readonly fs: MemoryFs,
    private readonly folder: string,
  ) {}

  async write(oid: string, prefix = '', depth = 0): Promise<void> {
    const { tree } = await git.readTree({ fs: this.fs, gitdir: GITDIR, oid, cache: this.cache });
    for (const entry of tree) {
      const path = prefix + entry.path;
      const message = this.refusal(entry, path, depth);
      if (message !== undefined) this.refused.push({ path, message });
      else if (entry.type === 'tree') await this.write(entry.oid, `${path}/`, depth + 1);
      else await this.writeBlob(entry.oid, path);
    }
  }

  private refusal(
    entry: { readonly path: string; readonly mode: string; readonly type: string },
    path: string,
    depth: number,
  ): string | undefined {
    if (!isPlainName(entry.path)) return 'the name cannot be used in a folder';
    if (entry.type === 'commit') return 'submodules are not followed';
    if (entry.mode === LINK_MODE) return 'symbolic links are not followed';
    if (entry.type === 'tree')
      return depth >= MAX_DEPTH ? `folders are nested at most ${MAX_DEPTH} levels deep` : undefined;
    const other = this.spelled.get(path.toLowerCase());
    if (other !== undefined) return `differs from ${other} only in capitals`;
    this.spelled.set(path.toLowerCase(), path);
    return undefined;
  }

  private async writeBlob(oid: string, path: string): Promise<void> {
    const { blob } = await git.readBlob({ fs: this.fs, gitdir: GITDIR, oid, cache: this.cache });
    const target = join(this.folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, blob, { flag: 'wx' });
    this.objects.set(path, { oid, path });
  }
}
