import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DomainError } from '../../common/errors.js';

/** Number of leading bytes that are kept for detecting type and dimensions. */
const HEAD_BYTES = 1024 * 1024;

/** Bytes in a temporary file, fsynced. */
export interface SpooledFile {
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly size: number;
  /** The first bytes, at most `HEAD_BYTES`. */
  readonly head: Buffer;
}

export type ByteSource = Uint8Array | Readable;

/**
 * Writes a source into a new file of `folder` and hashes it on the way. Throws `tooLarge` as soon as more than
 * `maxBytes` arrived, and leaves no file behind then.
 */
export async function spool(
  source: ByteSource,
  folder: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<SpooledFile> {
  // An error before the first read would have no listener and end the process; reading throws it again.
  if (!(source instanceof Uint8Array)) source.on('error', () => undefined);
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let size = 0;
  try {
    const file = await open(path, 'wx', 0o640);
    try {
      for await (const chunk of source instanceof Uint8Array ? [source] : (source as AsyncIterable<Uint8Array>)) {
        if (size < HEAD_BYTES) head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - size)));
        size += chunk.length;
        if (size > maxBytes) throw new DomainError('tooLarge', `The file is larger than ${maxBytes} bytes`);
        hash.update(chunk);
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, hash: hash.digest('hex'), size, head: Buffer.concat(head) };
}
