import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline as pipelineOf, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import { isPlainName } from '../domain/repository-paths.js';
import { readTar } from './tar.js';

const MB = 1024 ** 2;

/** Limits of archives after unpacking, all of them together. */
export interface ArchiveLimits {
  /** Entries of any kind, including those that are left out. */
  readonly entries: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  readonly totalBytes: number;
}

const LIMITS: ArchiveLimits = { entries: 100_000, fileBytes: 100 * MB, totalBytes: 2048 * MB };
/** Maximum size of a path and of a name in it, in bytes, as in file systems. */
const MAX_PATH_BYTES = 2000;
const MAX_NAME_BYTES = 255;
/** Maximum length of a refused name in messages. */
const SHOWN_NAME = 300;
const LINK_TYPE = 0o120000;
const TYPE_MASK = 0o170000;

export type ArchiveKind = 'zip' | 'tar' | 'tar.gz';

/** An entry that was left out of an archive, and the reason. */
export interface RefusedEntry {
  readonly path: string;
  readonly message: string;
}

/** The kind of an archive by its first bytes; undefined if it is not an archive. */
export function archiveKind(head: Buffer): ArchiveKind | undefined {
  if (
    head.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1')) ||
    head.subarray(0, 4).equals(Buffer.from('PK\x05\x06', 'latin1'))
  )
    return 'zip';
  if (head[0] === 0x1f && head[1] === 0x8b) return 'tar.gz';
  return head.toString('latin1', 257, 262) === 'ustar' ? 'tar' : undefined;
}

/**
 * A folder into which the plain files of archives, and single files, are written. Links, devices, names that lead out
 * of the folder and duplicate names are left out and reported. Sizes are counted while bytes are read, so that sizes
 * declared in the archive do not matter.
 */
export class Unpacking {
  readonly refused: RefusedEntry[] = [];
  private readonly spelled = new Map<string, string>();
  /** Folders of files, in lower case. */
  private readonly folders = new Set<string>();
  private entries = 0;
  private total = 0;

  constructor(
    private readonly folder: string,
    private readonly limits: ArchiveLimits = LIMITS,
  ) {}

  /** Throws `invalid` if the file is not such an archive, `tooLarge` beyond the limits. */
  async unpack(archive: string, kind: ArchiveKind): Promise<void> {
    try {
      if (kind === 'zip') await unpackZip(archive, this);
      else await unpackTar(archive, kind, this);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      // Faults of the archive have no code of the operating system.
      const { code, message } = error as { code?: unknown; message?: string };
      if (typeof code === 'string' && !code.startsWith('Z_')) throw error;
      throw invalid('source', `the archive cannot be read: ${message ?? ''}`);
    }
  }

  /** Writes a file if it is accepted; throws `tooLarge` beyond the limits. */
  async lay(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    if (this.accepts(name, true, undefined)) await this.write(name, this.counted(bytes));
  }

  /** Tells whether an entry is written; a refusal is recorded. Throws `tooLarge` for too many of them. */
  accepts(name: string, isFile: boolean, refusal: string | undefined): boolean {
    if (++this.entries > this.limits.entries)
      throw new DomainError('tooLarge', `There are more than ${this.limits.entries} files in all`);
    const path = normal(name);
    const message = refusal ?? this.refusal(path, isFile);
    if (message !== undefined) this.refused.push({ path: name.slice(0, SHOWN_NAME), message });
    return message === undefined && isFile;
  }

  async write(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const target = join(this.folder, normal(name));
    await mkdir(dirname(target), { recursive: true });
    await pipeline(
      Readable.from(this.limited(bytes), { objectMode: false }),
      createWriteStream(target, { flags: 'wx' }),
    );
  }

  /** Passes the bytes through, and counts them towards the total. */
  async *counted(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.total += chunk.length;
      if (this.total > this.limits.totalBytes)
        throw new DomainError('tooLarge', `The files hold more than ${this.limits.totalBytes} bytes in all`);
      yield chunk;
    }
  }

  private async *limited(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > this.limits.fileBytes)
        throw new DomainError('tooLarge', `A file in the archive is larger than ${this.limits.fileBytes} bytes`);
      yield chunk;
    }
  }

  private refusal(path: string, isFile: boolean): string | undefined {
    if (path === '') return isFile ? 'a file needs a name' : undefined;
    if (
      Buffer.byteLength(path) > MAX_PATH_BYTES ||
      path.split('/').some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES)
    )
      return 'the name is too long';
    if (!path.split('/').every(isPlainName)) return 'the name leads out of the archive or cannot be used';
    if (!isFile) return undefined;
    const spelling = path.toLowerCase();
    const other = this.spelled.get(spelling);
    if (other !== undefined) return other === path ? 'the name occurs twice' : `differs from ${other} only in capitals`;
    const above = foldersOf(spelling);
    if (this.folders.has(spelling) || above.some((folder) => this.spelled.has(folder)))
      return 'the name is that of a file and of a folder';
    this.spelled.set(spelling, path);
    for (const folder of above) this.folders.add(folder);
    return undefined;
  }
}

/** All ancestor folders of a path. */
function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Removes `./` at the beginning and a slash at the end. */
function normal(name: string): string {
  return name
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
}

async function unpackTar(path: string, kind: ArchiveKind, unpacking: Unpacking): Promise<void> {
  const file = createReadStream(path);
  // Errors of the file end the decompression, and reach its reader.
  const unzipped: Readable = kind === 'tar.gz' ? pipelineOf(file, createGunzip(), () => undefined) : file;
  try {
    await readTar(unpacking.counted(unzipped), async ({ name, type }, bytes) => {
      const refusal =
        type === 'link' ? 'links are not followed' : type === 'other' ? 'only plain files are imported' : undefined;
      if (unpacking.accepts(name, type === 'file', refusal)) await unpacking.write(name, bytes);
    });
  } finally {
    file.destroy();
    unzipped.destroy();
  }
}

async function unpackZip(path: string, unpacking: Unpacking): Promise<void> {
  // Names are checked here, not by the library: one bad name must not refuse the whole archive.
  const zip = await yauzl.openPromise(path, { lazyEntries: true, decodeStrings: false, strictFileNames: true });
  try {
    for await (const entry of zip.eachEntry()) await unpackEntry(zip, entry, unpacking);
  } finally {
    zip.close();
  }
}

async function unpackEntry(zip: ZipFile, entry: Entry, unpacking: Unpacking): Promise<void> {
  const name = (entry.fileName as unknown as Buffer).toString('utf8');
  const isLink = ((entry.externalFileAttributes >>> 16) & TYPE_MASK) === LINK_TYPE;
  const refusal = isLink ? 'links are not followed' : entry.isEncrypted() ? 'the file is encrypted' : undefined;
  if (!unpacking.accepts(name, !name.endsWith('/'), refusal)) return;
  const bytes = await zip.openReadStreamPromise(entry);
  try {
    await unpacking.write(name, unpacking.counted(bytes as AsyncIterable<Buffer>));
  } finally {
    bytes.destroy();
  }
}
