import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { AccessLevel } from '../../kernel/common/roles.js';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Members } from '../organizations/members.service.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import {
  TEAM_ROLES,
  type MemberOfTeam,
  type SetTeamMember,
  type TeamRole,
  type UpdateTeamMembers,
} from './teams.schema.js';

const MAX_MEMBERSHIPS = 1000;

/** A person in a body: by id or e-mail address; `path` is the path of the field. */
interface Named {
  readonly name: string;
  readonly path: string;
}

/** The members of teams; administrators of the organization and owners of the team manage them. */
@Injectable()
export class TeamMembers {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly members: Members,
  ) {}

  /** The members of a team, latest first. */
  async list(
    callerId: string,
    organization: OrganizationAccess,
    teamId: string,
    request: PageRequest,
  ): Promise<Page<MemberOfTeam>> {
    const team = await this.database.one('SELECT FROM team WHERE organization_id = $1 AND id = $2', [
      organization.id,
      teamId,
    ]);
    if (!team) throw notFound('Team');
    const page = await this.pages.list<{ id: string; role: TeamRole }>(request, {
      scope: ['team-members', organization.id, teamId],
      select: 'm.user_id AS id, m.role',
      from: 'FROM team_member m WHERE m.organization_id = $1 AND m.team_id = $2',
      values: [organization.id, teamId],
      order: [
        { expression: 'm.created_at', type: 'timestamptz' },
        { expression: 'm.user_id', type: 'text' },
      ],
      direction: 'desc',
    });
    const members = new Map(
      (
        await this.members.load(
          callerId,
          organization,
          page.items.map(({ id }) => id),
        )
      ).map((member) => [member.id, member]),
    );
    return page.with(
      page.items.flatMap(({ id, role }) => {
        const member = members.get(id);
        return member ? [{ member, role }] : [];
      }),
    );
  }

  /**
   * Adds, changes and removes members in one step; removal takes precedence. Throws `invalid` with the path of a person
   * who is not a member of the organization.
   */
  async update(callerId: string, organizationId: string, teamId: string, changes: UpdateTeamMembers): Promise<void> {
    const roles = rolesOf(changes.memberships ?? {});
    const adding = named(changes.add ?? [], 'add');
    const removing = named(changes.remove ?? [], 'remove');
    await this.database.transaction(async () => {
      await this.lockAsManager(callerId, organizationId, teamId);
      const ids = await this.resolve(organizationId, [...adding, ...removing, ...roles.map(({ who }) => who)]);
      const wanted = new Map<string, TeamRole | undefined>();
      for (const { path } of adding) wanted.set(ids.get(path) ?? '', undefined);
      for (const { who, role } of roles) wanted.set(ids.get(who.path) ?? '', role);
      const removed = new Set(removing.map(({ path }) => ids.get(path) ?? ''));
      for (const id of removed) wanted.delete(id);
      await this.put(organizationId, teamId, wanted);
      await this.take(organizationId, teamId, [...removed]);
    });
  }

  /** Adds one member or changes the role; throws `notFound` for people who are not members of the organization. */
  async set(
    callerId: string,
    organizationId: string,
    teamId: string,
    userId: string,
    { role }: SetTeamMember,
  ): Promise<void> {
    await this.database.transaction(async () => {
      await this.lockAsManager(callerId, organizationId, teamId);
      const member = await this.database.one(
        'SELECT FROM member WHERE organization_id = $1 AND user_id = $2 AND NOT disabled FOR KEY SHARE',
        [organizationId, userId],
      );
      if (!member) throw notFound('Member');
      await this.put(organizationId, teamId, new Map([[userId, role]]));
    });
  }

  async remove(callerId: string, organizationId: string, teamId: string, userId: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.lockAsManager(callerId, organizationId, teamId);
      await this.take(organizationId, teamId, [userId]);
    });
  }

  /** Adds members to a team that was created in the ambient transaction; throws as `update` does. */
  async addNew(organizationId: string, teamId: string, members: readonly string[]): Promise<void> {
    const ids = await this.resolve(organizationId, named(members, 'members'));
    await this.put(organizationId, teamId, new Map([...ids.values()].map((id) => [id, undefined])));
  }

  /**
   * Adds members of the organization, by id, and removes others: those of `remove`, or with `keepsOthers` false all who
   * are not added. People who are in the team already keep their role.
   */
  async replace(
    callerId: string,
    organizationId: string,
    teamId: string,
    { add, remove, keepsOthers }: { add: readonly string[]; remove: readonly string[]; keepsOthers: boolean },
  ): Promise<void> {
    await this.database.transaction(async () => {
      await this.lockAsManager(callerId, organizationId, teamId);
      const leaving = keepsOthers ? remove : await this.othersThan(organizationId, teamId, add);
      await this.take(organizationId, teamId, leaving);
      await this.put(organizationId, teamId, new Map(add.map((id) => [id, undefined])));
    });
  }

  private async othersThan(organizationId: string, teamId: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT user_id AS id FROM team_member WHERE organization_id = $1 AND team_id = $2 AND user_id <> ALL ($3)',
      [organizationId, teamId, ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks a team and checks again whether the caller may change its members. */
  private async lockAsManager(callerId: string, organizationId: string, teamId: string): Promise<void> {
    const caller = await this.database.one<{ role: AccessLevel }>(
      'SELECT role FROM member WHERE organization_id = $1 AND user_id = $2 AND NOT disabled FOR SHARE',
      [organizationId, callerId],
    );
    const team = await this.database.one('SELECT FROM team WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      organizationId,
      teamId,
    ]);
    if (!caller || !team) throw notFound('Team');
    if (caller.role === 'admin') return;
    const own = await this.database.one<{ role: TeamRole }>(
      'SELECT role FROM team_member WHERE organization_id = $1 AND team_id = $2 AND user_id = $3',
      [organizationId, teamId, callerId],
    );
    if (own?.role !== 'owner' || caller.role === 'none')
      throw new DomainError('forbidden', 'Requires an owner of the team or the role admin in the organization');
  }

  /** Resolves people to ids, by path. Foreign and unknown ones are refused with the same text. */
  private async resolve(organizationId: string, people: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    if (people.length === 0) return new Map();
    const rows = await this.database.query<{ path: string; id: string }>(
      `SELECT DISTINCT ON (p.path) p.path, m.user_id AS id
         FROM unnest($2::text[], $3::text[]) AS p (path, name)
         JOIN account a ON a.id = p.name OR lower(a.email) = lower(p.name)
         JOIN member m ON m.organization_id = $1 AND m.user_id = a.id AND NOT m.disabled
        ORDER BY p.path, (a.id = p.name) DESC`,
      [organizationId, people.map(({ path }) => path), people.map(({ name }) => name)],
    );
    const ids = new Map(rows.map(({ path, id }) => [path, id]));
    const unknown = people.find(({ path }) => !ids.has(path));
    if (unknown) throw invalid(unknown.path, 'is not a member of the organization');
    return ids;
  }

  private async put(
    organizationId: string,
    teamId: string,
    wanted: ReadonlyMap<string, TeamRole | undefined>,
  ): Promise<void> {
    if (wanted.size === 0) return;
    const rows = await this.database.query<{ id: string; role: TeamRole }>(
      `INSERT INTO team_member AS t (organization_id, team_id, user_id, role, created_at)
       SELECT $1, $2, w.id, coalesce(w.role::team_role, 'member'), $5 FROM unnest($3::text[], $4::text[]) AS w (id, role)
       ON CONFLICT (organization_id, team_id, user_id) DO UPDATE SET role = excluded.role
         WHERE t.role <> excluded.role AND excluded.user_id = ANY ($6)
       RETURNING user_id AS id, role`,
      [
        organizationId,
        teamId,
        [...wanted.keys()],
        [...wanted.values()].map((role) => role ?? null),
        this.clock.now(),
        [...wanted].flatMap(([id, role]) => (role ? [id] : [])),
      ],
    );
    if (rows.length === 0) return;
    const idsOf = (role: TeamRole): string[] => rows.filter((row) => row.role === role).map(({ id }) => id);
    await this.outbox.record({
      type: 'team_members_set',
      organizationId,
      target: teamId,
      payload: { ownerIds: idsOf('owner'), memberIds: idsOf('member') },
    });
  }

  private async take(organizationId: string, teamId: string, ids: readonly string[]): Promise<void> {
    const rows = await this.database.query<{ id: string }>(
      'DELETE FROM team_member WHERE organization_id = $1 AND team_id = $2 AND user_id = ANY ($3) RETURNING user_id AS id',
      [organizationId, teamId, ids],
    );
    if (rows.length === 0) return;
    await this.outbox.record({
      type: 'team_members_removed',
      organizationId,
      target: teamId,
      payload: { userIds: rows.map(({ id }) => id) },
    });
  }
}

function named(names: readonly string[], field: string): Named[] {
  return names.map((name, index) => ({ name, path: `${field}.${index}` }));
}

/** The roles in a body, with the people for each; throws `invalid` for other values. */
function rolesOf(memberships: Readonly<Record<string, unknown>>): { who: Named; role: TeamRole }[] {
  const entries = Object.entries(memberships);
  if (entries.length > MAX_MEMBERSHIPS)
    throw invalid('memberships', `must not name more than ${MAX_MEMBERSHIPS} people`);
  return entries.map(([name, value]) => {
    const path = `memberships.${name}`;
    const given: unknown = typeof value === 'object' && value !== null ? (value as { role?: unknown }).role : undefined;
    const role = TEAM_ROLES.find((each) => each === given);
    if (!role) throw invalid(`${path}.role`, `must be one of ${TEAM_ROLES.join(', ')}`);
    return { who: { name, path }, role };
  });
}
