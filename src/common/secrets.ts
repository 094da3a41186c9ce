import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a subkey is for; each purpose has its own key, derived by HKDF from SECRET_KEY. */
export type KeyPurpose = 'page-token' | 'file-url' | 'reader-token' | 'encryption';

const IV_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * Signs and encrypts with subkeys of the configured secret keys. The first key signs and
 * encrypts; all of them verify and decrypt, so keys can be rotated.
 */
export class Secrets {
  private readonly subkeys = new Map<string, Buffer>();

  constructor(private readonly keys: readonly string[]) {
    if (keys.length === 0) throw new RangeError('at least one secret key is needed');
  }

  /** HMAC-SHA256 of a text as base64url. */
  sign(purpose: KeyPurpose, text: string): string {
    return this.hmac(purpose, 0, text).toString('base64url');
  }

  /** Whether a signature was made by any of the keys; takes the same time for every wrong one. */
  verify(purpose: KeyPurpose, text: string, signature: string): boolean {
    const given = Buffer.from(signature, 'base64url');
    return this.keys.some((_, index) => {
      const expected = this.hmac(purpose, index, text);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
  }

  /** AES-256-GCM; the layout is iv (12 bytes), tag (16 bytes), ciphertext. */
  encrypt(plain: string): Buffer {
    const iv = randomBytes(IV_LENGTH);
    const cipher = createCipheriv('aes-256-gcm', this.subkey('encryption', 0), iv);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]);
  }

  /** The text that `encrypt` was given; throws when no key fits. */
  decrypt(sealed: Buffer): string {
    for (const index of this.keys.keys()) {
      const decipher = createDecipheriv('aes-256-gcm', this.subkey('encryption', index), sealed.subarray(0, IV_LENGTH));
      decipher.setAuthTag(sealed.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH));
      try {
        return decipher.update(sealed.subarray(IV_LENGTH + TAG_LENGTH), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        continue;
      }
    }
    throw new Error('the value was encrypted with a key that is not configured any more');
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

  private hmac(purpose: KeyPurpose, index: number, text: string): Buffer {
    return createHmac('sha256', this.subkey(purpose, index)).update(text).digest();
  }
}

/** The form in which tokens and other secrets that are only compared are stored. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** A text of somebody else's in which three asterisks stand for secrets, also as JSON and addresses of the web write them. */
export function withoutSecrets(text: string, ...secrets: readonly (string | undefined)[]): string {
  const forms = secrets.flatMap((secret) => (secret === undefined || secret === '' ? [] : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]));
  return forms.reduce((masked, form) => masked.replaceAll(form, '***'), text);
}
