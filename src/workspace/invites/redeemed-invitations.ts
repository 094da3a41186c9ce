import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import type { AccessLevel } from '../../kernel/common/roles.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { Members } from '../../identity/organizations/members.service.js';
import { maskedEmail } from '../../identity/users/domain/masked-email.js';
import { Users } from '../../identity/users/users.service.js';
import { Outbox } from '../../kernel/platform/outbox.js';

/** An invitation that is used up. */
export interface TakenInvitation {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: AccessLevel;
  readonly sso: boolean;
  readonly mailed: boolean;
  readonly bySecret: boolean;
}

const TAKEN =
  'RETURNING i.id, i.organization_id AS "organizationId", i.email, i.role, i.sso, i.mailed, i.hash = $1 AS "bySecret"';

/** Uses up invitations, and makes members of those who were invited; all in the ambient transaction. */
@Injectable()
export class RedeemedInvitations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly members: Members,
    private readonly users: Users,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Lets the caller in by the secret of an invitation, or by the id of one to the caller's own verified address. False where there
   * is none; that of somebody else lets in nobody who is a member.
   */
  async redeem(caller: Caller, organizationId: string, invite: string): Promise<boolean> {
    const [invitation] = await this.database.query<TakenInvitation & Record<string, unknown>>(
      `DELETE FROM invitation i USING account a
            WHERE i.organization_id = $3 AND i.expires_at > $2 AND a.id = $4
              AND (i.id = $5 AND a.email_verified AND lower(a.email) = lower(i.email)
                   OR i.hash = $1 AND (lower(a.email) = lower(i.email) OR NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $3 AND m.user_id = $4))) ${TAKEN}`,
      [hashSecret(invite), this.clock.now(), organizationId, caller.userId, invite],
    );
    if (!invitation) return false;
    if (invitation.mailed && invitation.bySecret) await this.users.verifyEmail(caller.userId, invitation.email);
    await this.admit(invitation, caller.userId);
    return true;
  }

  /** Takes the invitation of a secret, for somebody who has no account yet. */
  async takeBySecret(secret: string): Promise<TakenInvitation | undefined> {
    const [invitation] = await this.database.query<TakenInvitation & Record<string, unknown>>(
      `DELETE FROM invitation i WHERE i.hash = $1 AND i.expires_at > $2 ${TAKEN}`,
      [hashSecret(secret), this.clock.now()],
    );
    return invitation;
  }

  /** Makes a member of the user who took an invitation. */
  async admit({ id, organizationId, email, role, sso }: TakenInvitation, userId: string): Promise<void> {
    await this.members.admit(organizationId, userId, role, { sso });
    await this.outbox.record({
      type: 'invitation_accepted',
      organizationId,
      target: id,
      payload: { userId },
      audit: { label: maskedEmail(email) },
    });
  }
}
