import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { OperatorError, codeOf, reasonOf } from '../../kernel/platform/operator-error.js';
import { padding, tarHeader } from './tar-header.js';

/** Archives hold private pages and the addresses of people: nobody else on the machine reads them. */
const [FILE_MODE, FOLDER_MODE] = [0o600, 0o700];

/** Takes the entries of an archive, one after the other. */
export interface ArchiveSink {
  entry(path: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  end(): Promise<void>;
}

/** Writes a tar archive that is compressed by gzip. */
export class TarSink implements ArchiveSink {
  private readonly tar = new PassThrough();
  private readonly done: Promise<void>;

  constructor(output: Writable) {
    this.done = pipeline(this.tar, createGzip(), output);
    // It is awaited at the end; a fault in the meantime also fails the write that it happens in.
    this.done.catch(() => undefined);
  }

  async entry(path: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    await this.write(tarHeader(path, size));
    let written = 0;
    for await (const chunk of bytes) {
      written += chunk.length;
      await this.write(chunk);
    }
    if (written !== size) throw new Error(`${path} has ${written} bytes, not ${size}`);
    await this.write(Buffer.alloc(padding(size)));
  }

  async end(): Promise<void> {
    this.tar.end(tarHeader.end);
    await this.done;
  }

  private async write(chunk: Uint8Array): Promise<void> {
    if (this.tar.destroyed) await this.done;
    if (chunk.length === 0 || this.tar.write(chunk)) return;
    await this.whenDrained();
    if (this.tar.destroyed) await this.done;
  }

  /** Waits until there is room, or until a fault has ended it; leaves no listener behind. */
  private whenDrained(): Promise<void> {
    const { tar } = this;
    return new Promise((resolve) => {
      const settle = (): void => {
        tar.off('drain', settle).off('close', settle);
        resolve();
      };
      tar.on('drain', settle).on('close', settle);
    });
  }
}

/** The archive as a stream of bytes; a fault of `write` ends it. */
export function archiveStream(write: (sink: ArchiveSink) => Promise<unknown>): Readable {
  const output = new PassThrough();
  const sink = new TarSink(output);
  write(sink)
    .then(() => sink.end())
    .catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  return output;
}

/** Writes an archive into a new or empty folder, each of its files to the disk: that which ends an archive comes last. */
export class FolderSink implements ArchiveSink {
  /** What was made in the folder. */
  private readonly made = new Set<string>();

  private constructor(
    private readonly folder: string,
    private readonly isNew: boolean,
  ) {}

  static async open(folder: string): Promise<FolderSink> {
    const present = await readdir(folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw new OperatorError(`${folder} is no folder that can be written to`, { cause: error });
    });
    if (present && present.length > 0) throw new OperatorError(`The folder ${folder} is not empty`);
    return new FolderSink(folder, present === undefined);
  }

  async entry(path: string, _size: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const target = join(this.folder, path);
    this.made.add(path.split('/', 1)[0] ?? path);
    await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
    await pipeline(
      Readable.from(bytes, { objectMode: false }),
      createWriteStream(target, { flags: 'wx', flush: true, mode: FILE_MODE }),
    );
  }

  end(): Promise<void> {
    return Promise.resolve();
  }

  /** Removes what was written, and a folder that was new unless somebody else has put something there. */
  async remove(): Promise<void> {
    for (const name of this.made) await rm(join(this.folder, name), { recursive: true, force: true });
    if (this.isNew) await rmdir(this.folder).catch(() => undefined);
  }
}

/** Writes an archive into a new or empty folder, in which nothing is left where that fails. */
export async function toFolder<T>(folder: string, write: (sink: ArchiveSink) => Promise<T>): Promise<T> {
  const sink = await FolderSink.open(folder);
  try {
    return await write(sink);
  } catch (error) {
    await sink.remove();
    throw faultOfDisk(folder, error);
  }
}

/** Codes of a disk that takes nothing more: no reading fails by them. */
const WRITE_FAULTS: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** The fault of the disk that is written to, in words; other errors stay as they are. */
const faultOfDisk = (path: string, error: unknown): unknown =>
  WRITE_FAULTS.has(codeOf(error))
    ? new OperatorError(`${path} cannot be written: ${reasonOf(error)}`, { cause: error })
    : error;

/** Writes an archive to a new file, which has its name only once all of it is on the disk. */
export async function toFile<T>(path: string, write: (sink: ArchiveSink) => Promise<T>): Promise<T> {
  await requireFree(path);
  const unfinished = `${path}.${randomUUID()}.part`;
  const output = createWriteStream(unfinished, { flags: 'wx', flush: true, mode: FILE_MODE });
  const sink = new TarSink(output);
  try {
    const written = await write(sink);
    await sink.end();
    await requireFree(path);
    await rename(unfinished, path);
    await syncFolder(dirname(path));
    return written;
  } catch (error) {
    output.destroy();
    await rm(unfinished, { force: true });
    throw faultOfDisk(path, error);
  }
}

async function requireFree(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (found) throw new OperatorError(`${path} is there already`);
}

/** Writes the names in a folder to the disk, where its system has that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
