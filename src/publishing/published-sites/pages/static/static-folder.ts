import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { invalid } from '../../../../kernel/common/errors.js';
import { codeOf } from '../../../../kernel/platform/operator-error.js';
import { isAlive } from '../../../../kernel/platform/process-alive.js';
import { comparable, isWritable } from './domain/static-paths.js';

/** The folder in the target for what is no file of the site. */
const NOTES = '.bindery';
const LIST = `${NOTES}/files.txt`;
const LOCK = `${NOTES}/running`;
const UNFINISHED = `${NOTES}/unfinished`;
/** Entries of a folder that an export leaves alone: it may be the checkout of a repository from which a host serves the site. */
const ALLOWED = new Set(['.git', '.gitignore', 'CNAME']);

/** The numbers of files that an export has written, left as they were and removed. */
export interface WrittenFiles {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

/**
 * A folder with the files of a static site, which an export brings up to date. Each file is put in its place whole. All
 * paths are noted before they are written, so an export that was cut off is continued by the next one, which removes
 * what has gone; files of others stay. Symbolic links are never followed.
 */
export class StaticFolder {
  private readonly claimed = new Map<string, string>();
  private readonly folders = new Set<string>();
  private readonly making = new Map<string, Promise<void>>();
  private written = 0;
  private unchanged = 0;

  private constructor(
    private readonly root: string,
    private readonly before: ReadonlySet<string>,
    private readonly list: FileHandle,
    private readonly owner: string,
  ) {}

  /** Throws `invalid` for a folder with other files than those of an export of the same `owner`, and while one runs. */
  static async open(root: string, owner: string): Promise<StaticFolder> {
    await mkdir(root, { recursive: true });
    const before = await filesOf(root, owner);
    await requireFolder(root, NOTES);
    await lock(root);
    await rm(join(root, UNFINISHED), { recursive: true, force: true });
    await mkdir(join(root, UNFINISHED));
    if (before.size === 0) await writeFile(join(root, LIST), `${owner}\n`);
    return new StaticFolder(root, before, await open(join(root, LIST), 'a'), owner);
  }

  /**
   * Keeps a path for a file; false if it cannot be written, or if another file has it on a file system that does not
   * distinguish cases, or is a folder of it.
   */
  claim(path: string): boolean {
    const key = comparable(path);
    const above = foldersOf(key);
    if (!isWritable(path) || this.claimed.has(key) || this.folders.has(key)) return false;
    if (above.some((folder) => this.claimed.has(folder))) return false;
    this.claimed.set(key, path);
    for (const folder of above) this.folders.add(folder);
    return true;
  }

  /** Gives back a path that was claimed for a file that is not there. */
  release(path: string): void {
    this.claimed.delete(comparable(path));
  }

  /** Writes a file for those who serve the folder, beside what the export notes. */
  async writeNote(name: string, content: string): Promise<void> {
    const temporary = join(this.root, UNFINISHED, name);
    await writeFile(temporary, content, { flag: 'wx' });
    await rename(temporary, join(this.root, NOTES, name));
  }

  /** Tells whether a path is kept for a file. */
  has(path: string): boolean {
    return this.claimed.get(comparable(path)) === path;
  }

  /** Tells whether a file that never changes is there from before, with these bytes of length. */
  async isThere(path: string, size?: number): Promise<boolean> {
    if (!this.before.has(path)) return false;
    await this.makeFolders(path);
    const found = await lstat(join(this.root, path)).catch(() => undefined);
    const isThere = found?.isFile() === true && (size === undefined || found.size === size);
    if (isThere) this.unchanged++;
    return isThere;
  }

  /** Writes a file at a path that was claimed, unless it has these bytes already. */
  async write(path: string, content: Buffer | string | Readable): Promise<void> {
    if (!this.has(path)) throw new Error(`the path ${path} was not claimed`);
    await this.makeFolders(path);
    const place = join(this.root, path);
    if (typeof content === 'string' || Buffer.isBuffer(content)) {
      const bytes = Buffer.from(content);
      const found = await lstat(place).catch(() => undefined);
      if (found?.isFile() === true && found.size === bytes.length && (await readFile(place)).equals(bytes)) {
        await this.note(path);
        this.unchanged++;
        return;
      }
    }
    await this.note(path);
    const temporary = join(this.root, UNFINISHED, randomBytes(8).toString('hex'));
    if (typeof content === 'string' || Buffer.isBuffer(content)) await writeFile(temporary, content, { flag: 'wx' });
    else {
      await pipeline(content, createWriteStream(temporary, { flags: 'wx' }));
      if (await haveSameBytes(temporary, place)) {
        await rm(temporary);
        this.unchanged++;
        return;
      }
    }
    await this.put(temporary, place);
    this.written++;
  }

