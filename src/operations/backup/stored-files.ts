import type { BackupRepository } from './backup-repository.js';
import { readStream, type StoredStream } from './stored-stream.js';

/** A file that the database names: its SHA-256 in hexadecimal, and its size in bytes. */
export interface NamedFile {
  readonly hash: string;
  readonly size: number;
  /** True where nothing referred to the file when that was looked at last. */
  readonly isUnreferenced: boolean;
}

/** Files that are copied at a time. */
const AT_A_TIME = 8;

/** Calls `work` for each file of a list, for some at a time. Rejects with the first error, once none is at work. */
export async function eachFile(
  repository: BackupRepository,
  stream: StoredStream,
  work: (file: NamedFile) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let fault: { readonly error: unknown } | undefined;
  for await (const file of filesOf(readStream(repository, stream))) {
    const done = work(file)
      .catch((error: unknown) => void (fault ??= { error }))
      .finally(() => running.delete(done));
    running.add(done);
    if (running.size >= AT_A_TIME) await Promise.race(running);
    if (fault) break;
  }
  await Promise.all(running);
  if (fault) throw fault.error;
}

/** Chunks end with a row. */
async function* filesOf(chunks: AsyncIterable<Buffer>): AsyncIterable<NamedFile> {
  for await (const chunk of chunks)
    for (const line of chunk.toString('latin1').split('\n')) {
      const [hash = '', size, flag] = line.split('\t');
      if (hash !== '') yield { hash, size: Number(size), isUnreferenced: flag === 't' };
    }
}
