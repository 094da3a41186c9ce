import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DomainError } from '../../common/errors.js';
import { FileStorage, type ByteRange, type StoredBlob } from './file-storage.js';
import type { ByteSource, SpooledFile } from './spool.js';

/** A storage that takes over the files of a former one while it is used: it stores new files, and gives old ones from where they are. */
export class MovingStorage extends FileStorage {
  protected readonly spoolFolder = '';

  constructor(
    private readonly present: FileStorage,
    private readonly former: FileStorage,
  ) {
    super();
  }

  override spool(source: ByteSource, maxBytes?: number): Promise<SpooledFile> {
    return this.present.spool(source, maxBytes);
  }

  place(file: SpooledFile): Promise<void> {
    return this.present.place(file);
  }

  override discard(file: SpooledFile): Promise<void> {
    return this.present.discard(file);
  }

  override async removeLeftovers(): Promise<void> {
    await this.present.removeLeftovers();
    await this.former.removeLeftovers();
  }

  /** Asks the present storage once more in the end: a file may have been moved behind the first question. */
  async get(hash: string, range?: ByteRange): Promise<Readable> {
    const from = (storage: FileStorage): Promise<Readable | undefined> => unlessMissing(storage.get(hash, range));
    return (await from(this.present)) ?? (await from(this.former)) ?? this.present.get(hash, range);
  }

  async has(hash: string): Promise<boolean> {
    return (await this.sizeOf(hash)) !== undefined;
  }

  override async sizeOf(hash: string): Promise<number | undefined> {
    const { present, former } = this;
    return (await present.sizeOf(hash)) ?? (await former.sizeOf(hash)) ?? present.sizeOf(hash);
  }

  async remove(hash: string): Promise<void> {
    await this.former.remove(hash);
    await this.present.remove(hash);
  }

  /** A file that is in both is listed twice. */
  async *list(): AsyncIterable<StoredBlob> {
    yield* this.present.list();
    yield* this.former.list();
  }

  /**
   * Copies a file from the former storage unless it is there already with its size. Where `reads`, the bytes of the copy are read,
   * and have to be those of the hash, as those of the former storage always have to.
   */
  async bring(hash: string, size: number, reads: boolean): Promise<'brought' | 'present' | 'missing' | 'damaged'> {
    if (await this.keeps(hash, size, reads)) return 'present';
    const bytes = await unlessMissing(this.former.get(hash));
    if (bytes === undefined) return 'missing';
    const file = await this.present.spool(bytes);
    if (file.hash !== hash) {
      await this.present.discard(file);
      return 'damaged';
    }
    await this.present.place(file);
    return !reads || (await this.keeps(hash, file.size, reads)) ? 'brought' : 'damaged';
  }

  /** Removes a file from the former storage. */
  forget(hash: string): Promise<void> {
    return this.former.remove(hash);
  }

  private async keeps(hash: string, size: number, reads: boolean): Promise<boolean> {
    if ((await this.present.sizeOf(hash)) !== size) return false;
    if (!reads) return true;
    const digest = createHash('sha256');
    for await (const bytes of await this.present.get(hash)) digest.update(bytes as Buffer);
    return digest.digest('hex') === hash;
  }
}

async function unlessMissing<T>(file: Promise<T>): Promise<T | undefined> {
  try {
    return await file;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'notFound') return undefined;
    throw error;
  }
}
