import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '../config/config.js';
import { ContributionPoint } from '../manifest/contribution.js';
import { spool, type ByteSource, type SpooledFile } from './spool.js';

/** Milliseconds after which a file can no longer be in the process of being received. */
const LEFT_AFTER = 48 * 3600_000;

/** Creates the storage of an external module; undefined if its settings do not request it. */
export type FileStorageFactory = (config: Config) => FileStorage | undefined | Promise<FileStorage | undefined>;

/** Storages of external modules: the first one that is created replaces that of FILES_STORAGE. */
export const FILE_STORAGES = new ContributionPoint<FileStorageFactory>('file storages');

/** Part of a file: the positions of its first and last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A stored file as a listing shows it. */
export interface StoredBlob {
  readonly hash: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

/**
 * Stores bytes by their SHA-256 in hexadecimal. Writing the same bytes twice does the same work twice, so that timing
 * does not reveal whether they were known.
 */
export abstract class FileStorage {
  /** The folder in which incoming bytes wait until `place`. */
  protected abstract readonly spoolFolder: string;

  /** Receives bytes without storing them yet; throws `tooLarge` beyond `maxBytes`. */
  spool(source: ByteSource, maxBytes?: number): Promise<SpooledFile> {
    return spool(source, this.spoolFolder, maxBytes);
  }

  /** Stores spooled bytes durably; the temporary file is removed afterwards. */
  abstract place(file: SpooledFile): Promise<void>;

  /** Discards spooled bytes that will not be stored. */
  async discard(file: SpooledFile): Promise<void> {
    await rm(file.path, { force: true });
  }

  /**
   * Removes temporary files that have not grown for two days, by the clock of the machine, which also sets their times:
   * their receiver has ended.
   */
  async removeLeftovers(): Promise<void> {
    const before = Date.now() - LEFT_AFTER;
    for (const name of await readdir(this.spoolFolder).catch(() => [])) {
      const path = join(this.spoolFolder, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile() && found.mtimeMs < before) await rm(path, { force: true });
    }
  }

  async put(source: ByteSource, maxBytes?: number): Promise<{ hash: string; size: number }> {
    const file = await this.spool(source, maxBytes);
    await this.place(file);
    return { hash: file.hash, size: file.size };
  }

  /** Returns the bytes, or a part of them; throws `notFound`. */
  abstract get(hash: string, range?: ByteRange): Promise<Readable>;
  abstract has(hash: string): Promise<boolean>;

  /** The number of the bytes; undefined if they are not there. */
  async sizeOf(hash: string): Promise<number | undefined> {
    if (!(await this.has(hash))) return undefined;
    let size = 0;
    for await (const chunk of await this.get(hash)) size += (chunk as Buffer).length;
    return size;
  }

  /** Removes the bytes; their absence is not an error. */
  abstract remove(hash: string): Promise<void>;
  abstract list(): AsyncIterable<StoredBlob>;
}

/** `sha256/ab/cd/<hash>`; throws if the text is not a hash, so that nothing else ever becomes a path. */
export function blobKey(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new RangeError('a SHA-256 in hexadecimal is needed');
  return `sha256/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}
