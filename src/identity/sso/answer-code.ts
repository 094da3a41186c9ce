import { createHash, randomBytes } from 'node:crypto';
import { hashSecret } from '../../kernel/common/secrets.js';

/**
 * A code for the browser that brought the answer of an identity provider. Without it, an attacker could begin a login,
 * let the browser of a victim fetch the answer, and end the login as the victim in the browser in which it began.
 */
export function newAnswerCode(): string {
  return randomBytes(20).toString('hex');
}

/**
 * The stored browser of an answered login: the hash of the browser in which it began, and of the code for its answer. The
 * statements that store the answers compute the same.
 */
export function boundBrowser(browser: Buffer | undefined, code: string): Buffer | undefined {
  return browser && createHash('sha256').update(browser).update(hashSecret(code)).digest();
}
