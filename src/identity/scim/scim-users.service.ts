import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { EMAIL_RULES } from '../../kernel/common/fields.js';
import { presentRole, storedLevel, type AccessLevel } from '../../kernel/common/roles.js';
import { checkedObject } from '../../kernel/common/validation.pipe.js';
import { Members } from '../organizations/members.service.js';
import { TeamMembers } from '../teams/team-members.service.js';
import { Users } from '../users/users.service.js';
import { provisionedAddress, displayNameOf, patchedUser, roleOf, type UserAttributes } from './user-attributes.js';
import { ScimFault } from './scim-fault.js';
import { scimPage, type ListRequest, type ScimPage } from './scim-lists.js';
import { ScimUser } from './scim-user.entity.js';
import { ScimUserInput } from './scim.schema.js';

/** A member as a row of the statements below. */
export interface ProvisionedUser {
  readonly id: string;
  readonly userName: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: AccessLevel;
  readonly active: boolean;
  /** The organization shuts the member out, whatever the operator does with the account. */
  readonly disabled: boolean;
  readonly externalId: string | null;
  /** The provider may change the name and address of the account. */
  readonly managed: boolean;
  readonly createdAt: Date;
  readonly groups: readonly { readonly value: string; readonly display: string }[];
}

/**
 * A new address opens an account everywhere. The provider that made the account may therefore change it only until the
 * owner has proved the address or is a member of another organization.
 */
const MANAGED = `coalesce(s.owns_account, false) AND NOT a.email_verified
  AND NOT EXISTS (SELECT FROM member o WHERE o.user_id = m.user_id AND o.organization_id <> m.organization_id)`;

const COLUMNS = `m.user_id AS id, coalesce(s.user_name, a.email) AS "userName", a.email, a.display_name AS "displayName", m.role,
  NOT m.disabled AND NOT a.disabled AS active, m.disabled, s.external_id AS "externalId", ${MANAGED} AS managed, m.joined_at AS "createdAt",
  ARRAY(SELECT json_build_object('value', t.id, 'display', t.title) FROM team_member g JOIN team t ON t.organization_id = g.organization_id AND t.id = g.team_id
         WHERE g.organization_id = m.organization_id AND g.user_id = m.user_id ORDER BY t.id LIMIT 1000) AS groups`;
const FROM = `member m JOIN account a ON a.id = m.user_id
  LEFT JOIN scim_user s ON s.organization_id = m.organization_id AND s.user_id = m.user_id`;
const ONE = `SELECT ${COLUMNS} FROM ${FROM} WHERE m.organization_id = $1 AND m.user_id = $2`;

/** Conditions on a value, by the attributes that a filter may compare. */
const CONDITIONS: Readonly<Record<string, (value: string) => string>> = {
  id: (value) => `m.user_id = ${value}`,
  username: (value) => `lower(coalesce(s.user_name, a.email)) = lower(${value})`,
  externalid: (value) => `s.external_id = ${value}`,
  emails: (value) => `lower(a.email) = lower(${value})`,
  'emails.value': (value) => `lower(a.email) = lower(${value})`,
  active: (value) => `(NOT m.disabled AND NOT a.disabled)::text = lower(${value})`,
};

