import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { OperatorError } from '../../kernel/platform/operator-error.js';
import { type BackupKey, makeMasterKey, openMasterKey, sealedMasterKey } from './backup-key.js';
import type { BackupTarget, ObjectBody } from './backup-target.js';
import { DamagedBackup } from './damaged-backup.js';
import { Lease } from './lease.js';
import { EncryptedCodec, type ObjectCodec, PLAIN } from './object-codec.js';

const DESCRIPTION = 'bindery-backup.json';
const FORMAT = 1;
/** Texts of rows shrink to a fifth by the fastest level, and hardly further by slower ones. */
const COMPRESSION = 3;
const compress = promisify<Buffer, { level: number }, Buffer>(gzip);
const decompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

const description = z.object({ format: z.int(), key: sealedMasterKey.optional() });

/** Objects that backups refer to, by their folder. */
export type ObjectFolder = 'data' | 'files';

/** A part of a sequence of bytes: the name of its object, and its length before compression. */
export interface Chunk {
  readonly id: string;
  readonly length: number;
}

/** How a target without a description is dealt with. */
export interface Beginning {
  /** Describe the target as one of this service. */
  readonly begins: boolean;
  /** Write without encryption where there is no key. */
  readonly plain: boolean;
}

/** The objects of all backups of a target, each stored once however many backups refer to it. */
export class BackupRepository {
  /** Bytes that this process has stored. */
  storedBytes = 0;

  private constructor(
    readonly target: BackupTarget,
    private readonly codec: ObjectCodec,
  ) {}

  get isEncrypted(): boolean {
    return this.codec !== PLAIN;
  }

  /**
   * Opens the backups of a target.
   * @throws OperatorError if the target holds none, was written by a newer release, or the key is not its own.
   */
  static async open(
    target: BackupTarget,
    key: BackupKey | undefined,
    { begins, plain }: Beginning,
    note: (line: string) => void,
  ): Promise<BackupRepository> {
    const stored = await target.get(DESCRIPTION);
    if (stored === undefined) {
      if (!begins) throw new OperatorError(`There are no backups in ${target.address}`);
      if (key === undefined && !plain)
        throw new OperatorError(
          'A backup is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE and keep it apart from the backups, or pass --plain to write it without encryption',
        );
      await begin(target, plain ? undefined : key, note);
      return BackupRepository.open(target, key, { begins: false, plain }, note);
    }
    const read = described(await buffer(stored), target);
    if (read.key === undefined) {
      if (begins && !plain)
        throw new OperatorError(
          `The backups in ${target.address} are not encrypted: pass --plain to add one, or choose another target`,
        );
      return new BackupRepository(target, PLAIN);
    }
    if (plain) throw new OperatorError(`The backups in ${target.address} are encrypted: leave out --plain`);
    if (key === undefined)
      throw new OperatorError(`The backups in ${target.address} are encrypted: set BACKUP_KEY or BACKUP_KEY_FILE`);
    const master = await openMasterKey(key, read.key);
    if (master === undefined)
      throw new OperatorError(`BACKUP_KEY or BACKUP_KEY_FILE is not the key of the backups in ${target.address}`);
    return new BackupRepository(target, new EncryptedCodec(master));
  }

  /** Stores bytes that decide by themselves what the name of their object is. */
  async putChunk(bytes: Buffer): Promise<Chunk> {
    const id = this.codec.idOf(digestOf(bytes));
    const name = objectName('data', id);
    if (!(await this.target.has(name))) await this.write(name, await compress(bytes, { level: COMPRESSION }));
    return { id, length: bytes.length };
  }

  /** @throws DamagedBackup if the bytes are not those that were stored. */
  async getChunk({ id, length }: Chunk): Promise<Buffer> {
    const name = objectName('data', id);
    const stored = await buffer(await this.read(name));
    const bytes = await decompress(stored, { maxOutputLength: Math.max(1, length) }).catch((error: unknown) => {
      throw new DamagedBackup(name, { cause: error });
    });
    if (bytes.length !== length || this.codec.idOf(digestOf(bytes)) !== id) throw new DamagedBackup(name);
    return bytes;
  }

