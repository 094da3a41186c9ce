import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { currentContext, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Tokens } from '../users/tokens.service.js';
import { userFacts } from '../users/users.schema.js';
import { BrowserSession } from './browser-session.entity.js';
import type { OwnSession, SessionFacts } from './sessions.schema.js';
import type { SignInMethod } from './sign-in-method.js';

const DAY_MS = 86_400_000;
const SESSION_DAYS = 30;
/** Logins through an identity provider end early: people who are removed there lose access by then. */
const SSO_MS = 12 * 3600_000;
const LONGEST_USER_AGENT = 500;

/** Somebody who has proved who they are. */
export interface SignIn {
  readonly userId: string;
  readonly method: SignInMethod;
  /** The only organization in which the session may act. */
  readonly organizationId: string | null;
  /** An end before that of all sessions of the kind. */
  readonly until?: Date | null;
}

/** A new session with its secret, which only the browser keeps. */
export interface BegunSession {
  readonly id: string;
  readonly secret: string;
  /** Seconds until the session ends. */
  readonly seconds: number;
}

const LISTED = `s.token_id AS id, s.method, s.user_agent AS "userAgent", s.ip, t.organization_id AS "organizationId", t.created_at AS "createdAt",
  t.last_used_at AS "lastUsedAt", t.expires_at AS "expiresAt"`;
const FROM = 'FROM browser_session s JOIN api_token t ON t.id = s.token_id';
/** The sessions of $1 that are limited to the organization $2, or all where that is null. */
const OWN = 't.user_id = $1 AND ($2::text IS NULL OR t.organization_id = $2)';
/** The sessions of $1 that reach nothing beyond the organization $2. */
const WITHIN = `t.user_id = $1 AND (t.organization_id = $2 OR t.organization_id IS NULL
  AND NOT EXISTS (SELECT FROM member o WHERE o.user_id = $1 AND o.organization_id <> $2 AND NOT o.disabled))`;

/** Sessions of browsers: tokens of a kind of their own, which only cookies hold. */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly tokens: Tokens,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Begins a session, in the ambient transaction or one of its own, and ends the one that the browser had: its secret is
   * new with each sign-in, so nobody can know it before.
   */
  begin(signIn: SignIn, former: string | undefined): Promise<BegunSession> {
    const { userId, method, organizationId, until } = signIn;
    return this.database.transaction(async () => {
      if (former !== undefined) await this.endFormer(former);
      const now = this.clock.now().getTime();
      const longest = now + (method === 'sso' ? SSO_MS : SESSION_DAYS * DAY_MS);
      const expiresAt = new Date(Math.min(longest, until?.getTime() ?? longest));
      const { row, secret } = await this.tokens.issueForSession({ userId, organizationId, expiresAt });
      const context = currentContext();
      await this.database.of(BrowserSession).insert({
        tokenId: row.id,
        method,
        userAgent: context?.userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
        ip: context?.ip ?? null,
      });
      await this.outbox.record({
        type: 'session_created',
        organizationId,
        target: row.id,
        payload: { userId, method, ...(organizationId !== null && { onlyOrganizationId: organizationId }) },
      });
      return { id: row.id, secret, seconds: (expiresAt.getTime() - now) / 1000 };
    });
  }

  /** The session of a request. Throws `unauthenticated` for a request with an API token. */
  async current(tokenId: string): Promise<OwnSession> {
    const session = await this.database.one<OwnSession & Record<string, unknown>>(
      `SELECT s.token_id AS id, s.method, t.organization_id AS "organizationId", t.created_at AS "createdAt", t.expires_at AS "expiresAt", ${userFacts('a')} AS user
         ${FROM} JOIN account a ON a.id = t.user_id WHERE s.token_id = $1`,
      [tokenId],
    );
    if (!session)
      throw new DomainError('unauthenticated', 'This is not a request of a session in a browser', [], {
        'WWW-Authenticate': 'Bearer realm="bindery"',
      });
    return session;
  }

  /** Lists the sessions of the caller, latest first; in a limited session or with a limited token those of that organization. */
  list({ userId, organizationId }: Caller, request: PageRequest): Promise<Page<SessionFacts>> {
    return this.listed(['sessions', userId, organizationId ?? ''], OWN, [userId, organizationId ?? null], request);
  }

  /** Lists the sessions of a member that reach nothing beyond the organization. Throws `notFound` for others. */
  async listOfMember(organizationId: string, userId: string, request: PageRequest): Promise<Page<SessionFacts>> {
    await this.requireMember(organizationId, userId);
    return this.listed(['member-sessions', organizationId, userId], WITHIN, [userId, organizationId], request);
  }

  /** Ends one session of the caller; without effect where there is none. */
  async end({ userId, organizationId }: Caller, id: string): Promise<void> {
    await this.remove(`${OWN} AND t.id = $3`, [userId, organizationId ?? null, id]);
  }

  /** Ends all sessions of the caller but that of the request. */
  async endOthers({ userId, organizationId, tokenId }: Caller): Promise<void> {
    await this.remove(`${OWN} AND t.id <> $3`, [userId, organizationId ?? null, tokenId]);
  }

  /** Ends the sessions of a member that reach nothing beyond the organization. */
  async endOfMember(organizationId: string, userId: string): Promise<void> {
    await this.requireMember(organizationId, userId);
    await this.remove(WITHIN, [userId, organizationId]);
  }

  /** Removes the sessions that are over, and returns their number. */
  removeExpired(): Promise<number> {
    return this.tokens.endExpiredSessions();
  }

  private async requireMember(organizationId: string, userId: string): Promise<void> {
    const member = await this.database.one('SELECT FROM member WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      userId,
    ]);
    if (!member) throw notFound('Member');
  }

  private listed(
    scope: readonly string[],
    which: string,
    values: readonly unknown[],
    request: PageRequest,
  ): Promise<Page<SessionFacts>> {
    return this.pages.list<SessionFacts & Record<string, unknown>>(request, {
      scope: [...scope],
      select: LISTED,
      from: `${FROM} WHERE ${which} AND t.expires_at > $3`,
      values: [...values, this.clock.now()],
      order: [
        { expression: 't.created_at', type: 'timestamptz' },
        { expression: 't.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /** Ends the session that a browser had, by its secret. */
  async endFormer(secret: string): Promise<void> {
    await this.remove('t.hash = $1', [hashSecret(secret)]);
  }

  /** Ends sessions at once; they are those of one person. */
  private async remove(which: string, values: readonly unknown[]): Promise<void> {
    await this.database.transaction(async () => {
      const ended = await this.database.query<{ id: string; userId: string; organizationId: string | null }>(
        `SELECT t.id, t.user_id AS "userId", t.organization_id AS "organizationId" ${FROM} WHERE ${which} ORDER BY t.id FOR UPDATE OF t`,
        values,
      );
      const [first] = ended;
      if (!first) return;
      await this.tokens.end(ended.map(({ id }) => id));
      const isLimited = ended.every(({ organizationId }) => organizationId === first.organizationId);
      await this.outbox.record({
        type: 'sessions_ended',
        organizationId: isLimited ? first.organizationId : null,
        target: first.id,
        payload: { userId: first.userId, ended: ended.length },
      });
    });
  }
}
