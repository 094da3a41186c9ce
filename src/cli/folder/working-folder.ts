import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, mkdtemp, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Unpacking } from '../../authoring/interchange/archives/unpack.js';
import type { SourceFile } from '../../authoring/interchange/domain/plan-model.js';
import { readFolder } from '../../authoring/interchange/markdown-folder.js';
import { OperatorError, codeOf, reasonOf } from '../../kernel/platform/operator-error.js';
import { isAlive } from '../../kernel/platform/process-alive.js';
import type { Hashes } from './folder-changes.js';

/** The folder with what the commands have to remember, inside of a pulled folder. */
const OWN = '.bindery';
const STATE = 'state.json';
const TOKEN = 'token';
const LOCK = 'lock';
const VERSION = 1;

/** The relation of a folder to a space, as of the last pull or push. */
export interface FolderState {
  readonly version: typeof VERSION;
  /** Without `/v1`. */
  readonly url: string;
  readonly organization: string;
  readonly space: string;
  /** The id of the change request that the folder has instead of the primary content. */
  readonly changeRequest?: string;
  readonly revision: string;
  /** Files that were pushed and of which a space takes no notice, with their hashes. */
  readonly left: Readonly<Record<string, string>>;
  /** Files in which a pull has left conflicts. */
  readonly conflicts: readonly string[];
  /** The change request with what was pushed last, while it is not merged. */
  readonly proposal?: Proposal;
}

export interface Proposal {
  readonly id: string;
  /** The revision of the change request that the push has made. */
  readonly revision: string;
  /** The revision that the folder was changed from. */
  readonly base: string;
  /** It waits because others had changed the same. */
  readonly hasConflicts: boolean;
  readonly files: Readonly<Record<string, string>>;
}

/** A file of a folder; its hash is that of its bytes, in hexadecimal. */
export interface HashedFile extends SourceFile {
  readonly hash: string;
}

/** The folder of a writer, and beside it what it was when it was last equal to the space. */
export class WorkingFolder {
  private constructor(readonly root: string) {}

  /** The pulled folder that is, or is above, a path. Throws where there is none. */
  static async find(path: string): Promise<WorkingFolder> {
    const start = resolve(path);
    for (let at = start; ; at = dirname(at)) {
      if (await exists(join(at, OWN, STATE))) return new WorkingFolder(at);
      if (dirname(at) === at)
        throw new OperatorError(
          `${start} is not a pulled folder: begin with bindery pull <folder> --space <id> --url <url>`,
        );
    }
  }

  /** Makes a new folder, or takes an empty one. */
  static async make(path: string): Promise<WorkingFolder> {
    const root = resolve(path);
    if (await exists(join(root, OWN, STATE)))
      throw new OperatorError(`${root} is a pulled folder already: pull it without --space`);
    await mkdir(root, { recursive: true }).catch((error: unknown) => {
      throw new OperatorError(`The folder ${root} cannot be made: ${reasonOf(error)}`, { cause: error });
    });
    if ((await filesIn(root)).size > 0) throw new OperatorError(`The folder ${root} is not empty`);
    await mkdir(join(root, OWN), { recursive: true, mode: 0o700 });
    // A repository around the folder never gets what is in here: neither the token nor copies of the content.
    await writeFile(join(root, OWN, '.gitignore'), '*\n');
    return new WorkingFolder(root);
  }

  /** Runs `work` while no other command changes the folder. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    const lock = this.own(LOCK);
    await this.lock(lock);
    try {
      return await work();
    } finally {
      await rm(lock, { force: true });
    }
  }

  private async lock(lock: string): Promise<void> {
    for (let tries = 0; tries < 2; tries++) {
      try {
        await writeFile(lock, String(process.pid), { flag: 'wx' });
        return;
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
        const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
        if (isAlive(holder)) break;
        await rm(lock, { force: true });
      }
    }
    throw new OperatorError('Another command of bindery works in this folder');
  }

  async state(): Promise<FolderState> {
    try {
      const state = JSON.parse(await readFile(this.own(STATE), 'utf8')) as FolderState;
      if (state.version === VERSION) return state;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    throw new OperatorError(`${this.own(STATE)} was written by another version of bindery: pull into a new folder`);
  }

  saveState(state: FolderState): Promise<void> {
    return this.write(STATE, `${JSON.stringify(state, null, 2)}\n`);
  }

  /** The token that was saved. One that others can read is refused, as ssh does with keys. */
  async token(): Promise<string | undefined> {
    const path = this.own(TOKEN);
    const stats = await stat(path).catch(() => undefined);
    if (!stats) return undefined;
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
      throw new OperatorError(`Others can read ${path}: make it private (chmod 600), and replace the token`);
    return (await readFile(path, 'utf8')).trim();
  }

