import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { issuerOf, signedJwt, verifiedJwt, type TokenClaims } from '../../kernel/common/plain-jwt.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';

const ISSUER = 'urn:bindery';
/** The uses of this service's tokens: readers on the API, members who view a site, and who preview a change request. */
export type TokenUse = 'reader' | 'member' | 'request-preview';

/** Signs and checks the JWTs of visitors. */
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
    const found = await verifiedJwt(token, key, this.clock.now());
    return found && found.until <= this.after(60 * this.config.visitorTokenMaxMinutes) ? found : undefined;
  }

  /** Tells whether a text is, or claims to be, a token of this service. */
  isOwn(token: string): boolean {
    return issuerOf(token) === ISSUER;
  }

  async readOwn(use: TokenUse, token: string): Promise<TokenClaims | undefined> {
    if (!this.isOwn(token)) return undefined;
    for (const key of this.secrets.subkeysOf('reader-token')) {
      const found = await verifiedJwt(token, key, this.clock.now());
      if (found) return found.claims['aud'] === use ? found : undefined;
    }
    return undefined;
  }

  /** Signs a token of this service with an expiry (seconds since 1970). */
  async sign(use: TokenUse, claims: Readonly<Record<string, unknown>>, until: number): Promise<string> {
    return signedJwt({ issuer: ISSUER, audience: use, claims, until }, this.secrets.subkey('reader-token'));
  }

  /** The time, in seconds since 1970, after so many seconds. */
  after(seconds: number): number {
    return Math.floor(this.clock.now().getTime() / 1000) + seconds;
  }
}
