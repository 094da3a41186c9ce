import git, { Errors, type HttpClient, type TreeEntry } from 'isomorphic-git';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import { isPlainName } from '../domain/repository-paths.js';
import type { SourceFile } from '../domain/plan-model.js';
import { BranchMoved } from './branch-moved.js';
import { GITDIR, listCommit } from './commit-listing.js';
import { LINK_MODE } from './entry-rules.js';
import type { PreviousFile } from '../previous-folder.js';
import { explainGitError, newRepository, PACK_LIMITS } from './repository.js';
import { transportUrl } from './ssh-address.js';

/** The local name of the pushed branch. */
const LOCAL = 'refs/heads/export';
/** Stands for the commit of a branch that does not exist. */
const PROGRAM_MODE = '100755';
const NO_COMMIT = '0'.repeat(40);

/** Errors of a push that say that the branch is not where it was found. */
const MOVED = [Errors.PushRejectedError, Errors.NotFoundError, Errors.UserCanceledError] as const;

/** Files by name, folders as nested maps. */
type Folder = Map<string, SourceFile | Folder>;

export interface NewCommit {
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Further commits that it merges. */
  readonly merges?: readonly string[];
}

/** A branch of a remote repository, in memory: its last commit is read, and others are added on top of it. */
export class RemoteBranch {
  /** The git object of each written file, by its path in the repository. */
  readonly objects = new Map<string, string>();
  private readonly fs = newRepository(PACK_LIMITS);
  private readonly cache = {};
  private tree: string | undefined;
  /** The paths of what imports leave out, and exports leave alone. */
  private leftOut: ReadonlySet<string> | undefined;

  private constructor(
    private readonly url: string,
    private ref: string,
    private readonly http: HttpClient,
  ) {}

  /** The last commit, with those that were added; undefined while the branch does not exist. */
  head: string | undefined;
  /** The last commit that the repository had. */
  private fetched: string | undefined;
  /** The commit of another branch from which this one was begun. */
  private left: string | undefined;

  /**
   * Fetches the last commit of a branch; one that does not exist is empty. Throws `invalid` if the address is not a
   * repository.
   */
  static async open(url: string, ref: string, http: HttpClient): Promise<RemoteBranch> {
    const branch = new RemoteBranch(transportUrl(url), ref, http);
    const { fs } = branch;
    await git.init({ fs, gitdir: GITDIR, bare: true });
    await git.addRemote({ fs, gitdir: GITDIR, remote: 'origin', url: branch.url });
    try {
      const { fetchHead } = await git.fetch({
        fs,
        http,
        gitdir: GITDIR,
        url: branch.url,
        depth: 1,
        singleBranch: true,
        tags: false,
        ref,
        remoteRef: ref,
      });
      if (fetchHead === null) return branch;
      branch.head = fetchHead;
      branch.fetched = fetchHead;
      branch.tree = (await git.readCommit({ fs, gitdir: GITDIR, oid: fetchHead, cache: branch.cache })).commit.tree;
    } catch (error) {
      if (!(error instanceof Errors.NotFoundError)) throw explainGitError(error, ref);
    }
    return branch;
  }

  /** Becomes a new branch, which is named so and does not exist yet, from the last commit on. */
  leaveAs(ref: string): void {
    this.ref = ref;
    this.fetched = undefined;
    this.left = this.head;
  }

  /** The text of a file of the last commit. */
  async text(path: string): Promise<string | undefined> {
    const oid = await this.find(this.tree, path.split('/'), 'blob');
    return oid === undefined ? undefined : (await this.blob(oid)).toString('utf8');
  }

  /** The plain files below a folder of the last commit, by their path from there. */
  async files(folder: string): Promise<Map<string, PreviousFile>> {
    const files = new Map<string, PreviousFile>();
    const root = folder === '' ? this.tree : await this.find(this.tree, folder.split('/'), 'tree');
    const add = async (tree: string | undefined, prefix: string): Promise<void> => {
      for (const { path, mode, type, oid } of await this.entries(tree)) {
        if (type === 'tree') await add(oid, `${prefix}${path}/`);
        else if (type === 'blob' && mode !== LINK_MODE) files.set(prefix + path, () => this.blob(oid));
      }
    };
    await add(root, '');
    return files;
  }

  /**
   * Replaces the files of the branch for which `isManaged` holds (paths are relative to the repository's root), and
   * leaves all others unchanged, and all that an import leaves out. What differs becomes a commit on top of the last one, which `push` sends.
   */
  async commit(
    files: ReadonlyMap<string, SourceFile>,
    isManaged: (path: string) => boolean,
    commit: NewCommit,
  ): Promise<void> {
    const leftOut = (this.leftOut ??= await this.findLeftOut());
    const tree =
      (await this.writeTree(this.tree, '', nested(files), (path) => isManaged(path) && !leftOut.has(path))) ??
      (await git.writeTree({ fs: this.fs, gitdir: GITDIR, tree: [] }));
    if (this.head !== undefined && tree === this.tree) return;
    const by = { ...commit.author, timestamp: commit.timestamp, timezoneOffset: 0 };
    const parent = [...(this.head === undefined ? [] : [this.head]), ...(commit.merges ?? [])];
    this.head = await git.writeCommit({
      fs: this.fs,
      gitdir: GITDIR,
      commit: { tree, parent, message: `${commit.message.trim()}\n`, author: by, committer: by },
    });
    this.tree = tree;
  }

