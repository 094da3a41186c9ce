import { Injectable } from '@nestjs/common';
import {
  Access,
  type CollectionAccess,
  type OrganizationAccess,
  type SiteAccess,
  type SpaceAccess,
} from '../../kernel/access/access.service.js';
import { allows, requireHeld } from '../../kernel/access/permissions.js';
import { atLeast, storedLevel, type AccessLevel } from '../../kernel/common/roles.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid, notFound } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { changesOf, type Change } from '../../kernel/platform/audit-changes.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Teams } from '../../identity/teams/teams.service.js';
import { audience, levelOf, MEMBERS_WITH, peopleOf, rolesWith } from './audience.js';
import {
  SPACES_AND_COLLECTIONS,
  type Granted,
  type GrantKind,
  type GrantStatements,
  type HolderKind,
} from './grant-tables.js';
import { GRANTED_THINGS } from './grants.points.js';
import type {
  AggregateQuery,
  EffectivePermission,
  GrantRoles,
  TeamPermission,
  UpdateGrant,
  UserPermission,
} from './grants.schema.js';
import { assignedRole, type AssignedRole } from '../../identity/organizations/custom-roles/assignment.js';

const USER_COLUMNS = 'a.id, a.display_name AS "displayName", a.email, a.photo_url AS "photoURL"';

const NAMES: Readonly<Record<GrantKind, string>> = { space: 'Space', collection: 'Collection', site: 'Site' };
const MORE_IN_SITE = 'A member would inherit a role on a space of the site that is above that of who gives it';

/** Ids by kind. */
type Holders = Readonly<Record<HolderKind, readonly string[]>>;