  async saveToken(token: string): Promise<void> {
    await this.write(TOKEN, `${token}\n`);
  }

  /** The files that are there now, without what is never sent. */
  async files(): Promise<ReadonlyMap<string, HashedFile>> {
    return hashed(await filesIn(this.root));
  }

  /** The files as they were when the folder was last equal to the space. */
  base(): Promise<ReadonlyMap<string, HashedFile>> {
    return this.kept('base');
  }

  /** The files in one of the own folders; none where that does not exist. */
  async kept(name: string): Promise<ReadonlyMap<string, HashedFile>> {
    return (await exists(this.own(name))) ? hashed(await filesIn(this.own(name))) : new Map();
  }

  /** Unpacks an archive into an own folder, which is new then. */
  async unpack(archive: string, name: string): Promise<void> {
    await rm(this.own(name), { recursive: true, force: true });
    await mkdir(this.own(name));
    const unpacking = new Unpacking(this.own(name));
    await unpacking.unpack(archive, 'zip');
    const [refused] = unpacking.refused;
    if (refused)
      throw new OperatorError(
        `The archive of the server has a file that cannot be taken: ${refused.path}: ${refused.message}`,
      );
  }

  /** The path of something that the commands remember. */
  own(name: string): string {
    return join(this.root, OWN, name);
  }

  async has(name: string): Promise<boolean> {
    return exists(this.own(name));
  }

  /** Writes an own file whole or not at all, for this user alone. */
  async write(name: string, text: string): Promise<void> {
    const path = this.own(name);
    await mkdir(dirname(path), { recursive: true });
    const folder = await mkdtemp(this.own('writing-'));
    try {
      const draft = join(folder, 'file');
      await writeFile(draft, text, { mode: 0o600, flush: true });
      await rename(draft, path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async remove(...names: readonly string[]): Promise<void> {
    for (const name of names) await rm(this.own(name), { recursive: true, force: true });
  }

  /** The hash of a file of the writer as it is now; undefined for none. */
  async hashAt(path: string): Promise<string | undefined> {
    await this.requirePlain(path);
    try {
      return hashOf(await readFile(join(this.root, path)));
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
      throw error;
    }
  }

  /** Puts a file in the place of that of the writer. */
  async put(path: string, from: string): Promise<void> {
    await this.requirePlain(path);
    const target = join(this.root, path);
    await mkdir(dirname(target), { recursive: true });
    const folder = await mkdtemp(this.own('writing-'));
    try {
      await copyFile(from, join(folder, 'file'), constants.COPYFILE_EXCL);
      await rename(join(folder, 'file'), target);
    } catch (error) {
      throw new OperatorError(`${path} cannot be written: ${reasonOf(error)}`, { cause: error });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Deletes a file of the writer, and the folders that are empty then. */
  async delete(path: string): Promise<void> {
    await this.requirePlain(path);
    await rm(join(this.root, path), { force: true });
    for (let at = dirname(path); at !== '.'; at = dirname(at)) {
      const isGone = await rmdir(join(this.root, at)).then(
        () => true,
        () => false,
      );
      if (!isGone) return;
    }
  }

  /** Nothing is written through a symbolic link, which could lead out of the folder. */
  private async requirePlain(path: string): Promise<void> {
    const parts = path.split('/');
    for (let count = 1; count <= parts.length; count++) {
      const at = parts.slice(0, count).join('/');
      const stats = await lstat(join(this.root, at)).catch(() => undefined);
      if (!stats) return;
      if (stats.isSymbolicLink())
        throw new OperatorError(
          `${at} is a symbolic link, through which nothing is written: remove it, or put what it leads to in its place`,
        );
    }
  }
}

/** Hashes of files, by path. */
export function hashesOf(files: ReadonlyMap<string, HashedFile>): Hashes {
  return new Map([...files].map(([path, { hash }]) => [path, hash]));
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function filesIn(folder: string): Promise<ReadonlyMap<string, SourceFile>> {
  const { files, problems } = await readFolder(folder);
  const [problem] = problems;
  if (problem) throw new OperatorError(`${problem.file}: ${problem.message}`);
  return files;
}

async function hashed(files: ReadonlyMap<string, SourceFile>): Promise<ReadonlyMap<string, HashedFile>> {
  const known = new Map<string, HashedFile>();
  for (const [path, file] of files) known.set(path, { ...file, hash: hashOf(await file.read()) });
  return known;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