  /** Removes the files of before that were not claimed, and ends the export. */
  async finish(): Promise<WrittenFiles> {
    const gone = [...this.before].filter((path) => !this.has(path));
    for (const path of gone) if (!(await this.isSameFile(path))) await this.remove(path);
    await this.list.close();
    const list = join(this.root, UNFINISHED, 'files');
    await writeFile(list, [this.owner, ...[...this.claimed.values()].sort(), ''].join('\n'));
    await rename(list, join(this.root, LIST));
    await this.unlock();
    return { written: this.written, unchanged: this.unchanged, removed: gone.length };
  }

  /** Ends an export that failed: the next one continues it. */
  async abandon(): Promise<void> {
    await this.list.close();
    await this.unlock();
  }

  private async unlock(): Promise<void> {
    await rm(join(this.root, UNFINISHED), { recursive: true, force: true });
    await rm(join(this.root, LOCK), { force: true });
  }

  private async note(path: string): Promise<void> {
    if (!this.before.has(path)) await this.list.appendFile(`${path}\n`);
  }

  /** A folder of an earlier export may stand where a file is now, and the other way round. */
  private async put(temporary: string, place: string): Promise<void> {
    try {
      await rename(temporary, place);
    } catch (error) {
      if (!['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
      const below = `${place.slice(this.root.length + 1)}/`;
      for (const path of this.before) if (path.startsWith(below) && !this.has(path)) await this.remove(path);
      await rename(temporary, place);
    }
  }

  private async makeFolders(path: string): Promise<void> {
    for (const folder of foldersOf(path)) {
      const making = this.making.get(folder) ?? this.makeFolder(folder);
      this.making.set(folder, making);
      await making;
    }
  }

  private async makeFolder(folder: string): Promise<void> {
    if (this.before.has(folder) && !this.has(folder)) await rm(join(this.root, folder), { force: true });
    await requireFolder(this.root, folder);
  }

  /** Tells whether a path that has gone is another writing of one that is there, on a file system that takes both. */
  private async isSameFile(path: string): Promise<boolean> {
    const other = this.claimed.get(comparable(path));
    if (other === undefined) return false;
    const [one, two] = await Promise.all(
      [path, other].map((each) => lstat(join(this.root, each)).catch(() => undefined)),
    );
    return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
  }

  /** Removes a file that an earlier export has written, and the folders that are empty then. */
  private async remove(path: string): Promise<void> {
    if (!isWritable(path)) return;
    for (const folder of foldersOf(path)) {
      const found = await lstat(join(this.root, folder)).catch(() => undefined);
      if (found?.isDirectory() !== true) return;
    }
    await rm(join(this.root, path), { force: true }).catch(() => undefined);
    for (const folder of foldersOf(path).reverse()) {
      const isEmpty = await rmdir(join(this.root, folder)).then(
        () => true,
        () => false,
      );
      if (!isEmpty) return;
    }
  }
}

/** Tells whether two files have the same bytes; false where the second is no file. */
async function haveSameBytes(one: string, other: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([lstat(one), lstat(other).catch(() => undefined)]);
  if (theirs?.isFile() !== true || ours.size !== theirs.size) return false;
  const [hash, otherHash] = await Promise.all([one, other].map(hashOf));
  return hash === otherHash;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) hash.update(bytes);
  return hash.digest('hex');
}

/** The folders above a path, the highest first. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** The files of an earlier export. */
async function filesOf(root: string, owner: string): Promise<ReadonlySet<string>> {
  const list = await readFile(join(root, LIST), 'utf8').catch(() => undefined);
  if (list === undefined) {
    const others = (await readdir(root)).filter((name) => !ALLOWED.has(name) && name !== NOTES);
    if (others.length > 0) throw invalid('folder', 'has files that are not of an export of this site');
    return new Set();
  }
  const [whose, ...paths] = list.split('\n');
  if (whose !== owner) throw invalid('folder', 'is an export of another site');
  return new Set(paths.filter((path) => path !== ''));
}

/** Makes a folder whose parents are there. Throws `invalid` where something else stands in its place. */
async function requireFolder(root: string, folder: string): Promise<void> {
  const place = join(root, folder);
  const found = await lstat(place).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (found) throw invalid('folder', `has something at ${folder} that is no folder, such as a symbolic link`);
  await mkdir(place);
}

/** Notes the process that works in a folder. Throws `invalid` while another one does. */
async function lock(root: string): Promise<void> {
  const place = join(root, LOCK);
  for (;;) {
    try {
      return await writeFile(place, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(place, 'utf8').catch(() => ''));
    if (holder !== process.pid && isAlive(holder)) throw invalid('folder', `is being written by process ${holder}`);
    await rm(place, { force: true });
  }
}
