import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { isGuest, Members } from '../organizations/members.service.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { TeamMembers } from './team-members.service.js';
import { Team } from './team.entity.js';
import type {
  CreateTeam,
  TeamForCaller,
  TeamOfMember,
  TeamRole,
  TeamsQuery,
  TitledQuery,
  UpdateTeam,
} from './teams.schema.js';

/**
 * Teams $3 of organization $2 for the caller $1, a guest ($4) or not: the exceptions are the teams that guests can see,
 * or that others cannot.
 */
const LOAD = `WITH exception AS MATERIALIZED (SELECT x.space_id FROM exceptional_spaces($1, $2) x)
  SELECT t.id, t.title, t.version, t.created_at AS "createdAt",
         (SELECT count(*)::int FROM team_member m WHERE m.organization_id = $2 AND m.team_id = t.id) AS members,
         (SELECT count(*)::int FROM team_spaces($2, t.id) r WHERE EXISTS (SELECT FROM exception e WHERE e.space_id = r.space_id) = $4) AS spaces,
         $5 OR (NOT $4 AND EXISTS (SELECT FROM team_member m WHERE m.organization_id = $2 AND m.team_id = t.id AND m.user_id = $1 AND m.role = 'owner')) AS "mayManage"
    FROM team t WHERE t.organization_id = $2 AND t.id = ANY ($3)`;

const ORDER = [
  { expression: 't.created_at', type: 'timestamptz' },
  { expression: 't.id', type: 'text' },
] as const;
const TITLED = `($2::text IS NULL OR strpos(lower(t.title), lower($2)) > 0)`;

@Injectable()
export class Teams {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly members: Members,
    private readonly teamMembers: TeamMembers,
  ) {}

  /** The teams of an organization, newest first. */
  async list(callerId: string, organization: OrganizationAccess, query: TeamsQuery): Promise<Page<TeamForCaller>> {
    const { title = null, owner = null } = query;
    const ids = await this.pages.list<{ id: string }>(query, {
      scope: ['teams', organization.id, title, owner],
      select: 't.id',
      from: `FROM team t WHERE t.organization_id = $1 AND ${TITLED}
               AND ($3::text IS NULL OR EXISTS (SELECT FROM team_member m
                     WHERE m.organization_id = t.organization_id AND m.team_id = t.id AND m.user_id = $3 AND m.role = 'owner'))`,
      values: [organization.id, title, owner],
      order: ORDER,
      direction: 'desc',
    });
    return ids.with(
      await this.load(
        callerId,
        organization,
        ids.items.map(({ id }) => id),
      ),
    );
  }

  /** Lists the teams of a member. Throws `notFound` for a member whom the caller cannot see. */
  async listOfMember(
    callerId: string,
    organization: OrganizationAccess,
    userId: string,
    query: TitledQuery,
  ): Promise<Page<TeamOfMember>> {
    await this.members.get(callerId, organization, userId);
    const { title = null } = query;
    const page = await this.pages.list<{ id: string; role: TeamRole }>(query, {
      scope: ['member-teams', organization.id, userId, title],
      select: 't.id, m.role',
      from: `FROM team_member m JOIN team t ON t.organization_id = m.organization_id AND t.id = m.team_id
              WHERE m.organization_id = $1 AND m.user_id = $3 AND ${TITLED}`,
      count: `SELECT count(*) AS count FROM team_member m
               WHERE m.organization_id = $1 AND m.user_id = $3 AND ($2::text IS NULL OR EXISTS (SELECT FROM team t WHERE t.id = m.team_id AND ${TITLED}))`,
      values: [organization.id, title, userId],
      // Ids begin with their creation time, so this is the order of the list above.
      order: [{ expression: 'm.team_id', type: 'text' }],
      direction: 'desc',
    });
    const teams = new Map(
      (
        await this.load(
          callerId,
          organization,
          page.items.map(({ id }) => id),
        )
      ).map((team) => [team.id, team]),
    );
    return page.with(
      page.items.flatMap(({ id, role }) => {
        const team = teams.get(id);
        return team ? [{ team, role }] : [];
      }),
    );
  }

  async get(callerId: string, organization: OrganizationAccess, teamId: string): Promise<TeamForCaller> {
    const [team] = await this.load(callerId, organization, [teamId]);
    if (!team) throw notFound('Team');
    return team;
  }

  /** Creates a team, with members named by id or e-mail address. */
  async create(
    callerId: string,
    organization: OrganizationAccess,
    { title, members = [] }: CreateTeam,
  ): Promise<TeamForCaller> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organization.id);
      await this.database.of(Team).insert({ id, organizationId: organization.id, title: title.trim(), createdAt: now });
      await this.outbox.record({
        type: 'team_created',
        organizationId: organization.id,
        target: id,
        payload: { title: title.trim() },
      });
      await this.teamMembers.addNew(organization.id, id, members);
    });
    return this.get(callerId, organization, id);
  }

  async update(
    callerId: string,
    organization: OrganizationAccess,
    teamId: string,
    { title }: UpdateTeam,
  ): Promise<TeamForCaller> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organization.id);
      const team = await this.lock(organization.id, teamId);
      if (!team) throw notFound('Team');
      requireMatch(team.version);
      if (team.title === title.trim()) return;
      await this.database.of(Team).update({ organizationId: organization.id, id: teamId }, { title: title.trim() });
      await this.outbox.record({
        type: 'team_updated',
        organizationId: organization.id,
        target: teamId,
        payload: { title: title.trim() },
        audit: { changes: [{ field: 'title', before: team.title, after: title.trim() }] },
      });
    });
    return this.get(callerId, organization, teamId);
  }

  /** Removes a team with all its grants; roles that it alone gave end at once. */
  async remove(callerId: string, organizationId: string, teamId: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      const team = await this.lock(organizationId, teamId);
      if (!team) return;
      requireMatch(team.version);
      await this.database.of(Team).delete({ organizationId, id: teamId });
      await this.outbox.record({
        type: 'team_deleted',
        organizationId,
        target: teamId,
        payload: { title: team.title },
      });
    });
  }

  /** Returns those of the given ids that are teams of the organization, in the given order, in one query. */
  async load(callerId: string, organization: OrganizationAccess, ids: readonly string[]): Promise<TeamForCaller[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<TeamForCaller & Record<string, unknown>>(LOAD, [
      callerId,
      organization.id,
      ids,
      isGuest(organization),
      organization.role === 'admin',
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  private lock(organizationId: string, teamId: string): Promise<{ title: string; version: number } | undefined> {
    return this.database.one(
      'SELECT title, version FROM team WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [organizationId, teamId],
    );
  }
}
