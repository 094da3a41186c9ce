import { Injectable } from '@nestjs/common';
import type { FindOptionsWhere } from 'typeorm';
import { InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { Clock } from '../../kernel/common/clock.js';
import { actAs } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { newId, randomCharacters } from '../../kernel/common/ids.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { ApiToken } from '../users/token.entity.js';
import { Tokens } from '../users/tokens.service.js';
import { OauthGrant } from './oauth-grant.entity.js';

const SECRET_LENGTH = 40;
const CODE_MILLISECONDS = 60_000;
const ACCESS_MILLISECONDS = 3_600_000;
/** A client that was not used for so long asks its user again. */
const REFRESH_MILLISECONDS = 30 * 24 * 3_600_000;
/** Clients register when somebody is about to let them in, and again when they are no longer known. */
const CLIENT_MILLISECONDS = 24 * 3_600_000;

/** Access that a person grants to a client. */
export interface NewGrant {
  readonly clientId: string;
  readonly userId: string;
  readonly organizationId: string | undefined;
  readonly scopes: readonly string[];
  readonly endsAt: Date | null;
  readonly redirectUri: string;
  readonly challenge: string;
}

/** The tokens of a client; `expiresIn` in seconds. */
export interface ClientTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly scopes: readonly string[];
}

/**
 * Grants of people to clients. A code and each refresh token are good once: one that comes again was stolen, or was
 * the client's while the thief has the other, so the whole grant ends (OAuth 2.1, 4.1.3 and 4.3.1). Access tokens are API
 * tokens, marked with the name of the client as those of an agent; a grant keeps one, whose secret is renewed.
 */
