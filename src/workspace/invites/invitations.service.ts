import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { storedLevel, type AccessLevel } from '../../kernel/common/roles.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { Members } from '../../identity/organizations/members.service.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { Mail } from '../../kernel/platform/mail.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { maskedEmail } from '../../identity/users/domain/masked-email.js';
import { invitationEmail } from './domain/invitation-email.js';
import type { User } from '../../identity/users/user.entity.js';
import type { InvitationForCaller, InvitedBody, InvitePeople } from './invites.schema.js';
import { newInviteSecret } from './invite-secrets.js';

const INVITATION_DAYS = 7;
const DAY_MS = 86_400_000;

interface InvitationRow extends Omit<InvitationForCaller, 'secret'> {
  readonly sealed: Buffer;
}

interface Letter {
  readonly email: string;
  readonly sealed: Buffer;
  readonly expiresAt: Date;
  readonly organization: string;
  readonly invitedBy: string;
}

/**
 * Invitations to single addresses: sent by e-mail if there is a mail server, otherwise passed on by an administrator.
 */
@Injectable()
export class Invitations implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly addresses: Addresses,
    private readonly outbox: Outbox,
    private readonly members: Members,
    private readonly jobs: Jobs,
    private readonly mail: Mail,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('invitations.mail', ({ invitation }) => this.send(invitation));
  }

  /** Lists pending invitations, latest first. */
  async list(organization: OrganizationAccess, request: PageRequest): Promise<Page<InvitationForCaller>> {
    const page = await this.pages.list<InvitationRow & Record<string, unknown>>(request, {
      scope: ['invitations', organization.id],
      select:
        'i.id, i.email, i.role, i.sso, i.mailed, i.sealed, i.created_at AS "createdAt", i.expires_at AS "expiresAt"',
      from: 'FROM invitation i WHERE i.organization_id = $1 AND i.expires_at > $2',
      values: [organization.id, this.clock.now()],
      order: [
        { expression: 'i.created_at', type: 'timestamptz' },
        { expression: 'i.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.map((row) => ({ ...row, secret: row.mailed ? undefined : this.secrets.decrypt(row.sealed) }));
  }

  /**
   * Invites addresses for a week; a repeated invitation gets a new secret, and the old one ends. Members remain
   * unchanged.
   */
  async invite(
    caller: Caller,
    organizationId: string,
    { emails, role, sso = false }: InvitePeople,
  ): Promise<InvitedBody> {
    return this.database.transaction(async () => {
      await this.members.lockAsAdmin(caller.userId, organizationId);
      const wanted = await this.wantedRoles(organizationId, { emails, role });
      const members = await this.database.query<{ id: string; email: string; sso: boolean }>(
        `SELECT m.user_id AS id, lower(a.email) AS email, m.sso FROM account a JOIN member m ON m.user_id = a.id AND m.organization_id = $1
          WHERE lower(a.email) = ANY ($2) ORDER BY m.user_id`,
        [organizationId, [...wanted.keys()]],
      );
      for (const { email } of members) wanted.delete(email);
      await this.store(caller.userId, organizationId, wanted, sso);
      const failed = sso ? members.filter((member) => !member.sso).map(({ email }) => email) : [];
      return {
        users: members.map(({ id }) => id),
        invited: wanted.size,
        ...(failed.length > 0 && { failedSSOEmails: failed }),
      };
    });
  }

  /** Withdraws an invitation. */
  async remove(caller: Caller, organizationId: string, id: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(caller.userId, organizationId);
      const removed = await this.database.one<{ email: string }>(
        'DELETE FROM invitation WHERE organization_id = $1 AND id = $2 RETURNING email',
        [organizationId, id],
      );
      if (removed)
        await this.outbox.record({
          type: 'invitation_deleted',
          organizationId,
          target: id,
          audit: { label: maskedEmail(removed.email) },
        });
    });
  }

  /**
   * Uses up an invitation for single sign-on to the address of an account, in the ambient transaction, and returns its
   * role.
   */
  async useForLogin(
    organizationId: string,
    { id: userId, email }: Pick<User, 'id' | 'email'>,
  ): Promise<AccessLevel | undefined> {
    const invitation = await this.database.one<{ id: string; role: AccessLevel }>(
      'DELETE FROM invitation WHERE organization_id = $1 AND lower(email) = lower($2) AND sso AND expires_at > $3 RETURNING id, role',
      [organizationId, email, this.clock.now()],
    );
    if (!invitation) return undefined;
    await this.outbox.record({
      type: 'invitation_accepted',
      organizationId,
      target: invitation.id,
      payload: { userId },
      audit: { label: maskedEmail(email) },
    });
    return invitation.role;
  }

  /** The role that `useForLogin` would return for an address. */
  async roleForLogin(organizationId: string, email: string): Promise<AccessLevel | undefined> {
    const invitation = await this.database.one<{ role: AccessLevel }>(
      'SELECT role FROM invitation WHERE organization_id = $1 AND lower(email) = lower($2) AND sso AND expires_at > $3',
      [organizationId, email, this.clock.now()],
    );
    return invitation?.role;
  }

  /** Roles by address in lower case; for an address that is named twice the last one counts. */
  private async wantedRoles(
    organizationId: string,
    { emails, role }: Pick<InvitePeople, 'emails' | 'role'>,
  ): Promise<Map<string, AccessLevel>> {
    const organization = await this.database.one<{ role: AccessLevel }>(
      'SELECT default_role AS role FROM organization WHERE id = $1',
      [organizationId],
    );
    const general = role === undefined ? (organization?.role ?? 'none') : storedLevel(role);
    return new Map(
      emails.map((each) => {
        const { email, role: own } = typeof each === 'string' ? { email: each, role: undefined } : each;
        return [email.toLowerCase(), own === undefined ? general : storedLevel(own)];
      }),
    );
  }

  private async store(
    callerId: string,
    organizationId: string,
    wanted: ReadonlyMap<string, AccessLevel>,
    sso: boolean,
  ): Promise<void> {
    const now = this.clock.now();
    await this.database.execute(
      'DELETE FROM invitation WHERE organization_id = $1 AND (expires_at <= $2 OR lower(email) = ANY ($3))',
      [organizationId, now, [...wanted.keys()]],
    );
    const made = [...wanted].map(([email, role]) => ({
      id: newId(now.getTime()),
      email,
      role,
      ...newInviteSecret(this.secrets),
    }));
    await this.database.execute(
      `INSERT INTO invitation (id, organization_id, email, role, sso, mailed, hash, sealed, created_by, created_at, expires_at)
       SELECT n.id, $1, n.email, n.role::access_level, $2, $3, n.hash, n.sealed, $4, $5, $6
         FROM unnest($7::text[], $8::text[], $9::text[], $10::bytea[], $11::bytea[]) AS n (id, email, role, hash, sealed)`,
      [
        organizationId,
        sso,
        this.mail.configured,
        callerId,
        now,
        new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
        made.map(({ id }) => id),
        made.map(({ email }) => email),
        made.map(({ role }) => role),
        made.map(({ hash }) => hash),
        made.map(({ sealed }) => sealed),
      ],
    );
    for (const { id, email, role } of made) {
      await this.outbox.record({
        type: 'invitation_created',
        organizationId,
        target: id,
        payload: { role, ...(sso && { sso }) },
        audit: { label: maskedEmail(email) },
      });
      if (this.mail.configured) await this.jobs.enqueue('invitations.mail', { invitation: id });
    }
  }

  /** Sends the message of an invitation, unless it was withdrawn or used meanwhile. */
  private async send(id: string): Promise<void> {
    const letter = await this.database.one<Letter & Record<string, unknown>>(
      `SELECT i.email, i.sealed, i.expires_at AS "expiresAt", o.title AS organization, a.display_name AS "invitedBy"
         FROM invitation i JOIN organization o ON o.id = i.organization_id JOIN account a ON a.id = i.created_by
        WHERE i.id = $1 AND i.mailed AND i.expires_at > $2`,
      [id, this.clock.now()],
    );
    if (!letter) return;
    const secret = this.secrets.decrypt(letter.sealed);
    await this.mail.send({
      to: letter.email,
      ...invitationEmail({
        organization: letter.organization,
        invitedBy: letter.invitedBy,
        expiresAt: letter.expiresAt.toISOString(),
        address: this.addresses.app(`/invitations/${secret}`),
      }),
    });
  }
}
