import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ownBytes } from '../../../kernel/common/cache.js';

/** Compresses off the event loop. */
export const compress: (bytes: Buffer) => Promise<Buffer> = promisify(gzip);

/** A text that is cached with its tag and, once requested so, compressed. */
export class TextBody {
  readonly plain: Buffer;
  readonly etag: string;
  private compressed: Promise<Buffer> | undefined;

  constructor(text: string) {
    this.plain = ownBytes(Buffer.from(text));
    this.etag = etagOf(this.plain);
  }

  /** Maximum size in memory, in bytes. */
  get size(): number {
    return 2 * this.plain.length + 1000;
  }

  /** Compresses on first use. */
  gzip(): Promise<Buffer> {
    this.compressed ??= compress(this.plain).then(ownBytes);
    return this.compressed;
  }
}

/** A weak tag that depends on the bytes only. */
export function etagOf(body: Buffer | string): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}
