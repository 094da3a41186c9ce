import { constants, createHmac, sign, type KeyObject } from 'node:crypto';
import type { Wish } from '../identity-provider.js';

/** One way to cheat: what the identity provider is made to say, and what is changed on the way back. */
export interface Case {
  readonly name: string;
  /** What the page says. */
  readonly reason: RegExp;
  /** What it lets administrators compare, by its name: what was expected of this provider, and what was received. */
  readonly compared?: (provider: {
    readonly issuer: string;
    readonly clientID: string;
  }) => Readonly<Record<string, readonly [expected: unknown, came: unknown]>>;
  readonly wish?: Wish;
  /** Changes what the browser brings back. */
  readonly change?: (back: URL) => void;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with a header and claims, signed by a key as its header says or by `algorithm`; by none it has no signature. */
export function token(header: Readonly<Record<string, unknown>>, claims: object, key?: KeyObject | string): string {
  const text = `${part(header)}.${part(claims)}`;
  if (key === undefined) return `${text}.`;
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(text).digest()
      : sign('sha256', Buffer.from(text), { key, padding: constants.RSA_PKCS1_PADDING });
  return `${text}.${signature.toString('base64url')}`;
}

/** An honest token with other claims; those that are undefined are left out. */
export const withClaims = (
  changes: (claims: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Wish => ({
  idToken: ({ header, claims }, { own }) => token(header, { ...claims, ...changes(claims) }, own),
});
