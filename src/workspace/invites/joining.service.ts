import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { Members } from '../../identity/organizations/members.service.js';
import { Invitations } from './invitations.service.js';
import { InviteAttempts } from './invite-attempts.js';
import { InviteLinks, type OpenLink } from './invite-links.service.js';
import { InvitedGrants } from './invited-grants.js';
import { RedeemedInvitations } from './redeemed-invitations.js';

/** Ways in for people who were invited and have an account. */
@Injectable()
export class Joining {
  constructor(
    private readonly database: Database,
    private readonly members: Members,
    private readonly links: InviteLinks,
    private readonly invitations: Invitations,
    private readonly redeemed: RedeemedInvitations,
    private readonly grants: InvitedGrants,
    private readonly attempts: InviteAttempts,
  ) {}

  /**
   * Lets the caller join by a link, by the secret of an invitation, or by the id of one to the caller's own verified
   * address. Throws `notFound` for everything else. Joining never lowers a role, and a member gains none by the
   * invitation of another person, which stays open.
   */
  async join(caller: Caller, organizationId: string, invite: string): Promise<Record<string, never>> {
    await this.attempts.guard(() =>
      this.database.transaction(async () => {
        const link = await this.links.redeemable(organizationId, invite);
        if (link) {
          await this.byLink(caller, link);
          return true;
        }
        return (await this.redeemed.redeem(caller, organizationId, invite)) ? true : undefined;
      }),
    );
    return {};
  }

  /** Lets somebody join by a link, in the ambient transaction. */
  async byLink(caller: Caller, { organizationId, spaceId, collectionId, role }: OpenLink): Promise<void> {
    const toOrganization = spaceId === null && collectionId === null;
    await this.members.admit(organizationId, caller.userId, toOrganization ? role : 'none');
    if (spaceId !== null) await this.grants.onSpace(caller, organizationId, spaceId, role);
    if (collectionId !== null) await this.grants.onCollection(caller, organizationId, collectionId, role);
  }

  /** Takes back an invite link, or an invitation by its id; without effect where there is none for the caller. */
  async withdraw(caller: Caller, organization: OrganizationAccess, invite: string): Promise<void> {
    const removed = await this.links.remove(caller, organization.id, invite);
    if (!removed && organization.role === 'admin') await this.invitations.remove(caller, organization.id, invite);
  }
}
