import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { randomCharacters } from '../../kernel/common/ids.js';
import { hashSecret } from '../../kernel/common/secrets.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Members } from '../organizations/members.service.js';
import { ApiToken } from '../users/token.entity.js';
import type { User } from '../users/user.entity.js';
import { SignInLink } from './sign-in-link.entity.js';

const SECRET_LENGTH = 40;
const MINUTE_MS = 60_000;
/** Minutes for which links work. */
export const LINK_MINUTES = { mailed: 15, handedOver: 60, firstStart: 24 * 60 } as const;

/** A link as it is handed over; its secret is known only now. */
export interface MadeSignInLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** The person whom a link signs in, and its limits. */
interface NewLink {
  readonly email: string;
  readonly userId: string | null;
  readonly minutes: number;
  readonly organizationId?: string;
  readonly inviteId?: string | undefined;
  readonly mailed?: boolean;
  readonly returnTo?: string | undefined;
  readonly sessionUntil?: Date | null;
}

/** A member as administrators make links for. */
interface LinkedMember {
  readonly email: string;
  readonly isAdmin: boolean;
  readonly enforcesSso: boolean;
}

/** Makes the links by which people sign in; they are stored by their hashes. */
@Injectable()
export class SignInLinks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly addresses: Addresses,
    private readonly members: Members,
    private readonly outbox: Outbox,
  ) {}

  /** Makes a link, in the ambient transaction or one of its own. */
  async make({ email, userId, minutes, ...limits }: NewLink): Promise<MadeSignInLink> {
    const secret = randomCharacters(SECRET_LENGTH);
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + minutes * MINUTE_MS);
    await this.database.of(SignInLink).insert({
      hash: hashSecret(secret),
      email,
      userId,
      organizationId: limits.organizationId ?? null,
      inviteId: limits.inviteId ?? null,
      mailed: limits.mailed ?? false,
      returnTo: limits.returnTo ?? null,
      sessionUntil: limits.sessionUntil ?? null,
      createdAt: now,
      expiresAt,
    });
    return { url: this.addresses.app(`/sign-in#${secret}`), expiresAt };
  }

  /** A link for an account, made by the operator of the installation. */
  async forUser({ id, email, disabled }: User, minutes: number = LINK_MINUTES.handedOver): Promise<MadeSignInLink> {
    if (disabled) throw new DomainError('conflict', `The account ${email} is disabled`);
    return this.make({ email, userId: id, minutes });
  }

  /**
   * A link for a member, made by an administrator: its session acts in the organization only, and ends with the token that
   * the administrator has used. Throws `forbidden` for agents and tokens with scopes, which would gain rights by it,
   * `conflict` for members who cannot sign in, or must do so through a provider.
   */
  async forMember(caller: Caller, organizationId: string, userId: string): Promise<MadeSignInLink> {
    if (caller.agent !== undefined || caller.scopes !== undefined)
      throw new DomainError('forbidden', 'Agents and tokens with scopes make no sessions');
    return this.database.transaction(async () => {
      await this.members.lockAsAdmin(caller.userId, organizationId);
      const member = await this.member(organizationId, userId);
      const used = await this.database.of(ApiToken).findOneByOrFail({ id: caller.tokenId });
      const link = await this.make({
        email: member.email,
        userId,
        organizationId,
        minutes: LINK_MINUTES.handedOver,
        sessionUntil: used.kind === 'api' ? used.expiresAt : null,
      });
      await this.outbox.record({ type: 'sign_in_link_created', organizationId, target: userId });
      return link;
    });
  }

  /** Removes the links that are over, and returns their number. */
  removeExpired(): Promise<number> {
    return this.database.execute('DELETE FROM sign_in_link WHERE expires_at <= $1', [this.clock.now()]);
  }

  private async member(organizationId: string, userId: string): Promise<LinkedMember> {
    const member = await this.database.one<LinkedMember & { isDisabled: boolean }>(
      `SELECT a.email, m.role = 'admin' AS "isAdmin", o.sso AS "enforcesSso", m.disabled OR a.disabled AS "isDisabled"
         FROM member m JOIN account a ON a.id = m.user_id JOIN organization o ON o.id = m.organization_id
        WHERE m.organization_id = $1 AND m.user_id = $2`,
      [organizationId, userId],
    );
    if (!member) throw notFound('Member');
    if (member.isDisabled) throw new DomainError('conflict', 'The account or the membership is disabled');
    if (member.enforcesSso && !member.isAdmin)
      throw new DomainError('conflict', 'The organization requires single sign-on, which a link would pass by');
    return member;
  }
}
