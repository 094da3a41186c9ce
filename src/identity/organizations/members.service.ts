import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { allows } from '../../kernel/access/permissions.js';
import type { AccessLevel } from '../../kernel/common/roles.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { Pages, type ListStatement, type Page } from '../../kernel/common/page.js';
import { furtherColumns, type ContributedColumn } from '../../kernel/platform/manifest/contributed-columns.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Tokens } from '../users/tokens.service.js';
import { endBypasses } from './end-bypasses.js';
import { Member } from './member.entity.js';
import type { MemberForCaller, MembersQuery, UpdateMember } from './members.schema.js';
import { MEMBER_COLUMNS, MEMBERSHIP_END } from './organizations.points.js';
import { assignedRole } from './custom-roles/assignment.js';
import { changesOf } from '../../kernel/platform/audit-changes.js';

/**
 * Members of organization $2 by ids $3 for the caller $1, a guest ($4) or not. `spaces` is the total without the spaces
 * that either of the two cannot see; for a guest it is the number that the guest can see without those that the caller
 * cannot.
 */
const load = (
  further: readonly ContributedColumn[],
): string => `WITH hidden AS MATERIALIZED (SELECT x.space_id FROM exceptional_spaces($1, $2) x),
  own AS MATERIALIZED (
    SELECT e.user_id, count(*) AS more FROM exceptional_spaces_of($3, $2) e
     WHERE NOT EXISTS (SELECT FROM hidden h WHERE h.space_id = e.space_id) GROUP BY e.user_id)
  SELECT m.user_id AS id, m.role, m.custom_role_id AS "customRoleId", m.disabled, m.sso, m.joined_at AS "joinedAt", m.last_seen_at AS "lastSeenAt", m.version,
         a.display_name AS "displayName", a.email, a.photo_url AS "photoURL",
         (CASE WHEN m.disabled THEN 0
               WHEN $4 THEN (SELECT count(*) FROM hidden)
               WHEN m.role = 'none' THEN coalesce(own.more, 0)
               ELSE coalesce((SELECT t.spaces FROM organization_total t WHERE t.organization_id = $2), 0) - (SELECT count(*) FROM hidden) - coalesce(own.more, 0) END)::int AS spaces${furtherColumns(further)}
    FROM member m JOIN account a ON a.id = m.user_id
    LEFT JOIN own ON own.user_id = m.user_id
   WHERE m.organization_id = $2 AND m.user_id = ANY ($3)`;

const END_BYPASSES = endBypasses('organization', 'id = $1');

/** Length in characters of the parts of names that are indexed. */
const TRIGRAM_LENGTH = 3;

