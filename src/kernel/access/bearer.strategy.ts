import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-http-bearer';
import { Clock } from '../common/clock.js';
import type { Caller } from '../common/context.js';
import { isId } from '../common/ids.js';
import { hashSecret } from '../common/secrets.js';
import type { TokenKind } from './access.points.js';
import type { Resolved } from './access.decorators.js';
import { Access, type TokenAccess } from './access.service.js';
import { LastSeen } from './last-seen.js';
import { NO_USER, Readers } from './readers.js';
import { TemporaryTokens } from './temporary-tokens.js';

type Found = Pick<Resolved, 'organization' | 'space'> & { readonly token: TokenAccess | undefined };

const NOT_FOUND: Found = { token: undefined };

/**
 * Finds the user of an API token by the token's hash and, in the same round trip, the organization or else the space
 * that the path names, as that user sees it. Revoked, expired and disabled tokens are refused at once. Temporary
 * tokens act for the token or session that they were made with. Reader tokens of published sites have no user; the
 * publishing modules resolve their access.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly lastSeen: LastSeen,
    private readonly readers: Readers,
    private readonly temporary: TemporaryTokens,
  ) {
    super({ realm: 'bindery', passReqToCallback: true });
  }

  async validate(request: Request, secret: string): Promise<Resolved | false> {
    if (this.readers.isReaderToken(secret)) {
      const reader = await this.readers.accessOf(secret);
      return reader ? { caller: NO_USER, reader } : false;
    }
    if (this.temporary.isOwn(secret)) {
      const token = await this.temporary.holderOf(secret);
      return token ? { caller: { ...callerOf(token), until: token.expiresAt } } : false;
    }
    return this.holder(request, secret, 'api');
  }

  /** The caller whose session a browser has, by the secret of the session; undefined for one that is over. */
  async session(request: Request, secret: string): Promise<Resolved | undefined> {
    return (await this.holder(request, secret, 'session')) || undefined;
  }

  private async holder(request: Request, secret: string, kind: TokenKind): Promise<Resolved | false> {
    const { token, ...named } = await this.find(hashSecret(secret), kind, request.params);
    const now = this.clock.now();
    if (!token || (token.expiresAt && token.expiresAt <= now)) return false;
    this.lastSeen.note(token.tokenId, token.userId, now);
    return { caller: callerOf(token), ...named };
  }

  private async find(hash: Buffer, kind: TokenKind, { organizationId, spaceId }: Request['params']): Promise<Found> {
    if (isId(organizationId)) return (await this.access.tokenInOrganization(hash, organizationId, kind)) ?? NOT_FOUND;
    if (isId(spaceId)) return (await this.access.tokenInSpace(hash, spaceId, kind)) ?? NOT_FOUND;
    return { token: await this.access.token(hash, kind) };
  }
}

function callerOf({ userId, tokenId, limitedTo, scopes, agent }: TokenAccess): Caller {
  return {
    userId,
    tokenId,
    organizationId: limitedTo ?? undefined,
    scopes: scopes ?? undefined,
    agent: agent ?? undefined,
  };
}
