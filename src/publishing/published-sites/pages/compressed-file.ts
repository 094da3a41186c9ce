import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const COMPRESSORS = {
  br: promisify(brotliCompress),
  gzip: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: 9 }),
} as const;

export type Encoding = keyof typeof COMPRESSORS;

/** A file that never changes, with copies that are compressed when they are first asked for: a start needs none of them. */
export class CompressedFile {
  private readonly copies = new Map<Encoding, Promise<Buffer>>();

  constructor(readonly plain: Buffer) {}

  /** The bytes in an encoding. */
  in(encoding: Encoding): Promise<Buffer> {
    const copy = this.copies.get(encoding) ?? COMPRESSORS[encoding](this.plain);
    this.copies.set(encoding, copy);
    return copy;
  }
}