@Injectable()
export class Members {
  private readonly loading: string;

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly tokens: Tokens,
    private readonly registry: Registry,
  ) {
    this.loading = load(registry.contributionsTo(MEMBER_COLUMNS));
  }

  /** Lists the members of an organization, including guests and disabled ones. */
  async list(callerId: string, organization: OrganizationAccess, query: MembersQuery): Promise<Page<MemberForCaller>> {
    const ids = await this.pages.list<{ id: string }>(query, statementOf(organization.id, query));
    return ids.with(
      await this.load(
        callerId,
        organization,
        ids.items.map(({ id }) => id),
      ),
    );
  }

  /** Returns those of the given users who are members, in the given order. */
  async load(callerId: string, organization: OrganizationAccess, ids: readonly string[]): Promise<MemberForCaller[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<MemberForCaller & Record<string, unknown>>(this.loading, [
      callerId,
      organization.id,
      ids,
      isGuest(organization),
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Throws `notFound` for people who are not members, and for guests who request other people than themselves. */
  async get(callerId: string, organization: OrganizationAccess, userId: string): Promise<MemberForCaller> {
    this.requireVisible(callerId, organization, userId);
    const [member] = await this.load(callerId, organization, [userId]);
    if (!member) throw notFound('Member');
    return member;
  }

  /** Guests see only themselves; throws `notFound` otherwise. */
  requireVisible(callerId: string, organization: OrganizationAccess, userId: string): void {
    if (userId !== callerId && !allows('organization:listMembers', organization.role)) throw notFound('Member');
  }

  /** Changes a member's role; throws `conflict` for the last administrator, `invalid` for an unknown custom role. */
  async update(
    callerId: string,
    organization: OrganizationAccess,
    userId: string,
    wanted: UpdateMember,
  ): Promise<MemberForCaller> {
    await this.change(callerId, organization.id, userId, async (member) => {
      if (!member) throw notFound('Member');
      requireMatch(member.version);
      const before = { level: member.role, customRoleId: member.customRoleId };
      const { level, customRoleId } = await assignedRole(this.database, organization.id, wanted, before);
      const changes = changesOf(
        { role: before.level, customRole: before.customRoleId },
        { role: level, customRole: customRoleId },
        ['role', 'customRole'],
      );
      if (changes.length === 0) return;
      if (level !== 'admin') await this.requireOtherAdmin(organization.id, member);
      await this.database.of(Member).update({ organizationId: organization.id, userId }, { role: level, customRoleId });
      await this.outbox.record({
        type: 'member_updated',
        organizationId: organization.id,
        target: userId,
        payload: {
          previousRole: before.level,
          role: level,
          ...(customRoleId !== before.customRoleId && { customRole: customRoleId }),
        },
        audit: { changes },
      });
    });
    return this.get(callerId, organization, userId);
  }

  /** Requires a member to sign in through a provider of the organization. */
  async requireSso(callerId: string, organization: OrganizationAccess, userId: string): Promise<MemberForCaller> {
    await this.change(callerId, organization.id, userId, async (member) => {
      if (!member) throw notFound('Member');
      if (member.sso) return;
      await this.database.of(Member).update({ organizationId: organization.id, userId }, { sso: true });
      await this.outbox.record({
        type: 'member_updated',
        organizationId: organization.id,
        target: userId,
        payload: { sso: true },
        audit: { changes: [{ field: 'sso', before: false, after: true }] },
      });
    });
    return this.get(callerId, organization, userId);
  }

  /**
   * Shuts a member out, or lets them in again; teams and grants stay. Throws `conflict` for the last administrator.
   */
  async setDisabled(callerId: string, organizationId: string, userId: string, disabled: boolean): Promise<void> {
    await this.change(callerId, organizationId, userId, async (member) => {
      if (!member) throw notFound('Member');
      if (member.disabled === disabled) return;
      if (disabled) await this.requireOtherAdmin(organizationId, member);
      await this.database.of(Member).update({ organizationId, userId }, { disabled });
      await this.outbox.record({
        type: 'member_updated',
        organizationId,
        target: userId,
        payload: { disabled },
        audit: { changes: [{ field: 'disabled', before: !disabled, after: disabled }] },
      });
    });
  }

  /**
   * Ends a membership and everything that depends on it: grants, teams, requested reviews, tokens of this organization,
   * open invitations. Throws `conflict` for the last administrator.
   */
  async remove(callerId: string, organizationId: string, userId: string): Promise<void> {
    await this.change(callerId, organizationId, userId, async (member) => {
      if (!member) return;
      requireMatch(member.version);
      await this.requireOtherAdmin(organizationId, member);
      // The membership is deleted first: this waits for concurrent grants to the member, which are then visible.
      await this.database.of(Member).delete({ organizationId, userId });
      await this.database.execute(END_BYPASSES, [organizationId, userId]);
      for (const end of this.registry.contributionsTo(MEMBERSHIP_END))
        await end(this.database, { organizationId, userId });
      const endedTokens = await this.tokens.endWithin(organizationId, userId);
      await this.outbox.record({
        type: 'member_removed',
        organizationId,
        target: userId,
        payload: { endedTokens },
        audit: { changes: [{ field: 'role', before: member.role, after: null }] },
      });
    });
  }

  /**
   * Makes a user a member, in the ambient transaction. An existing member keeps the higher of the two roles; throws
   * `notFound` for a member who was disabled.
   */
  async admit(organizationId: string, userId: string, role: AccessLevel, { sso = false } = {}): Promise<void> {
    const before = await this.database.one<{ role: AccessLevel; disabled: boolean }>(
      'SELECT role, disabled FROM member WHERE organization_id = $1 AND user_id = $2 FOR NO KEY UPDATE',
      [organizationId, userId],
    );
    if (before?.disabled) throw notFound('Organization');
    const rows = await this.database.query<{ role: AccessLevel }>(
      `INSERT INTO member AS m (organization_id, user_id, role, sso, joined_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role, custom_role_id = NULL, version = m.version + 1 WHERE m.role < excluded.role
       RETURNING role`,
      [organizationId, userId, role, sso, this.clock.now()],
    );
    if (rows.length === 0) return;
    if (before)
      await this.outbox.record({
        type: 'member_updated',
        organizationId,
        target: userId,
        payload: { previousRole: before.role, role },
        audit: { changes: [{ field: 'role', before: before.role, after: role }] },
      });
    else
      await this.outbox.record({
        type: 'member_joined',
        organizationId,
        target: userId,
        payload: { role, ...(sso && { sso }) },
      });
  }

  /** Records that a member is active. */
  async seen(organizationId: string, userId: string): Promise<void> {
    await this.database.execute('UPDATE member SET last_seen_at = $3 WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      userId,
      this.clock.now(),
    ]);
  }

  /** Locks an organization and checks again whether the caller administers it; throws `forbidden` otherwise. */
  async lockAsAdmin(
    callerId: string,
    organizationId: string,
    strength: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
  ): Promise<void> {
    await this.lock(organizationId, strength);
    const caller = await this.database.one<{ role: AccessLevel }>(
      'SELECT role FROM member WHERE organization_id = $1 AND user_id = $2 AND NOT disabled FOR SHARE',
      [organizationId, callerId],
    );
    if (caller?.role !== 'admin') throw new DomainError('forbidden', 'Requires the role admin in the organization');
  }

  /** Locks an organization until the transaction ends, for those who need no role in it. */
  async lock(organizationId: string, strength: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE'): Promise<void> {
    await this.database.execute(`SELECT FROM organization WHERE id = $1 FOR ${strength}`, [organizationId]);
  }

  /** Runs a change of one member under the lock that serializes all changes of members of an organization. */
  private async change(
    callerId: string,
    organizationId: string,
    userId: string,
    work: (member: Member | null) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async () => {
      await this.lockAsAdmin(callerId, organizationId);
      const member = await this.database
        .of(Member)
        .createQueryBuilder('m')
        .where('m.organization_id = :organizationId AND m.user_id = :userId', { organizationId, userId })
        .setLock('for_no_key_update')
        .getOne();
      await work(member);
    });
  }

  private async requireOtherAdmin(organizationId: string, member: Member): Promise<void> {
    if (member.role !== 'admin') return;
    const other = await this.database.one(
      `SELECT FROM member m JOIN account a ON a.id = m.user_id
        WHERE m.organization_id = $1 AND m.role = 'admin' AND m.user_id <> $2 AND NOT m.disabled AND NOT a.disabled LIMIT 1`,
      [organizationId, member.userId],
    );
    if (!other)
      throw new DomainError(
        'conflict',
        'An organization needs an administrator: give another member the role admin first',
      );
  }
}

