import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Compresses beside the event loop. */
export const compress: (bytes: Buffer) => Promise<Buffer> = promisify(gzip);

/** A text that is kept with its tag and, once somebody took it so, compressed. */
export class TextBody {
  readonly plain: Buffer;
  readonly etag: string;
  private compressed: Promise<Buffer> | undefined;

  constructor(text: string) {
    this.plain = Buffer.from(text);
    this.etag = etagOf(this.plain);
  }

  /** Bytes that it takes in memory, at most. */
  get size(): number {
    return 2 * this.plain.length + 1000;
  }

  /** Compressed once. */
  gzip(): Promise<Buffer> {
    this.compressed ??= compress(this.plain);
    return this.compressed;
  }
}

/** The weak tag of what is the same whenever its bytes are. */
export function etagOf(body: Buffer | string): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}
