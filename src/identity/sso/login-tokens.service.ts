import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { actAs, currentContext } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { randomCharacters } from '../../kernel/common/ids.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { RateLimit } from '../../kernel/platform/rate-limit/rate-limit.js';
import { Sessions, type BegunSession } from '../sessions/sessions.service.js';
import { Tokens } from '../users/tokens.service.js';
import type { User } from '../users/user.entity.js';
import { Users } from '../users/users.service.js';
import { LoginCode } from './login-code.entity.js';
import { LoginToken } from './login-token.entity.js';

const TOKEN_LIFE = 12 * 3600_000;
const CODE_LIFE = 60_000;
const CODE_LENGTH = 40;

/** A completed login: user, organization and provider. */
export interface Login {
  readonly userId: string;
  readonly organizationId: string;
  readonly providerId: string;
  /** The end of the session at the identity provider; null if it states none. */
  readonly sessionUntil: Date | null;
}

export interface SessionToken {
  readonly user: User;
  readonly organizationId: string;
  readonly organizationTitle: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** Issues the result of a login: a token limited to one organization, at once or in exchange for a code. */
@Injectable()
export class LoginTokens {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly users: Users,
    private readonly tokens: Tokens,
    private readonly sessions: Sessions,
    private readonly limit: RateLimit,
  ) {}

  /**
   * Issues a token for twelve hours or the rest of the session, in the ambient transaction: people who are removed at
   * the identity provider lose access by then.
   */
  async issue({ userId, organizationId, providerId, sessionUntil }: Login): Promise<SessionToken> {
    const expiresAt = this.endOf(TOKEN_LIFE, sessionUntil);
    const { row, secret } = await this.tokens.issue(userId, { name: 'Single sign-on', organizationId, expiresAt });
    await this.database.of(LoginToken).insert({ tokenId: row.id, providerId });
    const organization = await this.database.one<{ title: string }>('SELECT title FROM organization WHERE id = $1', [
      organizationId,
    ]);
    return {
      user: await this.users.get(userId),
      organizationId,
      organizationTitle: organization?.title ?? '',
      token: secret,
      expiresAt,
    };
  }

  /** Begins a session in the workspace, in the ambient transaction, which ends as the token would. */
  async beginSession({ userId, organizationId, providerId, sessionUntil }: Login): Promise<BegunSession> {
    const begun = await this.sessions.begin({ userId, method: 'sso', organizationId, until: sessionUntil }, undefined);
    await this.database.of(LoginToken).insert({ tokenId: begun.id, providerId });
    return begun;
  }

  /** Issues a code for a token, valid for a minute or the rest of the session; only its hash is stored. */
  async issueCode({ userId, organizationId, providerId, sessionUntil }: Login): Promise<string> {
    const now = this.clock.now();
    const code = randomCharacters(CODE_LENGTH);
    await this.database.execute('DELETE FROM login_code WHERE expires_at <= $1', [now]);
    await this.database.of(LoginCode).insert({
      hash: hashSecret(code),
      providerId,
      organizationId,
      userId,
      expiresAt: this.endOf(CODE_LIFE, sessionUntil),
      sessionUntil,
    });
    return code;
  }

  /**
   * Exchanges a code for a token, once. Throws `notFound` for every other text, and charges the failure to the address.
   */
  async exchange(code: string): Promise<SessionToken> {
    const ip = currentContext()?.ip;
    this.limit.checkSecretAttempts(ip);
    const made = await this.database.transaction(async () => {
      const login = await this.database.one<Login & Record<string, unknown>>(
        `DELETE FROM login_code WHERE hash = $1 AND expires_at > $2 RETURNING user_id AS "userId", organization_id AS "organizationId", provider_id AS "providerId", session_until AS "sessionUntil"`,
        [hashSecret(code), this.clock.now()],
      );
      if (!login) return undefined;
      actAs({ type: 'user', id: login.userId });
      return this.issue(login);
    });
    if (made) return made;
    this.limit.failedSecret(ip);
    throw notFound('Code');
  }

  /** The end of a validity that begins now: at the latest with the session. */
  private endOf(life: number, sessionUntil: Date | null): Date {
    const latest = this.clock.now().getTime() + life;
    return new Date(Math.min(latest, sessionUntil?.getTime() ?? latest));
  }
}
