import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { Members } from '../organizations/members.service.js';
import { Team } from '../teams/team.entity.js';
import { TeamMembers } from '../teams/team-members.service.js';
import { Teams } from '../teams/teams.service.js';
import { groupChanges, type GroupChanges } from './group-changes.js';
import { ScimGroup } from './scim-group.entity.js';
import { scimPage, type ScimPage } from './scim-lists.js';
import { MAX_GROUP_MEMBERS, type ScimGroupInput, type ScimListQuery } from './scim.schema.js';
import { withAttributes } from './user-attributes.js';

/** A team as a row of the statements below. */
export interface ProvisionedGroup {
  readonly id: string;
  readonly title: string;
  readonly externalId: string | null;
  readonly createdAt: Date;
  readonly members: readonly { readonly value: string; readonly display: string }[];
}

const COLUMNS = `t.id, t.title, s.external_id AS "externalId", t.created_at AS "createdAt"`;
const FROM = 'team t LEFT JOIN scim_group s ON s.organization_id = t.organization_id AND s.team_id = t.id';
const ONE = `SELECT ${COLUMNS} FROM ${FROM} WHERE t.organization_id = $1 AND t.id = $2`;
const TITLED =
  'SELECT FROM team WHERE organization_id = $1 AND lower(title) = lower($2) AND id IS DISTINCT FROM $3 LIMIT 1';
/** The members of teams $2, of each at most $3. */
const MEMBERS = `SELECT t.id AS "teamId", g.user_id AS value, a.display_name AS display FROM unnest($2::text[]) AS t (id)
  CROSS JOIN LATERAL (SELECT g.user_id FROM team_member g WHERE g.organization_id = $1 AND g.team_id = t.id ORDER BY g.user_id LIMIT $3) g
  JOIN account a ON a.id = g.user_id ORDER BY g.user_id`;

const CONDITIONS: Readonly<Record<string, (value: string) => string>> = {
  id: (value) => `t.id = ${value}`,
  displayname: (value) => `lower(t.title) = lower(${value})`,
  externalid: (value) => `s.external_id = ${value}`,
  members: inTeam,
  'members.value': inTeam,
};

function inTeam(value: string): string {
  return `EXISTS (SELECT FROM team_member g WHERE g.organization_id = t.organization_id AND g.team_id = t.id AND g.user_id = ${value})`;
}

/** The most groups in a page that also lists their members. */
const GROUPS_WITH_MEMBERS = 10;

/** Teams of an organization, as an identity provider provisions them. */
@Injectable()
export class ScimGroups {
  constructor(
    private readonly database: Database,
    private readonly members: Members,
    private readonly teams: Teams,
    private readonly teamMembers: TeamMembers,
  ) {}

  /** Pages with members have fewer groups, since groups may be large. */
  async list(organizationId: string, request: ScimListQuery): Promise<ScimPage<ProvisionedGroup>> {
    const withMembers = 'members' in withAttributes({ members: [] }, request);
    const count = withMembers ? Math.min(request.count ?? GROUPS_WITH_MEMBERS, GROUPS_WITH_MEMBERS) : request.count;
    const page = await scimPage<Omit<ProvisionedGroup, 'members'>>(
      this.database,
      { ...request, ...(count !== undefined && { count }) },
      {
        columns: COLUMNS,
        from: `${FROM} WHERE t.organization_id = $1`,
        conditions: CONDITIONS,
        order: 't.created_at, t.id',
        values: [organizationId],
      },
    );
    return {
      ...page,
      rows: withMembers
        ? await this.withMembers(organizationId, page.rows)
        : page.rows.map((row) => ({ ...row, members: [] })),
    };
  }

  async get(organizationId: string, teamId: string): Promise<ProvisionedGroup> {
    const team = await this.database.one<Omit<ProvisionedGroup, 'members'> & Record<string, unknown>>(ONE, [
      organizationId,
      teamId,
    ]);
    const [group] = team ? await this.withMembers(organizationId, [team]) : [];
    if (!group) throw notFound('Group');
    return group;
  }

