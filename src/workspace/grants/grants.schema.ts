import { ASSIGNABLE_PERMISSIONS } from '../../kernel/access/permissions.js';
import { presentRole, ROLES, type AccessLevel, type Role } from '../../kernel/common/roles.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Flag, Id, Nested, OneOf, Text } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { presentSpace, SpaceBody, type SpaceForCaller } from '../spaces/spaces.schema.js';
import { presentTeam, TeamBody, type TeamForCaller } from '../../identity/teams/teams.schema.js';
import { REASON_RULES, REASON_THINGS, type RoleExplanation, type ReasonRule, type ReasonThing } from './reasons.js';
import type { Granted } from './grant-tables.js';
import { presentUser, UserBody, type UserFacts } from '../../identity/users/users.schema.js';

const PERMISSION = { nullable: true, description: 'Null is no access' } as const;

const CUSTOM_ROLE = {
  optional: true,
  description: 'The custom role that was given, whose base `permission` is then',
} as const;
const WANTED_CUSTOM_ROLE = {
  optional: true,
  nullable: true,
} as const;

export class UserPermissionBody {
  @OneOf(ROLES, PERMISSION)
  permission: Role | null;
  @Id(CUSTOM_ROLE)
  customRole?: string;
  @Nested(() => UserBody)
  user: UserBody;
}

export class TeamPermissionBody {
  @OneOf(ROLES, PERMISSION)
  permission: Role | null;
  @Id(CUSTOM_ROLE)
  customRole?: string;
  @Nested(() => TeamBody)
  team: TeamBody;
}

class SiteOrigin {
  @OneOf(['site', 'organization'])
  type: 'site' | 'organization';
  @Id({ optional: true, description: 'Where the role was given on the site, or comes from having made it' })
  site?: string;
  @OneOf(['member', 'team'], {
    optional: true,
    description: 'On the site: `member` if the person has the role there or made the site, `team` if a team has it',
  })
  reason?: 'member' | 'team';
  @Id({ optional: true, description: 'The team from which the role comes' })
  team?: string;
  @Id({ optional: true, description: 'Where it follows from the role in the organization' })
  organization?: string;
}

export class EffectivePermissionBody extends UserPermissionBody {
  @OneOf(ASSIGNABLE_PERMISSIONS, {
    list: true,
    optional: true,
    example: ['space:propose'],
    description: 'Permissions that custom roles add to the role, on spaces and sites',
  })
  additionalPermissions?: string[];
}

export class SitePermissionBody extends EffectivePermissionBody {
  @Nested(() => SiteOrigin, {
    description: 'Source of the role',
    example: { type: 'organization', organization: 'AbCdEfGh0123456789Xy' },
  })
  origin: SiteOrigin;
  @Flag({ description: 'The account is disabled: the role is kept, and nobody can use it' })
  disabled: boolean;
}

class ReasonPlace {
  @OneOf(REASON_THINGS)
  type: ReasonThing;
  @Id({ optional: true, description: 'Missing where the caller does not see it' })
  id?: string;
  @Text({ optional: true })
  title?: string;
}

class ReasonTeam {
  @Id()
  id: string;
  @Text()
  title: string;
}

class PermissionReason {
  @OneOf(REASON_RULES, {
    description:
      '`person` and `team`: a role that was given. `level`: the access of everybody there. `membership`: the role in the organization. ' +
      '`administrator`: of the organization, who administers everything. `creator`: who keeps at least `read`, and administers a site.',
  })
  rule: ReasonRule;
  @OneOf(ROLES, PERMISSION)
  permission: Role | null;
  @Nested(() => ReasonPlace, { description: 'Where the rule stands' })
  on: ReasonPlace;
  @Nested(() => ReasonTeam, { optional: true, description: 'Missing where the caller does not see the team' })
  team?: ReasonTeam;
  @Flag({ description: 'The permission comes from this rule' })
  decides: boolean;
}

export class PermissionExplanationBody extends EffectivePermissionBody {
  @Flag({ description: 'The membership is disabled: no rule gives anything' })
  disabled: boolean;
  @Nested(() => PermissionReason, {
    list: true,
    description:
      'All rules that give the person a role, in order of precedence; on a site by their roles, highest first',
  })
  reasons: PermissionReason[];
}