  /** The name of the object of a file with this SHA-256. */
  fileObject(hash: string): string {
    return objectName('files', this.codec.idOf(Buffer.from(hash, 'hex')));
  }

  /** Stores a file unless it is there; `open` gives its bytes. */
  async putFile(hash: string, size: number, open: () => Promise<Readable>): Promise<void> {
    const name = this.fileObject(hash);
    if (await this.target.has(name)) return;
    const content = this.codec.encode(name, hashed(await open(), hash, size));
    const storedSize = this.codec.storedSize(size);
    await this.target.put(name, { stream: Readable.from(content, { objectMode: false }), size: storedSize });
    this.storedBytes += storedSize;
  }

  /** The bytes of a file; the last of them comes only if all are right. */
  async *getFile(hash: string, size: number): AsyncIterable<Buffer> {
    const name = this.fileObject(hash);
    try {
      yield* hashed(await this.read(name), hash, size);
    } catch (error) {
      throw error instanceof WrongBytes ? new DamagedBackup(name) : error;
    }
  }

  /** Stores an object under a name of its own. */
  async write(name: string, bytes: Buffer): Promise<void> {
    const stored = await buffer(this.codec.encode(name, single(bytes)));
    await this.target.put(name, stored satisfies ObjectBody);
    this.storedBytes += stored.length;
  }

  /** @throws DamagedBackup if there is no such object, and with its bytes if they were changed. */
  async read(name: string): Promise<AsyncIterable<Buffer>> {
    const stored = await this.target.get(name);
    if (stored === undefined) throw new DamagedBackup(name, { isMissing: true });
    return this.codec.decode(name, stored as AsyncIterable<Buffer>);
  }

  /** A short mark of a text that nobody can make without the key. */
  markOf(text: string): string {
    return this.codec.idOf(digestOf(Buffer.from(text))).slice(0, 16);
  }
}

export const objectName = (folder: ObjectFolder, id: string): string => `${folder}/${id.slice(0, 2)}/${id}`;

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

async function* single(bytes: Buffer): AsyncIterable<Buffer> {
  yield bytes;
}

/** The bytes of a file are not those of its hash. */
export class WrongBytes extends Error {}

/** Passes bytes on; throws `WrongBytes` before the last of them if they are not those of a hash. */
async function* hashed(source: AsyncIterable<Buffer>, hash: string, size: number): AsyncIterable<Buffer> {
  const seen = createHash('sha256');
  let length = 0;
  let last: Buffer | undefined;
  for await (const bytes of source) {
    if (last) yield last;
    seen.update(bytes);
    length += bytes.length;
    last = bytes;
  }
  if (length !== size || seen.digest('hex') !== hash) throw new WrongBytes(`the file ${hash} has other bytes`);
  if (last) yield last;
}

function described(bytes: Buffer, { address }: BackupTarget): z.infer<typeof description> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new DamagedBackup(DESCRIPTION);
  }
  const format = z.object({ format: z.int() }).safeParse(value).data?.format ?? FORMAT;
  if (format > FORMAT)
    throw new OperatorError(`The backups in ${address} were written by a newer release: use that release`);
  const { success, data } = description.safeParse(value);
  if (!success) throw new DamagedBackup(DESCRIPTION);
  return data;
}

/** Writes the description of a new target once, however many commands begin with it. */
async function begin(target: BackupTarget, key: BackupKey | undefined, note: (line: string) => void): Promise<void> {
  const lease = await Lease.take(target, 'exclusive', note);
  try {
    if (await target.has(DESCRIPTION)) return;
    for await (const { name } of target.list('')) {
      if (name.startsWith('leases/') || name.startsWith('unfinished/')) continue;
      throw new OperatorError(
        `The target ${target.address} holds something else, such as ${name}: choose an empty one`,
      );
    }
    const made = key && (await makeMasterKey(key));
    await target.put(DESCRIPTION, Buffer.from(`${JSON.stringify({ format: FORMAT, key: made?.stored }, null, 2)}\n`));
  } finally {
    await lease.release();
  }
}
