import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** The purpose of a subkey; each purpose has its own key, derived by HKDF from SECRET_KEY. */
export type KeyPurpose =
  | 'page-token'
  | 'file-url'
  | 'reader-token'
  | 'temporary-token'
  | 'reader-count'
  | 'published-page'
  | 'login'
  | 'session'
  | 'encryption'
  | 'key-id'
  | 'unsubscribe';

const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const KEY_ID_LENGTH = 8;
/** The prefix of sealed values, before the id of their key. */
export const SEALED_MARK = Buffer.from('BDS1');
/** Length of mark and id, which are the same for all values of a key. */
export const SEALED_PREFIX_LENGTH = SEALED_MARK.length + KEY_ID_LENGTH;

/** A value was sealed with a key that is not configured, or was damaged. */
export class UnreadableSecret extends Error {}

/**
 * Signs and encrypts with subkeys of the configured secret keys. The first key signs and
 * encrypts; all of them verify and decrypt, so keys can be rotated.
 */
export class Secrets {
  private readonly subkeys = new Map<string, Buffer>();

  constructor(private readonly keys: readonly string[]) {
    if (keys.length === 0) throw new RangeError('at least one secret key is needed');
  }

  /**
   * HMAC-SHA256 of a text as base64url, with the first key or the one with an id. Throws `RangeError` for an unknown
   * id.
   */
  sign(purpose: KeyPurpose, text: string, keyId?: string): string {
    const index = keyId === undefined ? 0 : this.keyIds.indexOf(keyId);
    if (index < 0) throw new RangeError('no configured key has this id');
    return this.hmac(purpose, index, text).toString('base64url');
  }

  /**
   * Tells whether a signature was made with any of the keys; takes the same time for every wrong one. The text of the
   * signature counts, not the bytes: base64url has four texts for the last byte of an HMAC, and one of them is ours.
   */
  verify(purpose: KeyPurpose, text: string, signature: string): boolean {
    const given = Buffer.from(signature);
    return this.keys.some((_, index) => {
      const expected = Buffer.from(this.hmac(purpose, index, text).toString('base64url'));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }

  /** Ids of the keys, in order: 16 hexadecimal digits that reveal nothing about a key. */
  get keyIds(): string[] {
    return this.keys.map((_, index) => this.keyId(index).toString('hex'));
  }

  /** The id of the key that encrypts and signs. */
  get firstKeyId(): string {
    return this.keyId(0).toString('hex');
  }

  /** The first bytes of all output of `encrypt`. */
  get sealedPrefix(): Buffer {
    return this.prefix(0);
  }

  /** AES-256-GCM; the layout is mark (4 bytes), id of the key (8), iv (12), tag (16), ciphertext. */
  encrypt(plain: string): Buffer {
    const iv = randomBytes(IV_LENGTH);
    const cipher = createCipheriv('aes-256-gcm', this.subkey('encryption', 0), iv).setAAD(this.sealedPrefix);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([this.sealedPrefix, iv, cipher.getAuthTag(), body]);
  }

  /** Decrypts output of `encrypt`. Throws `UnreadableSecret` if no key fits. */
  decrypt(sealed: Buffer): string {
    const plain = this.tryDecrypt(sealed);
    if (plain !== undefined) return plain;
    const id = sealedKeyId(sealed);
    throw new UnreadableSecret(
      id === '' ? 'no configured key opens the value' : `no configured key opens the value, which the key ${id} sealed`,
    );
  }

  /** Decrypts output of `encrypt`; undefined if no key fits. */
  tryDecrypt(sealed: Buffer): string | undefined {
    const index = this.keyIds.indexOf(sealedKeyId(sealed));
    if (index >= 0) return this.opened(sealed.subarray(SEALED_PREFIX_LENGTH), index, this.prefix(index));
    // Values from before keys had ids have no mark, or match it by coincidence.
    return this.keys.map((_, each) => this.opened(sealed, each)).find((text) => text !== undefined);
  }

  /** The raw subkey of the first key, for libraries that sign by themselves. */
  subkey(purpose: KeyPurpose, index = 0): Buffer {
    const name = `${purpose}:${index}`;
    let key = this.subkeys.get(name);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.keys[index] ?? '', 'bindery', purpose, 32));
      this.subkeys.set(name, key);
    }
    return key;
  }

  /** The raw subkeys of all keys, for libraries that verify by themselves; the first one signs. */
  subkeysOf(purpose: KeyPurpose): Buffer[] {
    return this.keys.map((_, index) => this.subkey(purpose, index));
  }

  private keyId(index: number): Buffer {
    return this.subkey('key-id', index).subarray(0, KEY_ID_LENGTH);
  }

  private prefix(index: number): Buffer {
    return Buffer.concat([SEALED_MARK, this.keyId(index)]);
  }

  private opened(sealed: Buffer, index: number, prefix: Buffer = Buffer.alloc(0)): string | undefined {
    if (sealed.length < IV_LENGTH + TAG_LENGTH) return undefined;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.subkey('encryption', index),
      sealed.subarray(0, IV_LENGTH),
    ).setAAD(prefix);
    decipher.setAuthTag(sealed.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH));
    try {
      return decipher.update(sealed.subarray(IV_LENGTH + TAG_LENGTH), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }

  private hmac(purpose: KeyPurpose, index: number, text: string): Buffer {
    return createHmac('sha256', this.subkey(purpose, index)).update(text).digest();
  }
}

/** The id of the key that a value was sealed with; '' for one from before keys had ids. */
export function sealedKeyId(sealed: Buffer): string {
  const isMarked = sealed.subarray(0, SEALED_MARK.length).equals(SEALED_MARK);
  return isMarked ? sealed.subarray(SEALED_MARK.length, SEALED_PREFIX_LENGTH).toString('hex') : '';
}

/** The form in which tokens and other secrets that are only compared are stored. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** A secret as it is, and as encoded in JSON and in URLs. */
export function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
}

/** Replaces secrets in a foreign text, in all their forms, by three asterisks. */
export function withoutSecrets(text: string, ...secrets: readonly (string | undefined)[]): string {
  const forms = secrets.flatMap((secret) => (secret === undefined || secret === '' ? [] : formsOf(secret)));
  return forms.reduce((masked, form) => masked.replaceAll(form, '***'), text);
}
