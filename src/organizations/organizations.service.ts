import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/context.js';
import { Clock } from '../common/clock.js';
import { Database } from '../common/database.js';
import { invalid, notFound } from '../common/errors.js';
import { newId } from '../common/ids.js';
import { Pages, type Page, type PageRequest } from '../common/page.js';
import { Outbox } from '../platform/outbox.js';
import type { MergeRules } from './domain/merge-rules.js';
import { Member } from './member.entity.js';
import { Organization } from './organization.entity.js';
import type { OrganizationForCaller } from './organizations.schema.js';

const COLUMNS = `o.id, o.title, o.email_domains AS "emailDomains", o.hostname, o.type, o.use_case AS "useCase",
  o.community_type AS "communityType", o.default_role AS "defaultRole", (SELECT d.site_id FROM organization_default_site d WHERE d.organization_id = o.id) AS "defaultSiteId", o.sso, o.ai,
  o.invite_links AS "inviteLinks", o.merge_rules AS "mergeRules", o.logo, o.version, o.created_at AS "createdAt",
  m.role AS "callerRole",
  EXISTS (SELECT FROM team_member t WHERE t.organization_id = o.id AND t.user_id = m.user_id AND t.role = 'owner') AS "ownsTeam"`;
const FROM = `FROM organization o JOIN member m ON m.organization_id = o.id
  WHERE m.user_id = $1 AND NOT m.disabled AND o.id = coalesce($2, o.id)`;

@Injectable()
export class Organizations {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /** The organizations that the caller is a member of. */
  list(caller: Caller, request: PageRequest): Promise<Page<OrganizationForCaller>> {
    return this.pages.list<OrganizationForCaller>(request, {
      scope: ['organizations', caller.userId],
      select: COLUMNS,
      from: FROM,
      values: [caller.userId, caller.organizationId],
      order: [
        { expression: 'o.created_at', type: 'timestamptz' },
        { expression: 'o.id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  async get(userId: string, id: string): Promise<OrganizationForCaller> {
    const row = await this.database.one<OrganizationForCaller>(`SELECT ${COLUMNS} ${FROM}`, [userId, id]);
    if (!row) throw notFound('Organization');
    return row;
  }

  /** Throws `invalid` at `path` unless all users are members of the organization; the same text for foreign and unknown ids. */
  async requireMembers(organizationId: string, userIds: readonly string[], path: string): Promise<void> {
    if (userIds.length === 0) return;
    const rows = await this.database.query<{ id: string }>(
      'SELECT user_id AS id FROM member WHERE organization_id = $1 AND user_id = ANY ($2) AND NOT disabled',
      [organizationId, userIds],
    );
    const missing = userIds.findIndex((id) => !rows.some((row) => row.id === id));
    if (missing >= 0) throw invalid(`${path}.${missing}`, 'is not a member of the organization');
  }

  /** Checks the users that merge rules name; see `requireMembers`. */
  async requireRuleUsers(organizationId: string, rules: MergeRules): Promise<void> {
    if (rules.type !== 'rules') return;
    for (const [index, rule] of rules.rules.entries()) {
      if ('users' in rule) await this.requireMembers(organizationId, rule.users, `mergeRules.rules.${index}.users`);
    }
  }

  /** Makes an organization whose first member and administrator is the given user. */
  async create(userId: string, facts: { title: string; emailDomains?: string[] }): Promise<OrganizationForCaller> {
    const id = newId();
    const now = this.clock.now();
    await this.database.transaction(async () => {
      await this.database.of(Organization).insert({ id, title: facts.title.trim(), emailDomains: facts.emailDomains ?? [], createdAt: now });
      await this.database.of(Member).insert({ organizationId: id, userId, role: 'admin', joinedAt: now });
      await this.outbox.record({ type: 'organization.created', organizationId: id, target: id });
    });
    return this.get(userId, id);
  }
}
