import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { actAs } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError } from '../../kernel/common/errors.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { RateLimit } from '../../kernel/platform/rate-limit/rate-limit.js';
import { letsIn } from '../organizations/lets-in.js';
import type { User } from '../users/user.entity.js';
import { Users } from '../users/users.service.js';
import { ContributedInvites } from './contributed-invites.js';
import type { ShownSignInLink } from './sessions.schema.js';
import { Sessions, type BegunSession } from './sessions.service.js';

const LONGEST_NAME = 64;

/** A link that is used up. */
interface TakenLink {
  readonly email: string;
  readonly userId: string | null;
  readonly organizationId: string | null;
  readonly inviteId: string | null;
  readonly mailed: boolean;
  readonly sessionUntil: Date | null;
}

/** Signs people in by links, each of which works once. */
@Injectable()
export class SignIns {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly users: Users,
    private readonly sessions: Sessions,
    private readonly limit: RateLimit,
    private readonly invites: ContributedInvites,
  ) {}

  /** Shows whom a link signs in. Throws `notFound` for one that is unknown, used or over. */
  look(secret: string): Promise<ShownSignInLink> {
    return this.limit.guardSecret('Sign-in link', () =>
      this.database.one<ShownSignInLink & Record<string, unknown>>(
        `SELECT l.email, coalesce(a.display_name, left(split_part(l.email, '@', 1), ${LONGEST_NAME})) AS "displayName", l.organization_id AS "organizationId",
                o.title AS "organizationTitle", l.return_to AS "returnTo", l.expires_at AS "expiresAt"
           FROM sign_in_link l LEFT JOIN account a ON a.id = l.user_id LEFT JOIN organization o ON o.id = l.organization_id
          WHERE l.hash = $1 AND l.expires_at > $2 AND a.disabled IS NOT TRUE`,
        [hashSecret(secret), this.clock.now()],
      ),
    );
  }

  /**
   * Uses up a link and begins a session in its place; of two browsers that do so at once, one is signed in. Throws
   * `notFound` for one that is unknown, used or over, and `forbidden` where single sign-on is required by now.
   */
  signIn(secret: string, former: string | undefined): Promise<BegunSession> {
    return this.limit.guardSecret('Sign-in link', () =>
      this.database.transaction(async () => {
        const [link] = await this.database.query<TakenLink & Record<string, unknown>>(
          `DELETE FROM sign_in_link WHERE hash = $1 AND expires_at > $2
           RETURNING email, user_id AS "userId", organization_id AS "organizationId", invite_id AS "inviteId", mailed, session_until AS "sessionUntil"`,
          [hashSecret(secret), this.clock.now()],
        );
        const user = link && (await this.personOf(link));
        if (!link || !user) return undefined;
        actAs({ type: 'user', id: user.id });
        if (link.mailed) await this.users.verifyEmail(user.id, link.email);
        if (link.organizationId !== null) await this.requireWayIn(link.organizationId, user.id);
        const { organizationId, sessionUntil: until } = link;
        return this.sessions.begin({ userId: user.id, method: 'link', organizationId, until }, former);
      }),
    );
  }

  /** The account that a link signs in; undefined where it is disabled, has another address by now, or cannot be made any more. */
  private async personOf({ userId, email, inviteId }: TakenLink): Promise<User | undefined> {
    const known = userId === null ? await this.users.findByEmail(email) : await this.users.get(userId);
    if (known) return known.disabled || known.email.toLowerCase() !== email.toLowerCase() ? undefined : known;
    if (inviteId === null) return undefined;
    const displayName = email.slice(0, email.lastIndexOf('@')).slice(0, LONGEST_NAME);
    const user = await this.users.create({ email, displayName, emailVerified: true });
    actAs({ type: 'user', id: user.id });
    if (!(await this.invites.join(inviteId, user)))
      throw new DomainError('notFound', 'The invite link does not work any more');
    return user;
  }

  /** Members may have been disabled, and single sign-on required, since the link was made. */
  private async requireWayIn(organizationId: string, userId: string): Promise<void> {
    const member = await this.database.one<{ mayEnter: boolean }>(
      `SELECT ${letsIn('m.user_id', 'm.organization_id', { limitedTo: 'NULL', address: 'NULL' })} AS "mayEnter" FROM member m
        WHERE m.organization_id = $1 AND m.user_id = $2 AND NOT m.disabled FOR SHARE OF m`,
      [organizationId, userId],
    );
    if (!member) throw new DomainError('forbidden', 'The membership is disabled');
    if (!member.mayEnter) throw new DomainError('forbidden', 'This organization requires single sign-on');
  }
}