/** Members of an organization, as an identity provider provisions them. */
@Injectable()
export class ScimUsers {
  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly members: Members,
    private readonly teamMembers: TeamMembers,
  ) {}

  list(organizationId: string, request: ListRequest): Promise<ScimPage<ProvisionedUser>> {
    return scimPage(this.database, request, {
      columns: COLUMNS,
      from: `${FROM} WHERE m.organization_id = $1`,
      conditions: CONDITIONS,
      order: 'm.joined_at, m.user_id',
      values: [organizationId],
    });
  }

  /** Throws `notFound` for people who are not members. */
  async get(organizationId: string, userId: string): Promise<ProvisionedUser> {
    const user = await this.database.one<ProvisionedUser & Record<string, unknown>>(ONE, [organizationId, userId]);
    if (!user) throw notFound('User');
    return user;
  }

  /**
   * Makes a member, with a new account or that of a former member whom the provider managed. Throws `conflict` for the
   * address of anybody else: a provider brings nobody in who was not there before.
   */
  async create(
    callerId: string,
    organization: OrganizationAccess,
    attributes: UserAttributes,
  ): Promise<ProvisionedUser> {
    const { id: organizationId } = organization;
    const email = checkedAddress(provisionedAddress(attributes));
    const role = roleOf(attributes);
    const id = await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const userId = await this.account(organizationId, email, attributes);
      await this.admit(organizationId, userId, role === undefined ? undefined : storedLevel(role));
      await this.remember(organizationId, userId, attributes, true);
      if (attributes.active === false) await this.members.setDisabled(callerId, organizationId, userId, true);
      return userId;
    });
    return this.get(organizationId, id);
  }

  /** Gives a member the attributes that are named; absent ones stay as they are, except for an `externalId` of null. */
  async update(
    callerId: string,
    organization: OrganizationAccess,
    userId: string,
    attributes: UserAttributes,
  ): Promise<ProvisionedUser> {
    return this.change(callerId, organization, userId, () => Promise.resolve(attributes));
  }

  /** Applies the operations of a PATCH under the lock that serializes changes of members. */
  async patch(
    callerId: string,
    organization: OrganizationAccess,
    userId: string,
    operations: readonly object[],
    present: (user: ProvisionedUser) => object,
  ): Promise<ProvisionedUser> {
    return this.change(callerId, organization, userId, async (user) => {
      // A change of other attributes of an account that the operator disabled leaves the membership as it is.
      const patched = await patchedUser(present({ ...user, active: !user.disabled }), operations);
      const { userName, displayName, name, active, roles } = patched;
      return checkedObject(
        {
          userName,
          externalId: patched.externalId ?? null,
          active,
          roles,
          // A part of the name counts where the whole name was left alone.
          ...(displayName !== user.displayName && { displayName }),
          ...(provisionedAddress(patched) !== user.email && { emails: patched.emails }),
          name: name?.formatted === user.displayName ? { ...name, formatted: undefined } : name,
        },
        ScimUserInput,
      );
    });
  }

  /** Ends the membership; throws `notFound` for people who are not members. */
  async remove(callerId: string, organizationId: string, userId: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      await this.get(organizationId, userId);
      // By this row the provider may make the person a member again.
      await this.database.execute(
        `INSERT INTO scim_user (organization_id, user_id, owns_account) VALUES ($1, $2, false)
         ON CONFLICT (organization_id, user_id) DO NOTHING`,
        [organizationId, userId],
      );
      await this.members.remove(callerId, organizationId, userId);
    });
  }

  private async change(
    callerId: string,
    organization: OrganizationAccess,
    userId: string,
    wanted: (user: ProvisionedUser) => Promise<UserAttributes>,
  ): Promise<ProvisionedUser> {
    const { id: organizationId } = organization;
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      // Waits for whoever takes the account elsewhere, and lets nobody do that meanwhile.
      await this.database.execute('SELECT FROM account WHERE id = $1 FOR UPDATE', [userId]);
      const user = await this.get(organizationId, userId);
      const attributes = await wanted(user);
      await this.changeAccount(user, attributes);
      await this.remember(organizationId, userId, { ...attributes, userName: attributes.userName ?? user.userName });
      const role = roleOf(attributes);
      if (role !== undefined && role !== presentRole(user.role))
        await this.members.update(callerId, organization, userId, { role });
      const { active = !user.disabled } = attributes;
      if (active === user.disabled) await this.members.setDisabled(callerId, organizationId, userId, !active);
    });
    return this.get(organizationId, userId);
  }

  /** Changes the name and address of an account that the provider manages; the name of any other one stays as it is. */
  private async changeAccount(user: ProvisionedUser, attributes: UserAttributes): Promise<void> {
    const email = checkedAddress(nextAddress(user, attributes));
    if (user.managed)
      await this.users.updateProvisioned(user.id, {
        email,
        displayName: displayNameOf(attributes) ?? user.displayName,
      });
    else if (email.toLowerCase() !== user.email.toLowerCase())
      throw new ScimFault('mutability', 'emails', 'the owner of an account alone changes its address');
  }

  /** The account of an address: a new one, or that of a former member whom the provider managed. */
  private async account(organizationId: string, email: string, attributes: UserAttributes): Promise<string> {
    const known = await this.users.findByEmail(email);
    if (!known) {
      const displayName = displayNameOf(attributes) ?? email.slice(0, email.indexOf('@'));
      const { id } = await this.users.create({ email, displayName, emailVerified: false });
      return id;
    }
    const former = await this.database.of(ScimUser).findOneBy({ organizationId, userId: known.id });
    const member = await this.database.one('SELECT FROM member WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      known.id,
    ]);
    if (member) throw new DomainError('conflict', `${email} is a member already`);
    if (!former)
      throw new DomainError('conflict', `There is an account for ${email} already: invite the person instead`);
    return known.id;
  }

  /** New members sign in through the provider of the organization where it has one, and begin with its role and team. */
  private async admit(organizationId: string, userId: string, role: AccessLevel | undefined): Promise<void> {
    const provider = await this.database.one<{ role: AccessLevel; teamId: string | null }>(
      `SELECT default_role AS role, default_team_id AS "teamId" FROM identity_provider WHERE organization_id = $1 ORDER BY created_at, id LIMIT 1`,
      [organizationId],
    );
    await this.members.admit(organizationId, userId, role ?? provider?.role ?? 'read', { sso: provider !== undefined });
    if (provider?.teamId != null) await this.teamMembers.addNew(organizationId, provider.teamId, [userId]);
  }

  /** Keeps what the provider calls a member; `ownsAccount` counts with the first entry. */
  private async remember(
    organizationId: string,
    userId: string,
    { userName, externalId }: UserAttributes,
    ownsAccount = false,
  ): Promise<void> {
    await this.releaseNames(organizationId, userId, { userName, externalId });
    await this.database.execute(
      `INSERT INTO scim_user AS s (organization_id, user_id, user_name, external_id, owns_account) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (organization_id, user_id) DO UPDATE SET user_name = excluded.user_name,
         external_id = CASE WHEN $6 THEN excluded.external_id ELSE s.external_id END`,
      [organizationId, userId, userName, externalId ?? null, ownsAccount, externalId !== undefined],
    );
  }

  /** Takes names from people who are no members any more: a provider may give them to somebody else. */
  private async releaseNames(
    organizationId: string,
    userId: string,
    { userName, externalId }: UserAttributes,
  ): Promise<void> {
    await this.database.execute(
      `UPDATE scim_user s SET user_name = NULL, external_id = NULL
        WHERE s.organization_id = $1 AND s.user_id <> $2 AND (lower(s.user_name) = lower($3) OR s.external_id = $4)
          AND NOT EXISTS (SELECT FROM member m WHERE m.organization_id = s.organization_id AND m.user_id = s.user_id)`,
      [organizationId, userId, userName, externalId ?? null],
    );
  }
}

/** The primary address, or the user name where the account has it as its address. */
function nextAddress(user: ProvisionedUser, { userName, emails = [] }: UserAttributes): string {
  if (emails.length > 0) return provisionedAddress({ emails });
  const isFollowed = user.userName.toLowerCase() === user.email.toLowerCase();
  return isFollowed && userName !== undefined && isEmail(userName, EMAIL_RULES) ? userName : user.email;
}

function checkedAddress(email: string): string {
  if (!isEmail(email, EMAIL_RULES) || email.length > 320)
    throw invalid('emails', 'the primary address, or else userName, must be an e-mail address');
  return email;
}
