import { randomCharacters } from '../../kernel/common/ids.js';
import { hashSecret, type Secrets } from '../../kernel/common/secrets.js';

const SECRET_LENGTH = 40;

/** Creates a secret in both stored forms: found by its hash, read back by decryption. */
export function newInviteSecret(secrets: Secrets): {
  readonly secret: string;
  readonly hash: Buffer;
  readonly sealed: Buffer;
} {
  const secret = randomCharacters(SECRET_LENGTH);
  return { secret, hash: hashSecret(secret), sealed: secrets.encrypt(secret) };
}
