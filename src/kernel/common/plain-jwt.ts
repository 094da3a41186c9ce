import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { parseUnambiguous } from './json-names.js';

/* JWTs of one rule: HS256 only, a header without other parameters, a required expiry, no duplicate names. */

/** Longer tokens are refused without inspection. */
const MAX_LENGTH = 8192;

/** The content of a valid token. */
export interface TokenClaims {
  readonly claims: Readonly<Record<string, unknown>>;
  /** Seconds since 1970. */
  readonly until: number;
}

export interface NewJwt {
  readonly issuer: string;
  readonly audience: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Seconds since 1970. */
  readonly until: number;
}

export async function signedJwt({ issuer, audience, claims, until }: NewJwt, key: Uint8Array): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(until)
    .sign(key);
}

/** The claims of a token that is signed with a key and has not expired; undefined for every other text. */
export async function verifiedJwt(token: string, key: Uint8Array, now: Date): Promise<TokenClaims | undefined> {
  if (!isPlain(token)) return undefined;
  try {
    const { payload } = await jwtVerify<JWTPayload>(token, key, {
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      currentDate: now,
    });
    return { claims: payload, until: payload.exp ?? 0 };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The issuer that a token names, without a look at its signature; undefined for what is no token of this rule. */
export function issuerOf(token: string): unknown {
  if (!isPlain(token)) return undefined;
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** Headers can say how keys are found: here there is one key, and a token with another rule is refused. */
function isPlain(token: string): boolean {
  if (token.length > MAX_LENGTH) return false;
  const [head, body, signature, ...more] = token.split('.');
  if (head === undefined || body === undefined || signature === undefined || more.length > 0) return false;
  try {
    const { alg, typ, ...others } = decodeProtectedHeader(token);
    const isKnown = alg === 'HS256' && (typ === undefined || typ === 'JWT') && Object.keys(others).length === 0;
    for (const part of [head, body]) parseUnambiguous(Buffer.from(part, 'base64url').toString());
    return isKnown;
  } catch {
    return false;
  }
}
