import { Inject, Injectable } from '@nestjs/common';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { Clock } from '../../kernel/common/clock.js';
import { parseUnambiguous } from '../../kernel/common/json-names.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';

/** Longer tokens are refused without inspection. */
const MAX_LENGTH = 8192;
const ISSUER = 'urn:bindery';
/** The uses of this service's tokens: readers on the API, members who view a site, and who preview a change request. */
export type TokenUse = 'reader' | 'member' | 'request-preview';

/** The content of a valid token. */
export interface TokenClaims {
  readonly claims: Readonly<Record<string, unknown>>;
  /** Seconds since 1970. */
  readonly until: number;
}

/**
 * Signs and checks JWTs: only HS256, a header without other parameters, a required expiry, no duplicate names. Any
 * other token is invalid.
 */
@Injectable()
export class VisitorTokens {
  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'visitorTokenMaxMinutes'>,
  ) {}

  /**
   * The claims of a token that a customer signed with a key; undefined if it is invalid, or valid for longer than the
   * setting allows.
   */
  async read(token: string, key: Uint8Array): Promise<TokenClaims | undefined> {
    const found = isPlain(token) ? await this.verified(token, key) : undefined;
    return found && found.until <= this.after(60 * this.config.visitorTokenMaxMinutes) ? found : undefined;
  }

  /** Tells whether a text is, or claims to be, a token of this service. */
  isOwn(token: string): boolean {
    return isPlain(token) && issuerOf(token) === ISSUER;
  }

  async readOwn(use: TokenUse, token: string): Promise<TokenClaims | undefined> {
    if (!this.isOwn(token)) return undefined;
    for (const key of this.secrets.subkeysOf('reader-token')) {
      const found = await this.verified(token, key);
      if (found) return found.claims['aud'] === use ? found : undefined;
    }
    return undefined;
  }

  /** Signs a token of this service with an expiry (seconds since 1970). */
  async sign(use: TokenUse, claims: Readonly<Record<string, unknown>>, until: number): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(use)
      .setExpirationTime(until)
      .sign(this.secrets.subkey('reader-token'));
  }

  /** The time, in seconds since 1970, after so many seconds. */
  after(seconds: number): number {
    return Math.floor(this.clock.now().getTime() / 1000) + seconds;
  }

  private async verified(token: string, key: Uint8Array): Promise<TokenClaims | undefined> {
    try {
      const { payload } = await jwtVerify<JWTPayload>(token, key, {
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
        currentDate: this.clock.now(),
      });
      return { claims: payload, until: payload.exp ?? 0 };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
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

function issuerOf(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