  /**
   * Sends all new commits at once, and returns the last commit. Throws `conflict` for new commits on an existing branch unless
   * `mayChange`, and where the branch has changed meanwhile. `beforePush` is told the last commit.
   */
  async push(mayChange: boolean, beforePush?: (oid: string) => Promise<void> | undefined): Promise<string> {
    if (this.head === undefined) throw new Error('there is nothing to push');
    if (this.head === this.fetched || this.head === this.left) return this.head;
    if (this.fetched !== undefined && !mayChange)
      throw new DomainError(
        'conflict',
        'The branch has commits that were not imported: import it first, or export with force',
      );
    await git.writeRef({ fs: this.fs, gitdir: GITDIR, ref: LOCAL, value: this.head, force: true });
    await beforePush?.(this.head);
    await this.send();
    return this.head;
  }

  private async send(): Promise<void> {
    try {
      const { ok, refs } = await git.push({
        fs: this.fs,
        http: this.http,
        gitdir: GITDIR,
        url: this.url,
        ref: LOCAL,
        remoteRef: this.ref,
        cache: this.cache,
        // The branch is where it was found, or still to be made.
        onPrePush: ({ remoteRef }) => remoteRef.oid === (this.fetched ?? NO_COMMIT),
      });
      const refused = Object.values(refs).find((each) => !each.ok);
      if (!ok || refused)
        throw new DomainError(
          'conflict',
          `The repository rejected the commit: ${refused?.error ?? 'it gives no reason'}`,
        );
    } catch (error) {
      if (MOVED.some((each) => error instanceof each)) throw new BranchMoved();
      if (error instanceof Errors.GitPushError)
        throw new DomainError('conflict', `The repository rejected the commit: ${error.data.prettyDetails}`);
      throw explainGitError(error, this.ref);
    }
  }

  private async findLeftOut(): Promise<ReadonlySet<string>> {
    if (this.tree === undefined) return new Set();
    const { refused } = await listCommit(this.fs, this.tree, this.cache);
    return new Set(refused.map(({ path }) => path));
  }

  private async entries(tree: string | undefined): Promise<TreeEntry[]> {
    return tree === undefined
      ? []
      : (await git.readTree({ fs: this.fs, gitdir: GITDIR, oid: tree, cache: this.cache })).tree;
  }

  private async blob(oid: string): Promise<Buffer> {
    return Buffer.from((await git.readBlob({ fs: this.fs, gitdir: GITDIR, oid, cache: this.cache })).blob);
  }

  private async find(
    tree: string | undefined,
    [name, ...rest]: readonly string[],
    type: 'blob' | 'tree',
  ): Promise<string | undefined> {
    const entry = (await this.entries(tree)).find(({ path }) => path === name);
    if (rest.length === 0) return entry?.type === type ? entry.oid : undefined;
    return entry?.type === 'tree' ? this.find(entry.oid, rest, type) : undefined;
  }

  /** Undefined for an empty folder, which git cannot represent. */
  private async writeTree(
    old: string | undefined,
    prefix: string,
    wanted: Folder,
    isManaged: (path: string) => boolean,
  ): Promise<string | undefined> {
    const made: TreeEntry[] = [];
    const left = new Map(wanted);
    const before = await this.entries(old);
    // A file that can be run stays one; a link that a file replaces does not stay a link.
    const programs = new Set(before.filter(({ mode }) => mode === PROGRAM_MODE).map(({ path }) => path));
    for (const entry of before) {
      const path = prefix + entry.path;
      const now = left.get(entry.path);
      if (entry.type === 'tree' && !(now && isFile(now))) {
        left.delete(entry.path);
        const oid = await this.writeTree(
          entry.oid,
          `${path}/`,
          now ?? new Map<string, SourceFile | Folder>(),
          isManaged,
        );
        if (oid !== undefined) made.push({ ...entry, oid });
      } else if (now === undefined && !(entry.type === 'blob' && isManaged(path))) {
        made.push(entry);
      }
    }
    for (const [name, item] of left) {
      const path = prefix + name;
      const oid = isFile(item)
        ? await this.writeBlob(path, item)
        : await this.writeTree(undefined, `${path}/`, item, isManaged);
      if (oid === undefined) continue;
      made.push(
        isFile(item)
          ? { mode: programs.has(name) ? PROGRAM_MODE : '100644', path: name, oid, type: 'blob' }
          : { mode: '040000', path: name, oid, type: 'tree' },
      );
    }
    return made.length === 0 ? undefined : git.writeTree({ fs: this.fs, gitdir: GITDIR, tree: made });
  }

  private async writeBlob(path: string, file: SourceFile): Promise<string> {
    const oid = await git.writeBlob({ fs: this.fs, gitdir: GITDIR, blob: await file.read() });
    this.objects.set(path, oid);
    return oid;
  }
}

function isFile(item: SourceFile | Folder): item is SourceFile {
  return !(item instanceof Map);
}

function nested(files: ReadonlyMap<string, SourceFile>): Folder {
  const root: Folder = new Map();
  for (const [path, file] of files) {
    const segments = path.split('/');
    if (!segments.every(isPlainName)) throw invalid('path', `${path} cannot be a path in a repository`);
    const name = segments.pop() ?? '';
    let folder = root;
    for (const segment of segments) {
      const inner = folder.get(segment);
      const next: Folder = inner === undefined || isFile(inner) ? new Map<string, SourceFile | Folder>() : inner;
      folder.set(segment, next);
      folder = next;
    }
    folder.set(name, file);
  }
  return root;
}
