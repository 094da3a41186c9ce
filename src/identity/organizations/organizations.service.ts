import { Injectable } from '@nestjs/common';
import { storedLevel, type AccessLevel } from '../../kernel/common/roles.js';
import { letsIn } from './lets-in.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { changesOf, fieldsGiven, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { furtherColumns, type ContributedColumn } from '../../kernel/platform/manifest/contributed-columns.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { mergeRulesFault, readMergeRules, type MergeRules } from './domain/merge-rules.js';
import { Member } from './member.entity.js';
import { Members } from './members.service.js';
import { Organization } from './organization.entity.js';
import type { OrganizationForCaller, UpdateOrganization } from './organizations.schema.js';
import { ORGANIZATION_COLUMNS, ORGANIZATION_SETTINGS, WAYS_IN } from './organizations.points.js';
import { MEMBER_ADDITIONS } from './custom-roles/additions.js';

const columns = (
  further: readonly ContributedColumn[],
): string => `o.id, o.title, o.email_domains AS "emailDomains", o.hostname, o.type, o.use_case AS "useCase",
  o.community_type AS "communityType", o.default_role AS "defaultRole", o.sso, o.ai,
  o.invite_links AS "inviteLinks", o.ip_allow_list AS "ipAllowList", o.merge_rules AS "mergeRules", o.logo, o.version, o.created_at AS "createdAt",
  m.role AS "callerRole", ${MEMBER_ADDITIONS} AS "callerAdded"${furtherColumns(further)}`;
const FROM = `FROM organization o JOIN member m ON m.organization_id = o.id
  WHERE m.user_id = $1 AND NOT m.disabled AND o.id = coalesce($2, o.id)`;
/** Organizations that a token may access. */
const OPEN = `${FROM} AND ${letsIn('$1', 'o.id', { limitedTo: '$2', address: '$3' })}`;

/** Settings that the audit log records. */
const LOGGED = ['title', 'emailDomains', 'hostname', 'defaultRole', 'sso', 'ai', 'inviteLinks', 'mergeRules'] as const;

