import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { notFound } from '../../common/errors.js';
import { codeOf } from '../operator-error.js';
import { FileStorage, blobKey, type ByteRange, type StoredBlob } from './file-storage.js';
import type { SpooledFile } from './spool.js';

/** Files on the local disk, complete and synced to disk before `place` returns. */
export class LocalStorage extends FileStorage {
  protected readonly spoolFolder: string;

  constructor(private readonly root: string) {
    super();
    this.spoolFolder = join(root, 'incoming');
  }

  async place(file: SpooledFile): Promise<void> {
    const path = join(this.root, blobKey(file.hash));
    const folder = dirname(path);
    await mkdir(folder, { recursive: true });
    await rename(file.path, path);
    // The entry of the file, and those of folders that may be new, must be synced as well.
    for (const each of [folder, dirname(folder), dirname(dirname(folder)), this.root]) await syncFolder(each);
  }

  async get(hash: string, range?: ByteRange): Promise<Readable> {
    try {
      const file = await open(join(this.root, blobKey(hash)), 'r');
      return file.createReadStream(range && { start: range.first, end: range.last });
    } catch (error) {
      throw codeOf(error) === 'ENOENT' ? notFound('File') : error;
    }
  }

  async has(hash: string): Promise<boolean> {
    return (await this.sizeOf(hash)) !== undefined;
  }

  override async sizeOf(hash: string): Promise<number | undefined> {
    return (await this.statOf(join(this.root, blobKey(hash))))?.size;
  }

  async remove(hash: string): Promise<void> {
    await rm(join(this.root, blobKey(hash)), { force: true });
  }

  async *list(): AsyncIterable<StoredBlob> {
    const top = join(this.root, 'sha256');
    for (const first of await entries(top)) {
      for (const second of await entries(join(top, first))) {
        for (const hash of await entries(join(top, first, second))) {
          const found = await this.statOf(join(top, first, second, hash));
          if (found) yield { hash, size: found.size, modifiedAt: found.mtime };
        }
      }
    }
  }

  private async statOf(path: string) {
    return stat(path).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
}
