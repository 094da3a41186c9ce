import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { BackupRepository, Chunk } from './backup-repository.js';
import { DamagedBackup } from './damaged-backup.js';

/** Bytes of a chunk on average, at least, and those at which it ends with the row that reaches them. */
const AVERAGE = 256 * 1024;
const SMALLEST = 64 * 1024;
const LARGEST = 2 * 1024 ** 2;
/** Bytes at the beginning of a row that decide: its key, which a change of the row leaves as it is. */
const DECIDING = 24;
const RANGE = 2 ** 32;

const ID_BYTES = 32;
const ENTRY_BYTES = ID_BYTES + 4;
/** Chunks that one list names. */
const LISTED = 4096;
/** Chunks that are stored, or read ahead, at a time. */
const AT_A_TIME = 4;

const chunk = z.object({ id: z.string().regex(/^[0-9a-f]{64}$/), length: z.int().min(0) });

/** A sequence of rows in a target: lists of its chunks, and what it is checked by. */
export const storedStream = z.object({
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string(),
  lists: z.array(chunk),
});
export type StoredStream = z.infer<typeof storedStream>;

/** Counts and hashes rows: two sequences are equal where their sums are. */
export class StreamSum {
  rows = 0;
  bytes = 0;
  private readonly hash = createHash('sha256');

  add(row: Buffer): void {
    this.rows++;
    this.bytes += row.length;
    this.hash.update(row);
  }

  /** To be asked for once. */
  get sums(): Pick<StoredStream, 'rows' | 'bytes' | 'sha256'> {
    return { rows: this.rows, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}

/**
 * Stores rows in chunks that end where the rows themselves decide, so that a sequence that differs in a few rows from
 * one that is stored already has most chunks in common with it.
 */
export async function storeRows(
  repository: BackupRepository,
  source: AsyncIterable<readonly Buffer[]>,
): Promise<StoredStream> {
  const sum = new StreamSum();
  const lists = new ChunkLists(repository);
  let parts: Buffer[] = [];
  let size = 0;
  for await (const rows of source) {
    for (const row of rows) {
      sum.add(row);
      parts.push(row);
      size += row.length;
      if (!endsChunk(row, size)) continue;
      await lists.add(Buffer.concat(parts, size));
      [parts, size] = [[], 0];
    }
  }
  if (size > 0) await lists.add(Buffer.concat(parts, size));
  return { ...sum.sums, lists: await lists.end() };
}

function endsChunk(row: Buffer, size: number): boolean {
  if (size < SMALLEST) return false;
  return size >= LARGEST || crc32(row.subarray(0, DECIDING)) * AVERAGE < RANGE * Math.min(row.length, AVERAGE);
}

/** The bytes of stored rows, chunk by chunk. */
export async function* readStream(repository: BackupRepository, { lists }: StoredStream): AsyncIterable<Buffer> {
  for (const list of lists) yield* readAhead(repository, entriesOf(await repository.getChunk(list)));
}

/** The names of all objects below `data/` that a stored sequence needs. */
export async function* chunksOf(repository: BackupRepository, { lists }: StoredStream): AsyncIterable<string> {
  for (const list of lists) {
    yield list.id;
    for (const { id } of entriesOf(await repository.getChunk(list))) yield id;
  }
}

async function* readAhead(repository: BackupRepository, chunks: readonly Chunk[]): AsyncIterable<Buffer> {
  const reading: Promise<Buffer>[] = [];
  const begin = (next: Chunk): void => {
    const read = repository.getChunk(next);
    // A chunk that fails while one before it is used is told when it is asked for.
    read.catch(() => undefined);
    reading.push(read);
  };
  for (const [index, each] of chunks.entries()) {
    begin(each);
    if (index >= AT_A_TIME - 1) yield await (reading.shift() as Promise<Buffer>);
  }
  for (const read of reading) yield await read;
}

/** Lists of the chunks of a sequence, which are stored as chunks themselves. */
class ChunkLists {
  private readonly lists: Chunk[] = [];
  private storing: Promise<Chunk>[] = [];
  private entries: Buffer[] = [];

  constructor(private readonly repository: BackupRepository) {}

  async add(bytes: Buffer): Promise<void> {
    const stored = this.repository.putChunk(bytes);
    stored.catch(() => undefined);
    this.storing.push(stored);
    if (this.storing.length >= AT_A_TIME) await this.settle(1);
  }

  async end(): Promise<Chunk[]> {
    await this.settle(this.storing.length);
    await this.flush();
    return this.lists;
  }

  private async settle(count: number): Promise<void> {
    for (const stored of this.storing.splice(0, count)) {
      const { id, length } = await stored;
      const entry = Buffer.alloc(ENTRY_BYTES);
      entry.write(id, 'hex');
      entry.writeUInt32BE(length, ID_BYTES);
      this.entries.push(entry);
      if (this.entries.length >= LISTED) await this.flush();
    }
  }

  private async flush(): Promise<void> {
    if (this.entries.length > 0) this.lists.push(await this.repository.putChunk(Buffer.concat(this.entries)));
    this.entries = [];
  }
}

function entriesOf(list: Buffer): Chunk[] {
  if (list.length % ENTRY_BYTES !== 0) throw new DamagedBackup('a list of chunks');
  return Array.from({ length: list.length / ENTRY_BYTES }, (_, index) => {
    const entry = list.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    return { id: entry.toString('hex', 0, ID_BYTES), length: entry.readUInt32BE(ID_BYTES) };
  });
}