/** The roles that people and teams were granted on spaces, collections and sites. */
@Injectable()
export class Grants {
  private readonly things: readonly GrantStatements[];

  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly access: Access,
    private readonly outbox: Outbox,
    private readonly teams: Teams,
    registry: Registry,
  ) {
    this.things = [...SPACES_AND_COLLECTIONS, ...registry.contributionsTo(GRANTED_THINGS)];
  }

  /** Lists people with a grant of their own, latest first. */
  async listUsers(caller: Caller, on: Granted, request: PageRequest): Promise<Page<UserPermission>> {
    await this.requireInsider(caller, on.organizationId);
    return this.pages.list<UserPermission & Record<string, unknown>>(request, {
      scope: ['user-grants', on.kind, on.id],
      select: `${USER_COLUMNS}, g.role, g.custom_role_id AS "customRoleId"`,
      from: this.statementsOf(on).granted.user,
      values: [on.id],
      order: [
        { expression: 'g.created_at', type: 'timestamptz' },
        { expression: 'g.user_id', type: 'text' },
      ],
      direction: 'desc',
    });
  }

  /** Lists teams with a grant, latest first. */
  async listTeams(caller: Caller, on: Granted, request: PageRequest): Promise<Page<TeamPermission>> {
    const organization = await this.requireInsider(caller, on.organizationId);
    const page = await this.pages.list<{ id: string } & Omit<TeamPermission, 'team'>>(request, {
      scope: ['team-grants', on.kind, on.id],
      select: 'g.team_id AS id, g.role, g.custom_role_id AS "customRoleId"',
      from: this.statementsOf(on).granted.team,
      values: [on.id],
      order: [
        { expression: 'g.created_at', type: 'timestamptz' },
        { expression: 'g.team_id', type: 'text' },
      ],
      direction: 'desc',
    });
    const teams = new Map(
      (
        await this.teams.load(
          caller.userId,
          organization,
          page.items.map(({ id }) => id),
        )
      ).map((team) => [team.id, team]),
    );
    return page.with(
      page.items.flatMap(({ id, role, customRoleId }) => {
        const team = teams.get(id);
        return team ? [{ role, customRoleId, team }] : [];
      }),
    );
  }

  /**
   * Lists everybody with access, with the effective role from all grants, levels and memberships; the latest members
   * come first.
   */
  async listEffective(caller: Caller, on: Granted, query: AggregateQuery): Promise<Page<EffectivePermission>> {
    await this.requireInsider(caller, on.organizationId);
    const thing = await this.database.one<{ level: AccessLevel | null }>(levelOf(on.kind), [on.id]);
    const classes = rolesWith(thing?.level ?? null, query.role);
    const known = await this.database.one<{ members: number }>(MEMBERS_WITH, [on.organizationId, classes]);
    const page = await this.pages.list<{ id: string }>(query, {
      scope: ['audience', on.kind, on.id, query.role],
      select: 'x.user_id AS id',
      ...audience(on, classes, known?.members ?? 0, query.role),
      order: [
        { expression: 'x.joined_at', type: 'timestamptz' },
        { expression: 'x.user_id', type: 'text' },
      ],
      direction: 'desc',
    });
    const ids = page.items.map(({ id }) => id);
    const people = await this.database.query<EffectivePermission & Record<string, unknown>>(peopleOf(on.kind), [
      on.id,
      on.organizationId,
      ids,
    ]);
    const byId = new Map(people.map((person) => [person.id, person]));
    return page.with(ids.flatMap((id) => byId.get(id) ?? []));
  }

  /**
   * Grants one role to people and teams. Throws `invalid` with the path of one who does not belong to the organization.
   */
  async grant(caller: Caller, on: Granted, { users = [], teams = [], ...wanted }: GrantRoles): Promise<void> {
    if (users.length === 0 && teams.length === 0) throw invalid('users', 'or teams must not be empty');
    const holders = { user: users, team: teams };
    const level = storedLevel(wanted.role);
    await this.change(caller, on, holders, level, async () => {
      await this.requireHolders(on.organizationId, holders);
      await this.put(on, holders, await this.assigned(caller, on, wanted, { level, customRoleId: null }));
    });
  }

  /** Changes the role of one grant; throws `notFound` if there is none. */
  async update(caller: Caller, on: Granted, holder: HolderKind, holderId: string, wanted: UpdateGrant): Promise<void> {
    const holders = { user: [], team: [], [holder]: [holderId] };
    await this.change(caller, on, holders, wanted.role === undefined ? null : storedLevel(wanted.role), async () => {
      const held = await this.database.one<AssignedRole & Record<string, unknown>>(this.statementsOf(on).held[holder], [
        on.id,
        [holderId],
      ]);
      if (!held) throw notFound('Permission');
      await this.put(on, holders, await this.assigned(caller, on, wanted, held));
    });
  }

  /** Removes a grant; the holder's inherited role applies from then on. */
  async remove(caller: Caller, on: Granted, holder: HolderKind, holderId: string): Promise<void> {
    await this.change(caller, on, { user: [], team: [], [holder]: [holderId] }, null, async () => {
      const taken = await this.database.one<AssignedRole & Record<string, unknown>>(
        this.statementsOf(on).take[holder],
        [on.id, holderId],
      );
      if (!taken) return;
      const payload = { userIds: holder === 'user' ? [holderId] : [], teamIds: holder === 'team' ? [holderId] : [] };
      const audit = { changes: changesFor(holder, holderId, taken, NO_ROLE) };
      if (on.kind === 'space')
        await this.outbox.record({
          type: 'space_permission_removed',
          organizationId: on.organizationId,
          spaceId: on.id,
          target: on.id,
          payload,
          audit,
        });
      else
        await this.outbox.record({
          type: `${on.kind}_permission_removed`,
          organizationId: on.organizationId,
          target: on.id,
          payload,
          audit,
        });
    });
  }

  /**
   * Runs a change of grants for some holders. The caller must have the role admin on the object now, and cannot give,
   * change or remove a role above their own, nor leave a holder with a role above both the caller's and the holder's
   * previous one.
   */
  private async change(
    caller: Caller,
    on: Granted,
    holders: Holders,
    level: AccessLevel | null,
    work: () => Promise<void>,
  ): Promise<void> {
    const { lock, held: holding, given } = this.statementsOf(on);
    await this.database.transaction(async () => {
      await this.database.execute(lock, [on.id]);
      const role = await this.roleNow(caller, on);
      requireHeld(role, level);
      if (role === 'admin' && given === undefined) return work();
      for (const holder of ['user', 'team'] as const) {
        const held = await this.database.query<{ level: AccessLevel }>(holding[holder], [on.id, holders[holder]]);
        for (const grant of held) requireHeld(role, grant.level);
      }
      const users = await this.usersOf(on.organizationId, holders);
      const limit = given === undefined ? role : caller.userId;
      const before = await this.above(on, users, limit);
      await work();
      const after = await this.above(on, users, limit);
      if ([...after].some((id) => !before.has(id)))
        throw new DomainError(
          'forbidden',
          given === undefined
            ? `A member would inherit a role above ${role}, which only a holder of that role can grant`
            : MORE_IN_SITE,
        );
    });
  }

  /** The caller's role as the limit of grants: on a site the granted role, without the permissions of its creator. */
  private async roleNow(caller: Caller, on: Granted): Promise<AccessLevel> {
    const { role: inOrganization } = await this.requireInsider(caller, on.organizationId);
    const found = await this.find(caller, on);
    if (found?.organizationId !== on.organizationId || ('deletedAt' in found && found.deletedAt !== null))
      throw notFound(NAMES[on.kind]);
    if (!allows(`${on.kind}:admin`, found.role))
      throw new DomainError('forbidden', `Requires the permission ${on.kind}:admin`);
    const { given } = this.statementsOf(on);
    if (given === undefined) return found.role;
    const held = await this.database.one<{ role: AccessLevel | null }>(given, [on.id, caller.userId]);
    return held?.role && atLeast(held.role, inOrganization) ? held.role : inOrganization;
  }

  statementsOf({ kind }: Pick<Granted, 'kind'>): GrantStatements {
    const found = this.things.find((thing) => thing.kind === kind);
    if (!found) throw new Error(`no module lets roles be granted on a ${kind}`);
    return found;
  }

  private find(
    caller: Caller,
    { kind, id, organizationId }: Granted,
  ): Promise<SpaceAccess | CollectionAccess | SiteAccess | undefined> {
    if (kind === 'space') return this.access.space(caller, id);
    return kind === 'collection' ? this.access.collection(caller, id) : this.access.site(caller, organizationId, id);
  }

  /** Guests see no other people, so they can neither see nor change grants. */
  async requireInsider(caller: Caller, organizationId: string): Promise<OrganizationAccess> {
    const organization = await this.access.organization(caller, organizationId);
    if (!organization || !allows('organization:listMembers', organization.role))
      throw new DomainError('forbidden', 'Requires the permission organization:listMembers');
    return organization;
  }

  /**
   * The role that a body asks for. Administrators of the organization give custom roles: they alone hold everything that
   * such a role can add.
   */
  private async assigned(
    caller: Caller,
    { organizationId }: Granted,
    wanted: UpdateGrant,
    before: AssignedRole,
  ): Promise<AssignedRole> {
    if (typeof wanted.customRole === 'string') {
      const { role } = await this.requireInsider(caller, organizationId);
      if (role !== 'admin')
        throw new DomainError('forbidden', 'Giving a custom role requires the role admin in the organization');
    }
    return assignedRole(this.database, organizationId, wanted, before);
  }

  private async put(on: Granted, holders: Holders, assigned: AssignedRole): Promise<void> {
    const { level: role, customRoleId } = assigned;
    const changes: Change[] = [];
    for (const holder of ['user', 'team'] as const) {
      const ids = [...new Set(holders[holder])];
      if (ids.length === 0) continue;
      const rows = await this.database.query<{ id: string; before: AccessLevel | null; customBefore: string | null }>(
        this.statementsOf(on).put[holder],
        [on.id, on.organizationId, ids, role, this.clock.now(), customRoleId],
      );
      changes.push(
        ...rows.flatMap(({ id, before, customBefore }) =>
          changesFor(holder, id, { level: before, customRoleId: customBefore }, assigned),
        ),
      );
    }
    if (changes.length === 0) return;
    const payload = {
      role,
      ...(customRoleId !== null && { customRole: customRoleId }),
      userIds: holders.user,
      teamIds: holders.team,
    };
    if (on.kind === 'space')
      await this.outbox.record({
        type: 'space_permission_set',
        organizationId: on.organizationId,
        spaceId: on.id,
        target: on.id,
        payload,
        audit: { changes },
      });
    else
      await this.outbox.record({
        type: `${on.kind}_permission_set`,
        organizationId: on.organizationId,
        target: on.id,
        payload,
        audit: { changes },
      });
  }

  /** Throws `invalid` for people and teams of elsewhere, and keeps the others in the organization while a grant is made. */
  async requireHolders(organizationId: string, { user, team }: Holders): Promise<void> {
    await this.requireAll(organizationId, 'user', user);
    await this.requireAll(organizationId, 'team', team);
  }

  private async requireAll(organizationId: string, holder: HolderKind, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.database.query<{ id: string }>(
      holder === 'user'
        ? 'SELECT user_id AS id FROM member WHERE organization_id = $1 AND user_id = ANY ($2) AND NOT disabled FOR KEY SHARE'
        : 'SELECT id FROM team WHERE organization_id = $1 AND id = ANY ($2) FOR KEY SHARE',
      [organizationId, ids],
    );
    const known = new Set(rows.map(({ id }) => id));
    const missing = ids.findIndex((id) => !known.has(id));
    if (missing >= 0)
      throw invalid(`${holder}s.${missing}`, `is not a ${holder === 'user' ? 'member' : 'team'} of the organization`);
  }

  private async usersOf(organizationId: string, { user, team }: Holders): Promise<readonly string[]> {
    if (team.length === 0) return user;
    const rows = await this.database.query<{ id: string }>(
      'SELECT DISTINCT user_id AS id FROM team_member WHERE organization_id = $1 AND team_id = ANY ($2)',
      [organizationId, team],
    );
    return [...user, ...rows.map(({ id }) => id)];
  }

  private async above(on: Granted, users: readonly string[], limit: string): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ id: string }>(this.statementsOf(on).above, [on.id, users, limit]);
    return new Set(rows.map(({ id }) => id));
  }
}

/** A role before or after a change; without a grant both are null. */
interface Recorded {
  readonly level: AccessLevel | null;
  readonly customRoleId: string | null;
}

const NO_ROLE: Recorded = { level: null, customRoleId: null };

function changesFor(holder: HolderKind, id: string, before: Recorded, after: Recorded): Change[] {
  const whose = holder === 'user' ? { userId: id } : { teamId: id };
  return changesOf(
    { role: before.level, customRole: before.customRoleId },
    { role: after.level, customRole: after.customRoleId },
    ['role', 'customRole'],
  ).map((change) => ({ ...change, ...whose }));
}
