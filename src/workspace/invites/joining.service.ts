import { Injectable } from '@nestjs/common';
import { Access, type OrganizationAccess } from '../../kernel/access/access.service.js';
import { atLeast, type AccessLevel } from '../../kernel/common/roles.js';
import { Clock } from '../../kernel/common/clock.js';
import { actAs, currentContext, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { Members } from '../../identity/organizations/members.service.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { RateLimit } from '../../kernel/platform/rate-limit/rate-limit.js';
import { maskedEmail } from '../../identity/users/domain/masked-email.js';
import { Tokens } from '../../identity/users/tokens.service.js';
import type { User } from '../../identity/users/user.entity.js';
import { Users } from '../../identity/users/users.service.js';
import { Invitations } from './invitations.service.js';
import { InviteLinks } from './invite-links.service.js';
import type { AcceptInvitation } from './invites.schema.js';

const FIRST_TOKEN = 'First token';
const MAX_NAME_LENGTH = 64;

interface TakenInvitation {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: AccessLevel;
  readonly sso: boolean;
  readonly mailed: boolean;
  readonly bySecret: boolean;
}

export interface NewAccount {
  readonly user: User;
  readonly organizationId: string;
  readonly token: string;
}

const TAKEN =
  'RETURNING i.id, i.organization_id AS "organizationId", i.email, i.role, i.sso, i.mailed, i.hash = $1 AS "bySecret"';

/** Ways to join for invited people. Wrong secrets are charged to the address that tries them. */
@Injectable()
export class Joining {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly members: Members,
    private readonly outbox: Outbox,
    private readonly links: InviteLinks,
    private readonly invitations: Invitations,
    private readonly users: Users,
    private readonly tokens: Tokens,
    private readonly limit: RateLimit,
  ) {}

  /**
   * Lets the caller join by a link, by the secret of an invitation, or by the id of one to the caller's own verified
   * address. Throws `notFound` for everything else. Joining never lowers a role, and a member gains none by the
   * invitation of another person, which stays open.
   */
  async join(caller: Caller, organizationId: string, invite: string): Promise<Record<string, never>> {
    await this.guarded(() =>
      this.database.transaction(async () => {
        const link = await this.links.redeemable(organizationId, invite);
        if (link) {
          const toOrganization = link.spaceId === null && link.collectionId === null;
          await this.members.admit(organizationId, caller.userId, toOrganization ? link.role : 'none');
          if (link.spaceId !== null) await this.letInto(caller, organizationId, 'space', link.spaceId, link.role);
          if (link.collectionId !== null)
            await this.letInto(caller, organizationId, 'collection', link.collectionId, link.role);
          return true;
        }
        const [invitation] = await this.database.query<TakenInvitation & Record<string, unknown>>(
          `DELETE FROM invitation i USING account a
            WHERE i.organization_id = $3 AND i.expires_at > $2 AND a.id = $4
              AND (i.id = $5 AND a.email_verified AND lower(a.email) = lower(i.email)
                   OR i.hash = $1 AND (lower(a.email) = lower(i.email) OR NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $3 AND m.user_id = $4))) ${TAKEN}`,
          [hashSecret(invite), this.clock.now(), organizationId, caller.userId, invite],
        );
        if (!invitation) return undefined;
        if (invitation.mailed && invitation.bySecret) await this.users.verifyEmail(caller.userId, invitation.email);
        await this.take(invitation, caller.userId);
        return true;
      }),
    );
    return {};
  }

  /**
   * Creates an account for an invited address, with a first token. Throws `notFound` for unknown, used and expired
   * secrets, `conflict` for an address that has an account.
   */
  async accept(secret: string, { displayName }: AcceptInvitation): Promise<NewAccount> {
    return this.guarded(() =>
      this.database.transaction(async () => {
        const [invitation] = await this.database.query<TakenInvitation & Record<string, unknown>>(
          `DELETE FROM invitation i WHERE i.hash = $1 AND i.expires_at > $2 ${TAKEN}`,
          [hashSecret(secret), this.clock.now()],
        );
        if (!invitation) return undefined;
        const { email, mailed, organizationId } = invitation;
        if (await this.users.findByEmail(email)) {
          throw new DomainError(
            'conflict',
            `There is an account for this address: accept with its own token at POST /orgs/${organizationId}/invites/{secret}`,
          );
        }
        const user = await this.users.create({
          email,
          displayName: displayName?.trim() ?? nameOf(email),
          emailVerified: mailed,
        });
        actAs({ type: 'user', id: user.id });
        await this.take(invitation, user.id);
        const { secret: token } = await this.tokens.issue(user.id, { name: FIRST_TOKEN });
        return { user, organizationId, token };
      }),
    );
  }

  /** Withdraws an invite link, or an invitation by its id; has no effect if the caller can see none. */
  async withdraw(caller: Caller, organization: OrganizationAccess, invite: string): Promise<void> {
    const removed = await this.links.remove(caller, organization.id, invite);
    if (!removed && organization.role === 'admin') await this.invitations.remove(caller, organization.id, invite);
  }

  private async guarded<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    const ip = currentContext()?.ip;
    this.limit.checkSecretAttempts(ip);
    const result = await attempt();
    if (result !== undefined) return result;
    this.limit.failedSecret(ip);
    throw notFound('Invite');
  }

  private async take({ id, organizationId, email, role, sso }: TakenInvitation, userId: string): Promise<void> {
    await this.members.admit(organizationId, userId, role, { sso });
    await this.outbox.record({
      type: 'invitation_accepted',
      organizationId,
      target: id,
      payload: { userId },
      audit: { label: maskedEmail(email) },
    });
  }

  /** Raises the role of a member on one object, if it is lower. */
  private async letInto(
    caller: Caller,
    organizationId: string,
    kind: 'space' | 'collection',
    id: string,
    role: AccessLevel,
  ): Promise<void> {
    // The caller's membership, although single sign-on may refuse the token.
    const member = { ...caller, organizationId };
    const now = kind === 'space' ? await this.access.space(member, id) : await this.access.collection(member, id);
    if (atLeast(now?.role ?? 'none', role)) return;
    const [columns, values] = kind === 'space' ? ['space_id', '$1'] : ['organization_id, collection_id', '$5, $1'];
    const granted = await this.database.one<{ before: AccessLevel | null }>(
      `WITH held AS (SELECT role FROM ${kind}_member_grant WHERE ${kind}_id = $1 AND user_id = $2)
       INSERT INTO ${kind}_member_grant AS g (${columns}, user_id, role, created_at) SELECT ${values}, $2, $3::access_level, $4 WHERE $5::text IS NOT NULL
       ON CONFLICT (${kind}_id, user_id) DO UPDATE SET role = excluded.role RETURNING (SELECT held.role FROM held) AS before`,
      [id, caller.userId, role, this.clock.now(), organizationId],
    );
    const payload = { role, userIds: [caller.userId], teamIds: [] };
    const audit = { changes: [{ field: 'role', before: granted?.before ?? null, after: role, userId: caller.userId }] };
    if (kind === 'space')
      await this.outbox.record({
        type: 'space_permission_set',
        organizationId,
        spaceId: id,
        target: id,
        payload,
        audit,
      });
    else await this.outbox.record({ type: 'collection_permission_set', organizationId, target: id, payload, audit });
  }
}

function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf('@')).slice(0, MAX_NAME_LENGTH);
}