export function isGuest(organization: OrganizationAccess): boolean {
  return organization.role === 'none';
}

function statementOf(organizationId: string, { role, customRole, search, sort, order }: MembersQuery): ListStatement {
  const values: unknown[] = [organizationId];
  const conditions = ['m.organization_id = $1'];
  if (role !== undefined) conditions.push(`m.role = $${values.push(role === 'guest' ? 'none' : role)}`);
  if (customRole !== undefined) conditions.push(`m.custom_role_id = $${values.push(customRole)}`);
  const isSearch = search !== undefined && search !== '';
  const person = isSearch ? named(search, values.push(search)) : 'account a';
  if (sort === 'lastSeenAt') conditions.push('m.last_seen_at IS NOT NULL', 'NOT m.disabled');
  const isNamed = sort === 'name' || isSearch;
  return {
    scope: ['members', organizationId, role, customRole, search, sort, order],
    select: 'm.user_id AS id',
    from: `FROM member m ${isNamed ? `JOIN ${person} ON a.id = m.user_id` : ''} WHERE ${conditions.join(' AND ')}`,
    values,
    ...(isSearch || customRole !== undefined
      ? { countsItself: true }
      : {
          count: `SELECT coalesce(sum(m.members), 0) AS count FROM organization_member_total m
               WHERE m.organization_id = $1 ${role === undefined ? '' : 'AND m.role = $2'} ${sort === 'lastSeenAt' ? 'AND m.seen AND NOT m.disabled' : ''}`,
        }),
    order: {
      joinedAt: [
        { expression: 'm.joined_at', type: 'timestamptz' as const },
        { expression: 'm.user_id', type: 'text' as const },
      ],
      lastSeenAt: [
        { expression: 'm.last_seen_at', type: 'timestamptz' as const },
        { expression: 'm.user_id', type: 'text' as const },
      ],
      name: [
        { expression: 'lower(a.display_name)', type: 'text' as const },
        { expression: 'a.id', type: 'text' as const },
      ],
    }[sort],
    direction: order,
  };
}

/**
 * The accounts `a` whose name or address contains a text, parameter `at`. The trigram index finds them (OFFSET prevents
 * that the members are read first); shorter texts have no trigrams, and most names contain them anyway.
 */
function named(text: string, at: number): string {
  const holds = `(strpos(lower(a.display_name), lower($${at})) > 0 OR strpos(lower(a.email), lower($${at})) > 0)`;
  if ([...text].length < TRIGRAM_LENGTH) return `(SELECT a.id, a.display_name FROM account a WHERE ${holds}) a`;
  return `(SELECT a.id, a.display_name FROM account a WHERE (trigrams(a.display_name) || trigrams(a.email)) @> trigrams($${at}) AND ${holds} OFFSET 0) a`;
}