@Injectable()
export class Organizations {
  private readonly columns: string;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly members: Members,
    private readonly registry: Registry,
    private readonly addresses: Addresses,
  ) {
    this.columns = columns(registry.contributionsTo(ORGANIZATION_COLUMNS));
  }

  /** The organizations that the caller is a member of. */
  list(caller: Caller, request: PageRequest): Promise<Page<OrganizationForCaller>> {
    return this.pages.list<OrganizationForCaller>(request, {
      scope: ['organizations', caller.userId],
      select: this.columns,
      from: OPEN,
      values: [caller.userId, caller.organizationId, requestAddress()],
      order: [
        { expression: 'o.created_at', type: 'timestamptz' },
        { expression: 'o.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /** Returns those of the given organizations that a user is a member of. */
  async byIds(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, OrganizationForCaller>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<OrganizationForCaller>(
      `SELECT ${this.columns} ${FROM} AND o.id = ANY ($3)`,
      [userId, null, ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  async get(userId: string, id: string): Promise<OrganizationForCaller> {
    const row = await this.database.one<OrganizationForCaller>(`SELECT ${this.columns} ${FROM}`, [userId, id]);
    if (!row) throw notFound('Organization');
    return row;
  }

  /**
   * Throws `invalid` with the path of a fault in merge rules of a body: their shape, expressions that cannot be parsed,
   * and users who are not members of the organization; the same text for foreign and unknown ids.
   */
  async requireRules(
    organizationId: string,
    rules: MergeRules,
    { mayInherit }: { readonly mayInherit: boolean },
  ): Promise<void> {
    const fault = mergeRulesFault(rules, mayInherit);
    if (fault) throw invalid(['mergeRules', fault.path].filter((part) => part !== '').join('.'), fault.message);
    if (rules.type !== 'rules') return;
    const named = rules.rules.flatMap((rule, index) =>
      'users' in rule ? rule.users.map((id, at) => ({ id, path: `mergeRules.rules.${index}.users.${at}` })) : [],
    );
    if (named.length === 0) return;
    const rows = await this.database.query<{ id: string }>(
      'SELECT user_id AS id FROM member WHERE organization_id = $1 AND user_id = ANY ($2) AND NOT disabled',
      [organizationId, named.map(({ id }) => id)],
    );
    const missing = named.find(({ id }) => !rows.some((row) => row.id === id));
    if (missing) throw invalid(missing.path, 'is not a member of the organization');
  }

  /**
   * Changes settings; absent fields keep their value. Throws `invalid` for a default site of another organization, and
   * `conflict` for a hostname that is taken, or if single sign-on would be enforced before anyone has logged in through
   * it.
   */
  async update(userId: string, id: string, changes: UpdateOrganization): Promise<OrganizationForCaller> {
    await this.database.transaction(async () => {
      // Merges use the rules that they find, and lock the key of the organization's row: new rules apply before a merge
      // or after it.
      await this.members.lockAsAdmin(userId, id, changes.mergeRules ? 'UPDATE' : 'NO KEY UPDATE');
      const organization = await this.database.of(Organization).findOneByOrFail({ id });
      requireMatch(organization.version);
      if (changes.mergeRules) await this.requireRules(id, changes.mergeRules, { mayInherit: false });
      let isElsewhereChanged = false;
      for (const set of this.registry.contributionsTo(ORGANIZATION_SETTINGS))
        isElsewhereChanged = (await set(this.database, id, changes, this.addresses)) || isElsewhereChanged;
      if (changes.sso === true && !organization.sso) await this.requireWayIn(id);
      const before = { ...organization };
      Object.assign(organization, patchOf(changes));
      if (!isElsewhereChanged && isUnchanged(before, organization)) return;
      await this.database.of(Organization).update({ id }, { ...patchOf(changes), version: organization.version + 1 });
      await this.outbox.record({
        type: 'organization_updated',
        organizationId: id,
        target: id,
        payload: { fields: fieldsGiven(changes) },
        audit: { changes: changesOf(before, organization, LOGGED) },
      });
    });
    return this.get(userId, id);
  }

  /**
   * Joins by the caller's verified e-mail domain. Throws `notFound` for an unknown organization, `invalid` for a domain
   * that it does not admit.
   */
  async join({ userId }: Caller, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const organization = await this.database.one<{ emailDomains: string[]; defaultRole: AccessLevel }>(
        'SELECT email_domains AS "emailDomains", default_role AS "defaultRole" FROM organization WHERE id = $1 FOR SHARE',
        [id],
      );
      if (!organization) throw notFound('Organization');
      const domain = await this.verifiedDomain(userId);
      if (domain === undefined || !organization.emailDomains.includes(domain)) {
        throw new DomainError('invalid', 'The organization admits no verified e-mail address of your domain');
      }
      const member = await this.database.one(
        'SELECT FROM member WHERE organization_id = $1 AND user_id = $2 AND NOT disabled',
        [id, userId],
      );
      if (!member) await this.members.admit(id, userId, organization.defaultRole);
    });
  }

  /**
   * The organizations that admit a domain, for callers with a verified address in it; none for all others. `member` is
   * the organization as a member sees it who is let in, undefined for other people.
   */
  async joinable(
    caller: Caller,
    domain: string,
  ): Promise<{ readonly organization: Organization; readonly member: OrganizationForCaller | undefined }[]> {
    if ((await this.verifiedDomain(caller.userId)) !== domain) return [];
    const found = await this.database
      .of(Organization)
      .createQueryBuilder('o')
      .where('o.email_domains @> ARRAY[:domain]::text[]', { domain })
      .andWhere('(:only::text IS NULL OR o.id = :only)', { only: caller.organizationId ?? null })
      .orderBy('o.created_at')
      .addOrderBy('o.id')
      .getMany();
    const rows = await this.database.query<OrganizationForCaller>(
      `SELECT ${this.columns} ${OPEN} AND o.id = ANY ($4)`,
      [caller.userId, caller.organizationId, requestAddress(), found.map(({ id }) => id)],
    );
    return found.map((organization) => ({ organization, member: rows.find(({ id }) => id === organization.id) }));
  }

  /** The organization with a subdomain, for its members. */
  async subdomain(
    caller: Caller,
    subdomain: string,
  ): Promise<{ readonly subdomain: string; readonly organizationId: string }> {
    const row = await this.database.one<{ id: string }>(`SELECT o.id ${OPEN} AND o.hostname = $4`, [
      caller.userId,
      caller.organizationId,
      requestAddress(),
      subdomain,
    ]);
    if (!row) throw notFound('Subdomain');
    return { subdomain, organizationId: row.id };
  }

  /** Prevents members from being locked out by single sign-on that was never tried. */
  private async requireWayIn(id: string): Promise<void> {
    for (const hasWayIn of this.registry.contributionsTo(WAYS_IN)) {
      if (await hasWayIn(this.database, id)) return;
    }
    throw new DomainError(
      'conflict',
      'Single sign-on can be enforced once somebody has logged in by it: no identity provider of this organization is active yet',
      [{ path: 'sso', message: 'needs an active identity provider' }],
    );
  }

  private async verifiedDomain(userId: string): Promise<string | undefined> {
    const row = await this.database.one<{ domain: string }>(
      `SELECT lower(substring(email FROM '[^@]*$')) AS domain FROM account WHERE id = $1 AND email_verified AND NOT disabled`,
      [userId],
    );
    return row?.domain;
  }

  /** Creates an organization whose first member and administrator is the given user. */
  async create(userId: string, facts: { title: string; emailDomains?: string[] }): Promise<OrganizationForCaller> {
    const id = newId();
    const now = this.clock.now();
    await this.database.transaction(async () => {
      await this.database
        .of(Organization)
        .insert({ id, title: facts.title.trim(), emailDomains: facts.emailDomains ?? [], createdAt: now });
      await this.database.of(Member).insert({ organizationId: id, userId, role: 'admin', joinedAt: now });
      await this.outbox.record({ type: 'organization_created', organizationId: id, target: id });
    });
    return this.get(userId, id);
  }
}

function patchOf({
  defaultContent: _,
  defaultRole,
  mergeRules,
  title,
  ...plain
}: UpdateOrganization): Partial<Organization> {
  return {
    ...plain,
    ...(title !== undefined && { title: title.trim() }),
    ...(defaultRole !== undefined && { defaultRole: storedLevel(defaultRole) }),
    ...(mergeRules !== undefined && { mergeRules: readMergeRules(mergeRules) }),
  };
}