export class SpacePermissionBody {
  @OneOf(ROLES)
  permission: Role;
  @Nested(() => SpaceBody)
  space: SpaceBody;
}

export class AggregateQuery extends PageQuery {
  @OneOf(ROLES, { optional: true, description: 'Only people with this role' })
  role?: Role;
}

export class GrantRoles {
  @OneOf(ROLES, { ...PERMISSION, example: 'read' })
  role: Role | null;
  @Id({
    ...WANTED_CUSTOM_ROLE,
    description:
      'A custom role of the organization, whose base `role` must be; administrators of the organization give it',
  })
  customRole?: string | null;
  @Id({
    optional: true,
    list: true,
    minItems: 1,
    description: 'Members of the organization',
    example: ['AbCdEfGh0123456789Xy'],
  })
  users?: string[];
  @Id({
    optional: true,
    list: true,
    minItems: 1,
    description: 'Teams of the organization',
    example: ['AbCdEfGh0123456789Xy'],
  })
  teams?: string[];
}

export class UpdateGrant {
  @OneOf(ROLES, { ...PERMISSION, optional: true, example: 'read' })
  role?: Role | null;
  @Id({
    ...WANTED_CUSTOM_ROLE,
    description:
      'A custom role of the organization, which its administrators give; its base becomes the role. Null leaves the role alone, and so does a role without it.',
  })
  customRole?: string | null;
}

export interface UserPermission extends UserFacts {
  readonly role: AccessLevel;
  /** Of a grant; effective roles have none. */
  readonly customRoleId?: string | null;
}

/** The effective role of a user, whatever its source. */
export interface EffectivePermission extends UserPermission {
  readonly isOwn: boolean;
  /** On sites, if the role comes from a team. */
  readonly teamId: string | null;
  /** Permissions beyond the role. */
  readonly added: readonly string[];
  readonly disabled: boolean;
}

export interface TeamPermission {
  readonly role: AccessLevel;
  readonly customRoleId: string | null;
  readonly team: TeamForCaller;
}

export interface SpacePermission {
  readonly role: AccessLevel;
  readonly space: SpaceForCaller;
}

export function presentUserPermission(row: UserPermission, addresses: Addresses): UserPermissionBody {
  return { permission: presentRole(row.role), ...presentCustom(row), user: presentUser(row, addresses) };
}

/** Includes the origin of the role, if it is requested for a site. */
export function presentEffective(
  row: EffectivePermission,
  on: Granted,
  addresses: Addresses,
): EffectivePermissionBody | SitePermissionBody {
  const permission = {
    ...presentUserPermission(row, addresses),
    ...(row.added.length > 0 && { additionalPermissions: [...row.added] }),
  };
  if (on.kind !== 'site') return permission;
  return {
    ...permission,
    origin: row.isOwn ? originOnSite(on.id, row.teamId) : { type: 'organization', organization: on.organizationId },
    disabled: row.disabled,
  };
}

const originOnSite = (site: string, team: string | null): SiteOrigin =>
  team === null ? { type: 'site', site, reason: 'member' } : { type: 'site', site, reason: 'team', team };

export function presentTeamPermission(row: TeamPermission): TeamPermissionBody {
  return { permission: presentRole(row.role), ...presentCustom(row), team: presentTeam(row.team) };
}

function presentCustom({ customRoleId }: { readonly customRoleId?: string | null }): { customRole?: string } {
  return typeof customRoleId === 'string' ? { customRole: customRoleId } : {};
}

export function presentExplanation(explanation: RoleExplanation, addresses: Addresses): PermissionExplanationBody {
  const { user, role, added, disabled, reasons } = explanation;
  return {
    ...presentUserPermission({ ...user, role }, addresses),
    ...(added.length > 0 && { additionalPermissions: [...added] }),
    disabled,
    reasons: reasons.map((reason) => ({
      rule: reason.rule,
      permission: presentRole(reason.role),
      on: { type: reason.thing, ...reason.on },
      ...(reason.team && { team: { id: reason.team.id, title: reason.team.title } }),
      decides: reason.decides,
    })),
  };
}

/** Only for spaces that the member can see. */
export function presentSpacePermission({ role, space }: SpacePermission, addresses: Addresses): SpacePermissionBody {
  return { permission: presentRole(role) ?? 'read', space: presentSpace(space, addresses) };
}
