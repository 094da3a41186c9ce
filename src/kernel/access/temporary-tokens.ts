import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import type { Caller } from '../common/context.js';
import { issuerOf, signedJwt, verifiedJwt } from '../common/plain-jwt.js';
import { Secrets } from '../common/secrets.js';
import { Access, type TokenAccess } from './access.service.js';
import { includesScope } from './permissions.js';

const ISSUER = 'urn:bindery:temporary';
const AUDIENCE = 'api';
const SECONDS = 3600;

/** A token or session in whose name a temporary token acts, with what is left of its scopes and time. */
type Delegated = TokenAccess & { readonly scopes: string[]; readonly expiresAt: Date };

/**
 * Signed tokens that act for an hour in the name of another token or of a session, within a few scopes. They are stored
 * nowhere, and end with the one that they were made with.
 */
@Injectable()
export class TemporaryTokens {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
  ) {}

  /** Tells whether a text is, or claims to be, such a token. */
  isOwn(secret: string): boolean {
    return issuerOf(secret) === ISSUER;
  }

  /** Issues a token that acts for a caller within those of the scopes that the caller has. */
  issue(caller: Caller, scopes: readonly string[]): Promise<string> {
    const held = caller.scopes ? scopes.filter((scope) => includesScope(caller.scopes ?? [], scope)) : scopes;
    const claims = { sub: caller.userId, sid: caller.tokenId, scope: held.join(' ') };
    const until = Math.floor(this.clock.now().getTime() / 1000) + SECONDS;
    return signedJwt({ issuer: ISSUER, audience: AUDIENCE, claims, until }, this.secrets.subkey('temporary-token'));
  }

  /** The access that a token grants; undefined for one that is forged, or that has ended, alone or with its origin. */
  async holderOf(secret: string): Promise<Delegated | undefined> {
    const now = this.clock.now();
    for (const key of this.secrets.subkeysOf('temporary-token')) {
      const found = await verifiedJwt(secret, key, now);
      if (!found) continue;
      const { sid, scope } = found.claims as { readonly sid: string; readonly scope: string };
      const token = await this.access.tokenById(sid);
      if (!token || (token.expiresAt && token.expiresAt <= now)) return undefined;
      const end = new Date(found.until * 1000);
      const expiresAt = token.expiresAt && token.expiresAt < end ? token.expiresAt : end;
      return { ...token, scopes: scope.split(' '), expiresAt };
    }
    return undefined;
  }
}
