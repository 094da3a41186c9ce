import { createHash, hash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { ownBytes, textBytes } from '../../../kernel/common/cache.js';
import { brotliBeginning, brotliRest } from './brotli-rest.js';

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
const LARGEST_STORED = 65_535;

/** Compresses off the event loop. */
const deflated: (bytes: Buffer, options: ZlibOptions) => Promise<Buffer> = promisify(deflateRaw);

/**
 * A placeholder for the nonce of a response. It cannot be guessed outside of this process, so nobody can write it into
 * a page.
 */
export const NONCE_MARK = randomBytes(24).toString('hex');

const NONCE_BYTES = 16;
/** Characters in base64url. */
const NONCE_LENGTH = 22;
const NONCES_AT_ONCE = 256;
/** Bytes for nonces to come: drawing random ones costs more than a nonce. */
let random = Buffer.alloc(0);

/** The nonce of a response: its length is always the same. */
export function newNonce(): string {
  if (random.length === 0) random = randomBytes(NONCE_BYTES * NONCES_AT_ONCE);
  const nonce = random.toString('base64url', 0, NONCE_BYTES);
  random = random.subarray(NONCE_BYTES);
  return nonce;
}

export const HTML_MEDIA_TYPE = 'text/html; charset=utf-8';

/** A page as it is stored: bytes that need no nonce. */
export interface PackedHtml {
  /** The beginning, without the nonces between its parts. */
  readonly start: readonly string[];
  readonly etag: string;
  /** Bytes of the rest, of which `deflated` and, where a reader has asked for it, `brotli` are the compressed forms. */
  readonly length: number;
  readonly deflated: Buffer;
  readonly brotli?: Buffer;
}

/**
 * A page as text, of which only the beginning contains the nonce of a response. The rest is cached as bytes, plain and
 * compressed: each response prepends the beginning, in a gzip stream as a stored block of its own (RFC 1951, 3.2.4), in
 * a brotli stream as an uncompressed one.
 */
export class HtmlBody {
  /** The beginning, without the nonces between its parts. */
  private readonly start: readonly string[];
  private readonly length: number;
  /** The rest, as it is or as it was packed. */
  private known: Buffer | undefined;
  private readonly packed: Buffer | undefined;
  private nonce: string | undefined;
  private deflating: Promise<Buffer> | undefined;
  private brotliRest: Promise<Buffer | undefined> | undefined;
  /** Depends on the content of the page, not on the nonce. */
  readonly etag: string;

  constructor(html: string | PackedHtml) {
    if (typeof html !== 'string') {
      this.start = html.start;
      this.etag = html.etag;
      this.length = html.length;
      this.deflating = Promise.resolve(html.deflated);
      this.packed = html.deflated;
      if (html.brotli) this.brotliRest = Promise.resolve(html.brotli);
      return;
    }
    // Behind the nonce stand the quote and what follows it: the same bytes end the beginning, whatever the nonce.
    const cut = html.lastIndexOf(NONCE_MARK) + NONCE_MARK.length + 2;
    // A copy: a slice would retain the whole text.
    this.start = Buffer.from(html.slice(0, cut)).toString().split(NONCE_MARK);
    this.known = ownBytes(Buffer.from(html.slice(cut)));
    this.length = this.known.length;
    this.etag = `W/"${createHash('sha256').update(this.start.join('')).update(this.known).digest('base64url').slice(0, 22)}"`;
  }

  /** The nonce of all answers with this page: for caches that send one page to many, and tell each that it has not changed. */
  get ownNonce(): string {
    return (this.nonce ??= hash('sha256', `nonce ${this.etag}`, 'base64url').slice(0, NONCE_LENGTH));
  }

  /** Approximate size in memory, in bytes. */
  get size(): number {
    return this.length + (this.length >> 1) + textBytes(this.start.join(''));
  }

  /** The parts of the page. */
  plain(nonce: string): readonly Buffer[] {
    return [this.beginning(nonce), this.rest];
  }

  async gzip(nonce: string): Promise<readonly Buffer[]> {
    const first = this.beginning(nonce);
    const rest = await this.deflated();
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(this.rest, crc32(first)), 0);
    trailer.writeUInt32LE((first.length + this.length) >>> 0, 4);
    return [GZIP_HEADER, blockOf(first), rest, trailer];
  }

  /** Undefined where the beginning is too long for it. */
  async brotli(nonce: string): Promise<readonly Buffer[] | undefined> {
    const first = this.beginning(nonce);
    const rest = await (this.brotliRest ??= brotliRest(first, this.rest).then((rest) => rest && ownBytes(rest)));
    return rest && [brotliBeginning(first), rest];
  }

  /** The page as it is stored. */
  async pack(): Promise<PackedHtml> {
    const { start, etag, length } = this;
    const brotli = await this.brotliRest;
    return { start, etag, length, deflated: await this.deflated(), ...(brotli && { brotli }) };
  }

  private get rest(): Buffer {
    return (this.known ??= inflateRawSync(this.packed ?? Buffer.alloc(0)));
  }

  private deflated(): Promise<Buffer> {
    return (this.deflating ??= deflated(this.rest, { level: 6 }).then(ownBytes));
  }

  private beginning(nonce: string): Buffer {
    return Buffer.from(this.start.join(nonce));
  }
}

/** Bytes as blocks of a deflate stream that continues. */
function blockOf(bytes: Buffer): Buffer {
  if (bytes.length > LARGEST_STORED) return deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });
  const header = Buffer.alloc(5);
  header.writeUInt16LE(bytes.length, 1);
  header.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return Buffer.concat([header, bytes]);
}
