import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as pipelineOf, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { readTar, TarFault } from '../../authoring/interchange/archives/tar.js';
import { sqlState } from '../../kernel/common/sql-state.js';
import { DomainError } from '../../kernel/common/errors.js';
import { OperatorError, codeOf, reasonOf } from '../../kernel/platform/operator-error.js';
import type { ByteRange, FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { BEGINNING, END } from './archive-format.js';

/** SQLSTATE of a row whose key another one has. */
export const UNIQUE_VIOLATION = '23505';

/** Reads the entries of an archive, one after the other; can be read any number of times. */
export interface ArchiveSource {
  read(onEntry: (path: string, size: number, bytes: AsyncIterable<Buffer>) => Promise<void>): Promise<void>;
}

/** The archive cannot be imported: the file in it, and the line, with what is wrong there. */
export class ArchiveFault extends DomainError {
  constructor(
    readonly place: string,
    readonly reason: string,
    override readonly cause?: unknown,
  ) {
    super('invalid', `${place}: ${reason}`, [{ path: place, message: reason }]);
  }
}

/** An archive in a tar file of at most so many bytes, compressed or not, or unpacked in a folder. */
export async function openArchive(path: string, mostBytes = Number.POSITIVE_INFINITY): Promise<ArchiveSource> {
  const found = await lstat(path).catch((error: unknown) => {
    throw new OperatorError(`${path}: ${reasonOf(error)}`, { cause: error });
  });
  if (found.isDirectory()) return folderSource(path);
  if (!found.isFile()) throw new OperatorError(`${path} is neither a file nor a folder`);
  return tarSource(
    (range) => Promise.resolve(createReadStream(path, range && { start: range.first, end: range.last })),
    mostBytes,
  );
}

/** An archive among the stored files, which is read from there each time. */
export const storedArchive = (storage: FileStorage, hash: string, mostBytes: number): ArchiveSource =>
  tarSource((range) => storage.get(hash, range), mostBytes);

type OpenFile = (range?: ByteRange) => Promise<Readable>;

const MAGIC_OF_GZIP = Buffer.from([0x1f, 0x8b]);

async function isCompressed(open: OpenFile): Promise<boolean> {
  const chunks: Buffer[] = [];
  for await (const chunk of await open({ first: 0, last: MAGIC_OF_GZIP.length - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).equals(MAGIC_OF_GZIP);
}

function tarSource(open: OpenFile, mostBytes: number): ArchiveSource {
  return {
    async read(onEntry) {
      const compressed = await isCompressed(open);
      const file = await open();
      // Errors of the file end the decompression, and reach its reader.
      const tar: Readable = compressed ? pipelineOf(file, createGunzip(), () => undefined) : file;
      try {
        await readTar(within(tar as AsyncIterable<Buffer>, mostBytes), async ({ name, type, size }, bytes) => {
          const plain = name.replace(/^(?:\.\/)+/, '');
          if (type === 'directory') return;
          if (type !== 'file') throw new ArchiveFault(plain.slice(0, 300), 'is no plain file');
          await onEntry(plain, size, bytes);
        });
      } catch (error) {
        throw isFaultOfBytes(error) ? new ArchiveFault('the archive', `cannot be read: ${reasonOf(error)}`) : error;
      } finally {
        file.destroy();
        tar.destroy();
      }
    },
  };
}

/** Counts bytes as they are read: a small file may hold any number of them, in headers too. */
async function* within(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > most) throw new ArchiveFault('the archive', `has more than ${most} bytes`);
    yield chunk;
  }
}

/** Errors of the format have no code of the operating system, of the database or of the service. */
function isFaultOfBytes(error: unknown): boolean {
  if (error instanceof DomainError || error instanceof OperatorError) return false;
  return error instanceof TarFault || codeOf(error)?.startsWith('Z_') === true;
}

function folderSource(folder: string): ArchiveSource {
  return {
    async read(onEntry) {
      const listed = await entriesOf(folder);
      if (!listed.includes(BEGINNING))
        throw new OperatorError(`${folder} holds no archive of an organization: there is no ${BEGINNING}`);
      const between = listed.filter((path) => path !== BEGINNING && path !== END);
      const rows = between.filter((path) => !path.startsWith('files/'));
      const files = between.filter((path) => path.startsWith('files/'));
      for (const path of [BEGINNING, ...rows, ...files, ...(listed.includes(END) ? [END] : [])]) {
        const { size } = await lstat(join(folder, path));
        await onEntry(path, size, createReadStream(join(folder, path)) as AsyncIterable<Buffer>);
      }
    },
  };
}

async function entriesOf(folder: string, within = ''): Promise<string[]> {
  const found: string[] = [];
  for (const entry of (await readdir(join(folder, within), { withFileTypes: true })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await entriesOf(folder, path)));
    else if (entry.isFile()) found.push(path);
    else throw new ArchiveFault(path, 'is no plain file');
  }
  return found;
}

/** The fault of a row in words, with its place; other errors stay as they are. */
export function faultOfStatement(error: unknown, table: string, places: readonly string[]): unknown {
  const state = sqlState(error) ?? '';
  if (!(error instanceof Error) || !/^2[23]/.test(state)) return error;
  const { where = '', detail } = error as { where?: string; detail?: string };
  const line = /COPY \w+, line (\d+)/.exec(where)?.[1];
  const place = (line === undefined ? undefined : places[Number(line) - 1]) ?? `rows of ${table}`;
  return new ArchiveFault(
    place,
    state === UNIQUE_VIOLATION && detail !== undefined ? `${error.message}: ${detail}` : error.message,
    error,
  );
}