  /**
   * Throws `conflict` for a team of that name, which providers find by its name instead, and `invalid` for people who are not members
   * of the organization.
   */
  async create(
    callerId: string,
    organization: OrganizationAccess,
    { displayName, externalId, members = [] }: ScimGroupInput,
  ): Promise<ProvisionedGroup> {
    const { id: organizationId } = organization;
    const teamId = await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      await this.requireFreeTitle(organizationId, displayName, null);
      const { id } = await this.teams.create(callerId, organization, { title: displayName });
      await this.apply(callerId, organization, id, {
        ...(externalId !== undefined && { externalId }),
        clears: false,
        add: new Set(members.map(({ value }) => value)),
        remove: new Set(),
      });
      return id;
    });
    return this.get(organizationId, teamId);
  }

  async replace(
    callerId: string,
    organization: OrganizationAccess,
    teamId: string,
    { displayName, externalId = null, members = [] }: ScimGroupInput,
  ): Promise<ProvisionedGroup> {
    return this.change(callerId, organization, teamId, {
      displayName,
      externalId,
      clears: true,
      add: new Set(members.map(({ value }) => value)),
      remove: new Set(),
    });
  }

  async patch(
    callerId: string,
    organization: OrganizationAccess,
    teamId: string,
    operations: readonly object[],
  ): Promise<ProvisionedGroup> {
    return this.change(callerId, organization, teamId, groupChanges(operations));
  }

  /** Removes a team with its grants; throws `notFound` if there is none. */
  async remove(callerId: string, organizationId: string, teamId: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organizationId);
      await this.requireTeam(organizationId, teamId);
      await this.teams.remove(callerId, organizationId, teamId);
    });
  }

  private async change(
    callerId: string,
    organization: OrganizationAccess,
    teamId: string,
    changes: GroupChanges,
  ): Promise<ProvisionedGroup> {
    await this.database.transaction(async () => {
      await this.members.lockAsAdmin(callerId, organization.id);
      const { title } = await this.requireTeam(organization.id, teamId);
      if (changes.displayName !== undefined) {
        if (changes.displayName.trim() !== title)
          await this.requireFreeTitle(organization.id, changes.displayName, teamId);
        await this.teams.update(callerId, organization, teamId, { title: changes.displayName });
      }
      await this.apply(callerId, organization, teamId, changes);
    });
    return this.get(organization.id, teamId);
  }

  private async apply(
    callerId: string,
    { id: organizationId }: OrganizationAccess,
    teamId: string,
    { externalId, clears, add, remove }: GroupChanges,
  ): Promise<void> {
    if (externalId === null) await this.database.of(ScimGroup).delete({ organizationId, teamId });
    else if (externalId !== undefined)
      await this.database.execute(
        `INSERT INTO scim_group (organization_id, team_id, external_id) VALUES ($1, $2, $3)
         ON CONFLICT (organization_id, team_id) DO UPDATE SET external_id = excluded.external_id`,
        [organizationId, teamId, externalId],
      );
    await this.requireMembers(organizationId, [...add]);
    await this.teamMembers.replace(callerId, organizationId, teamId, {
      add: [...add],
      remove: [...remove],
      keepsOthers: !clears,
    });
  }

  private async requireTeam(organizationId: string, teamId: string): Promise<Team> {
    const team = await this.database.of(Team).findOneBy({ organizationId, id: teamId });
    if (!team) throw notFound('Group');
    return team;
  }

  /** Throws `conflict` for the name of a team other than `teamId`, by which the provider finds that one. */
  private async requireFreeTitle(organizationId: string, displayName: string, teamId: string | null): Promise<void> {
    const title = displayName.trim();
    if (await this.database.one(TITLED, [organizationId, title, teamId]))
      throw new DomainError('conflict', `There is a team named ${title}`);
  }

  /** Members who are not active may be in groups. */
  private async requireMembers(organizationId: string, ids: readonly string[]): Promise<void> {
    if (ids.length > MAX_GROUP_MEMBERS) throw invalid('members', `must not name more than ${MAX_GROUP_MEMBERS} people`);
    const [unknown] = await this.database.query<{ id: string }>(
      `SELECT w.id FROM unnest($2::text[]) AS w (id)
        WHERE NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $1 AND m.user_id = w.id) LIMIT 1`,
      [organizationId, ids],
    );
    if (unknown) throw invalid('members', `${JSON.stringify(unknown.id)} is not a member of the organization`);
  }

  private async withMembers(
    organizationId: string,
    teams: readonly Omit<ProvisionedGroup, 'members'>[],
  ): Promise<ProvisionedGroup[]> {
    const rows = await this.database.query<{ teamId: string; value: string; display: string }>(MEMBERS, [
      organizationId,
      teams.map(({ id }) => id),
      MAX_GROUP_MEMBERS,
    ]);
    return teams.map((team) => ({
      ...team,
      members: rows.filter(({ teamId }) => teamId === team.id).map(({ value, display }) => ({ value, display })),
    }));
  }
}
