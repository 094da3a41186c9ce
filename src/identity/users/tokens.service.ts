import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { includesScope } from '../../kernel/access/permissions.js';
import { newId, randomCharacters } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import type { EventPayload } from '../../kernel/platform/manifest/events.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { ApiToken } from './token.entity.js';
import type { ShownToken } from './users.schema.js';

const PREFIX = 'bdy_';
const SESSION_PREFIX = 'bds_';
const SESSION_NAME = 'Session in a browser';
const RANDOM_LENGTH = 40;
const HINT_LENGTH = 8;

export interface NewToken {
  readonly name: string;
  readonly expiresAt?: Date | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly organizationId?: string | undefined;
  /** The name of the agent that will use it: what the token does is marked with it. */
  readonly agent?: string | undefined;
  /** A secret that was chosen elsewhere, instead of a generated one. */
  readonly secret?: string | undefined;
}

/** The token of a session, which only the cookie of a browser holds. */
export interface NewSessionToken {
  readonly userId: string;
  readonly organizationId: string | null;
  readonly expiresAt: Date;
}

/** A token as its owner wants it. */
interface WantedToken {
  readonly name: string;
  readonly expiresAt?: string;
  readonly scopes?: string[];
  readonly agent?: string;
}

/** The scopes of agents that read, open change requests and comment, and change nothing that counts without a person. */
export const PROPOSING_SCOPES: readonly string[] = [
  'user:read',
  'organization:read',
  'organization:members:read',
  'organization:search',
  'space:read',
  'change-request:write',
];

/** Those of some scopes that a token has. */
const narrowed = (scopes: readonly string[], held: readonly string[] | undefined): readonly string[] =>
  held ? scopes.filter((scope) => includesScope(held, scope)) : scopes;

/** A token's row with the secret, which is known only at this moment. */
export interface IssuedToken {
  readonly row: ApiToken;
  readonly secret: string;
}

const COLUMNS = `t.id, t.user_id AS "userId", t.organization_id AS "organizationId", t.name, t.hint, t.scopes, t.agent,
  t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt", t.created_at AS "createdAt"`;

