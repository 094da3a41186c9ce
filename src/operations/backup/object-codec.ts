import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { DamagedBackup } from './damaged-backup.js';

/** How objects of a backup are written: encrypted, or as they are. */
export interface ObjectCodec {
  /** The name that an object with this SHA-256 of its content has, in hexadecimal. */
  idOf(digest: Buffer): string;
  /** The bytes that are stored for a content. */
  encode(name: string, content: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
  /** The content of stored bytes. Throws `DamagedBackup` if they are not those that were written under this name. */
  decode(name: string, stored: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
  /** The number of stored bytes for a content of so many. */
  storedSize(size: number): number;
}

/** Objects that anybody can read who can read the target. */
export const PLAIN: ObjectCodec = {
  idOf: (digest) => digest.toString('hex'),
  encode: (_, content) => content,
  decode: (_, stored) => stored,
  storedSize: (size) => size,
};

const MARK = Buffer.from('BDB1');
const SALT_LENGTH = 32;
const FRAME_LENGTH = 1024 ** 2;
const TAG_LENGTH = 16;
const NONCE_LENGTH = 12;
const KEY_LENGTH = 32;

/**
 * AES-256-GCM in frames. An object is `BDB1`, a salt of 32 bytes and frames of 1 MiB, the last one shorter, each followed
 * by its tag. HKDF-SHA256 makes a key for each object from the salt and its name, so that no object passes for another.
 * The nonce of a frame is its number, and says which one is the last, so that none can be left out, moved or added. The
 * name of an object is an HMAC of the hash of its content, which tells nobody what is stored.
 */
export class EncryptedCodec implements ObjectCodec {
  private readonly contentKey: Buffer;
  private readonly nameKey: Buffer;

  constructor(masterKey: Buffer) {
    this.contentKey = derive(masterKey, '', 'bindery backup content');
    this.nameKey = derive(masterKey, '', 'bindery backup names');
  }

  idOf(digest: Buffer): string {
    return createHmac('sha256', this.nameKey).update(digest).digest('hex');
  }

  async *encode(name: string, content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    const salt = randomBytes(SALT_LENGTH);
    const key = this.keyOf(name, salt);
    yield Buffer.concat([MARK, salt]);
    for await (const { index, isLast, bytes } of framesOf(content, FRAME_LENGTH)) {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index, isLast));
      yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    }
  }

  async *decode(name: string, stored: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    const head = MARK.length + SALT_LENGTH;
    let key: Buffer | undefined;
    for await (const { index, isLast, bytes } of framesOf(stored, FRAME_LENGTH + TAG_LENGTH, head)) {
      if (index < 0) {
        if (bytes.length < head || !bytes.subarray(0, MARK.length).equals(MARK)) throw new DamagedBackup(name);
        key = this.keyOf(name, bytes.subarray(MARK.length));
      } else if (key) yield opened(name, key, nonceOf(index, isLast), bytes);
    }
  }

  storedSize(size: number): number {
    return MARK.length + SALT_LENGTH + size + TAG_LENGTH * Math.max(1, Math.ceil(size / FRAME_LENGTH));
  }

  private keyOf(name: string, salt: Buffer): Buffer {
    return derive(this.contentKey, salt, name);
  }
}

const derive = (key: Buffer, salt: Buffer | string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, purpose, KEY_LENGTH));

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_LENGTH);
  nonce.writeUInt32BE(index);
  nonce.writeUInt8(isLast ? 1 : 0, NONCE_LENGTH - 1);
  return nonce;
}

function opened(name: string, key: Buffer, nonce: Buffer, bytes: Buffer): Buffer {
  if (bytes.length < TAG_LENGTH) throw new DamagedBackup(name);
  const end = bytes.length - TAG_LENGTH;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_LENGTH });
  decipher.setAuthTag(bytes.subarray(end));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
  } catch (error) {
    throw new DamagedBackup(name, { cause: error });
  }
}

interface Frame {
  /** -1 for the head. */
  readonly index: number;
  readonly isLast: boolean;
  readonly bytes: Buffer;
}

/** Cuts bytes into a head of `head` bytes, if there is to be one, and frames of `length`, the last of which is shorter. */
async function* framesOf(source: AsyncIterable<Buffer>, length: number, head = 0): AsyncIterable<Frame> {
  let index = head > 0 ? -1 : 0;
  let parts: Buffer[] = [];
  let size = 0;
  const wanted = (): number => (index < 0 ? head : length);
  for await (const part of source) {
    parts.push(part);
    size += part.length;
    // A frame is the last one if nothing follows it.
    while (size > wanted()) {
      const all = Buffer.concat(parts);
      const bytes = all.subarray(0, wanted());
      parts = [all.subarray(wanted())];
      size -= bytes.length;
      yield { index: index++, isLast: false, bytes };
    }
  }
  yield { index, isLast: true, bytes: Buffer.concat(parts) };
}