@Injectable()
export class OauthGrants {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly tokens: Tokens,
  ) {}

  /** Stores a grant and returns its code. */
  async grant(given: NewGrant): Promise<string> {
    const now = this.clock.now();
    const code = randomCharacters(SECRET_LENGTH);
    await this.database.of(OauthGrant).insert({
      ...given,
      id: newId(now.getTime()),
      organizationId: given.organizationId ?? null,
      scopes: [...given.scopes],
      codeHash: hashSecret(code),
      codeExpiresAt: new Date(now.getTime() + CODE_MILLISECONDS),
      tokenId: null,
      refreshHash: null,
      refreshExpiresAt: null,
      createdAt: now,
    });
    return code;
  }

  /** The challenge of a code. Throws `InvalidGrantError` for one that is not the client's. */
  async challengeOf(clientId: string, code: string): Promise<string> {
    const row = await this.database.of(OauthGrant).findOneBy({ clientId, codeHash: hashSecret(code) });
    if (!row) throw new InvalidGrantError('The code is not valid');
    return row.challenge;
  }

  /** Exchanges a code whose verifier was checked. Throws `InvalidGrantError`. */
  async exchange(clientId: string, clientName: string, code: string, redirectUri?: string): Promise<ClientTokens> {
    const outcome = await this.database.transaction(async () => {
      const row = await this.locked({ clientId, codeHash: hashSecret(code) });
      if (!row) return 'The code is not valid';
      if (row.tokenId !== null) {
        await this.end(row);
        return 'The code was used before: the access that it gave has ended';
      }
      if (row.codeExpiresAt <= this.clock.now()) return 'The code has expired';
      if (redirectUri !== undefined && redirectUri !== row.redirectUri)
        return 'The code was sent to another redirect_uri';
      actAs({ type: 'user', id: row.userId });
      const { row: token, secret } = await this.tokens.issue(row.userId, {
        name: clientName,
        agent: clientName,
        scopes: row.scopes,
        organizationId: row.organizationId ?? undefined,
        expiresAt: this.accessEnd(row),
      });
      return this.renewed({ ...row, tokenId: token.id }, secret, token.expiresAt);
    });
    return valid(outcome);
  }

  /** Exchanges a refresh token for new tokens. Throws `InvalidGrantError`. */
  async refresh(clientId: string, refreshToken: string, scopes?: readonly string[]): Promise<ClientTokens> {
    const [id = ''] = refreshToken.split('.', 1);
    const outcome = await this.database.transaction(async () => {
      const row = await this.locked({ clientId, id });
      if (!row || row.tokenId === null || row.refreshHash === null) return 'The refresh token is not valid';
      if (!row.refreshHash.equals(hashSecret(refreshToken))) {
        await this.end(row);
        return 'The refresh token was used before: the access has ended';
      }
      const wider = scopes?.find((scope) => !row.scopes.includes(scope));
      if (wider !== undefined) return `The scope ${wider} was not granted`;
      const now = this.clock.now();
      const last = row.refreshExpiresAt;
      if ((last && last <= now) || (row.endsAt && row.endsAt <= now)) return 'The refresh token has expired';
      const expiresAt = this.accessEnd(row);
      const secret = await this.tokens.renew(row.tokenId, expiresAt);
      return this.renewed(row, secret, expiresAt);
    });
    return valid(outcome);
  }

  /** Ends the grant of an access or refresh token; does nothing for any other text. */
  async revoke(clientId: string, token: string): Promise<void> {
    const [id = ''] = token.split('.', 1);
    const hash = hashSecret(token);
    await this.database.transaction(async () => {
      const access = await this.database.of(ApiToken).findOneBy({ hash });
      const row = await this.locked(access ? { clientId, tokenId: access.id } : { clientId, id, refreshHash: hash });
      if (row) await this.end(row);
    });
  }

  /** Removes codes that nobody exchanged, grants that were not used for a month, and clients without any. */
  async removeUnused(): Promise<number> {
    const now = this.clock.now();
    const expired = await this.database.query<{ tokenId: string }>(
      'SELECT token_id AS "tokenId" FROM oauth_grant WHERE refresh_expires_at <= $1 LIMIT 10000',
      [now],
    );
    const ended = await this.tokens.end(expired.map(({ tokenId }) => tokenId));
    const codes = await this.database.execute(
      'DELETE FROM oauth_grant WHERE token_id IS NULL AND code_expires_at <= $1',
      [new Date(now.getTime() - ACCESS_MILLISECONDS)],
    );
    const clients = await this.database.execute(
      'DELETE FROM oauth_client c WHERE c.created_at <= $1 AND NOT EXISTS (SELECT FROM oauth_grant g WHERE g.client_id = c.id)',
      [new Date(now.getTime() - CLIENT_MILLISECONDS)],
    );
    return ended + codes + clients;
  }

  /** Finds a grant and locks it, in the ambient transaction. */
  private locked(where: FindOptionsWhere<OauthGrant>): Promise<OauthGrant | null> {
    return this.database.of(OauthGrant).findOne({ where, lock: { mode: 'pessimistic_write' } });
  }

  /** The end of an access token that is issued now. */
  private accessEnd({ endsAt }: OauthGrant): Date {
    const end = new Date(this.clock.now().getTime() + ACCESS_MILLISECONDS);
    return endsAt && endsAt < end ? endsAt : end;
  }

  private async renewed(row: OauthGrant, accessToken: string, expiresAt: Date | null): Promise<ClientTokens> {
    const now = this.clock.now().getTime();
    const refreshToken = `${row.id}.${randomCharacters(SECRET_LENGTH)}`;
    await this.database.of(OauthGrant).update(row.id, {
      tokenId: row.tokenId,
      refreshHash: hashSecret(refreshToken),
      refreshExpiresAt: new Date(now + REFRESH_MILLISECONDS),
    });
    const expiresIn = Math.max(0, Math.floor(((expiresAt?.getTime() ?? now) - now) / 1000));
    return { accessToken, refreshToken, expiresIn, scopes: row.scopes };
  }

  /** Ends a grant with its access token. */
  private async end({ id, userId, tokenId }: OauthGrant): Promise<void> {
    if (tokenId !== null) await this.tokens.revoke(userId, tokenId);
    await this.database.of(OauthGrant).delete(id);
  }
}

/** The tokens; throws a text as the reason against them, after the transaction that may have ended a grant. */
function valid(outcome: ClientTokens | string): ClientTokens {
  if (typeof outcome === 'string') throw new InvalidGrantError(outcome);
  return outcome;
}