@Injectable()
export class Tokens {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  list(userId: string, request: PageRequest): Promise<Page<ShownToken>> {
    return this.pages.list<ShownToken>(request, {
      scope: ['tokens', userId],
      select: COLUMNS,
      from: "FROM api_token t WHERE t.user_id = $1 AND t.kind = 'api'",
      values: [userId],
      order: [
        { expression: 't.created_at', type: 'timestamptz' },
        { expression: 't.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /**
   * Issues a token for a user, outside of any request: bootstrap, command line, invitations. Tokens of agents without
   * scopes get those of proposals.
   */
  issue(userId: string, wanted: NewToken): Promise<IssuedToken> {
    const scopes = wanted.scopes ?? (wanted.agent === undefined ? null : PROPOSING_SCOPES);
    const secret = wanted.secret ?? PREFIX + randomCharacters(RANDOM_LENGTH);
    return this.database.transaction(async () => {
      const row: ApiToken = {
        id: newId(),
        userId,
        organizationId: wanted.organizationId ?? null,
        kind: 'api',
        name: wanted.name,
        hash: hashSecret(secret),
        hint: secret.slice(0, HINT_LENGTH),
        scopes: scopes && [...scopes],
        agent: wanted.agent ?? null,
        expiresAt: wanted.expiresAt ?? null,
        lastUsedAt: null,
        createdAt: this.clock.now(),
      };
      await this.database.of(ApiToken).insert(row);
      await this.outbox.record({
        type: 'token_created',
        organizationId: row.organizationId,
        target: row.id,
        payload: limitsOf(row),
      });
      return { row, secret };
    });
  }

  /** Issues the token of a session, in the ambient transaction; the owner of sessions records the event. */
  async issueForSession({ userId, organizationId, expiresAt }: NewSessionToken): Promise<IssuedToken> {
    const secret = SESSION_PREFIX + randomCharacters(RANDOM_LENGTH);
    const row: ApiToken = {
      id: newId(),
      userId,
      organizationId,
      kind: 'session',
      name: SESSION_NAME,
      hash: hashSecret(secret),
      hint: SESSION_PREFIX,
      scopes: null,
      agent: null,
      expiresAt,
      lastUsedAt: null,
      createdAt: this.clock.now(),
    };
    await this.database.of(ApiToken).insert(row);
    return { row, secret };
  }

  /**
   * Issues a token by means of another one: never with more scopes, a wider organization or a longer life than that
   * one, and for the same agent if that one is an agent's. A session is no limit: its person could sign in again.
   */
  async create(caller: Caller, wanted: WantedToken): Promise<IssuedToken> {
    const parent = await this.database.of(ApiToken).findOneByOrFail({ id: caller.tokenId });
    const latest = parent.kind === 'session' ? null : parent.expiresAt;
    const expiresAt = wanted.expiresAt === undefined ? (latest ?? undefined) : new Date(wanted.expiresAt);
    if (expiresAt && expiresAt <= this.clock.now()) throw invalid('expiresAt', 'must lie in the future');
    if (latest && expiresAt && expiresAt > latest)
      throw invalid('expiresAt', 'must not be later than that of the token in use');
    const agent = parent.agent ?? wanted.agent;
    const held = parent.scopes ?? undefined;
    const scopes = wanted.scopes ?? (agent === undefined ? held : narrowed(PROPOSING_SCOPES, held));
    const wider = held && scopes?.find((scope) => !includesScope(held, scope));
    if (wider) throw invalid('scopes', `the token in use does not have ${wider}`);
    return this.issue(caller.userId, {
      name: wanted.name,
      expiresAt,
      scopes,
      organizationId: caller.organizationId,
      agent,
    });
  }

  /** Gives a token another secret and end, in the ambient transaction; returns the secret. The former one is refused from then on. */
  async renew(tokenId: string, expiresAt: Date): Promise<string> {
    const secret = PREFIX + randomCharacters(RANDOM_LENGTH);
    await this.database
      .of(ApiToken)
      .update(tokenId, { hash: hashSecret(secret), hint: secret.slice(0, HINT_LENGTH), expiresAt });
    return secret;
  }

  /** Revokes a token of the user; it is refused from the next request on. */
  async revoke(userId: string, tokenId: string): Promise<void> {
    await this.database.transaction(async () => {
      const token = await this.database.one<{ organizationId: string | null; name: string }>(
        `DELETE FROM api_token WHERE id = $1 AND user_id = $2 AND kind = 'api' RETURNING organization_id AS "organizationId", name`,
        [tokenId, userId],
      );
      if (!token) return;
      await this.outbox.record({
        type: 'token_revoked',
        organizationId: token.organizationId,
        target: tokenId,
        payload: { userId },
        audit: { label: token.name },
      });
    });
  }

  /**
   * Ends a user's tokens for one organization, in the transaction that ends the membership there; returns their number.
   */
  endWithin(organizationId: string, userId: string): Promise<number> {
    return this.database.execute('DELETE FROM api_token WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      userId,
    ]);
  }

  /** Ends tokens by id, in the ambient transaction; returns the number of existing ones. */
  end(ids: readonly string[]): Promise<number> {
    return this.database.execute('DELETE FROM api_token WHERE id = ANY ($1)', [ids]);
  }

  /** Removes the tokens of sessions that are over, and returns their number. */
  endExpiredSessions(): Promise<number> {
    return this.database.execute(`DELETE FROM api_token WHERE kind = 'session' AND expires_at <= $1`, [
      this.clock.now(),
    ]);
  }

  /** Revokes any token by its id, for the command line; throws `notFound` if there is none. */
  async revokeById(tokenId: string): Promise<void> {
    const token = await this.database.of(ApiToken).findOneBy({ id: tokenId, kind: 'api' });
    if (!token) throw new DomainError('notFound', 'Token not found');
    await this.revoke(token.userId, tokenId);
  }
}

/** The owner of a token and its permanent limits compared with everything that its owner may do. */
function limitsOf({ userId, name, scopes, organizationId, expiresAt, agent }: ApiToken): EventPayload<'token_created'> {
  return {
    userId,
    name,
    ...(scopes && { scopes }),
    ...(organizationId !== null && { onlyOrganizationId: organizationId }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(agent !== null && { agent }),
  };
}
