import { Inject, Injectable } from '@nestjs/common';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { Clock } from '../../kernel/common/clock.js';
import { parseUnambiguous } from '../../kernel/common/json-names.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';

/** Longer ones are not looked at. */
const MAX_LENGTH = 8192;
const ISSUER = 'urn:bindery';
/** What this service gives tokens for: to readers on the API, to members who look at a site. */
export type TokenUse = 'reader' | 'member';

/** What a valid token says. */
export interface TokenClaims {
  readonly claims: Readonly<Record<string, unknown>>;
  /** Seconds since 1970. */
  readonly until: number;
}

/**
 * Signs and checks JWTs: HS256 and nothing else, a header that names nothing but that, an end of validity, no name twice. A
 * token that fails any of it is no token.
 */
@Injectable()
export class VisitorTokens {
  constructor(
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'visitorTokenMaxMinutes'>,
  ) {}

  /** What a token says that a customer signed with a key; undefined where it is not valid, or would be for longer than the setting lets it. */
  async read(token: string, key: Uint8Array): Promise<TokenClaims | undefined> {
    const found = isPlain(token) ? await this.verified(token, key) : undefined;
    return found && found.until <= this.after(60 * this.config.visitorTokenMaxMinutes) ? found : undefined;
  }

  /** Whether a text is, or pretends to be, a token of this service. */
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

  /** A token of this service that is valid until then (seconds since 1970). */
  async sign(use: TokenUse, claims: Readonly<Record<string, unknown>>, until: number): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(use)
      .setExpirationTime(until)
      .sign(this.secrets.subkey('reader-token'));
  }

  /** Seconds since 1970 at which something ends that begins now. */
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

/** Headers may say how keys are to be found: here there is one key, and a token that names another way is refused. */
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
