import { presentRole, ROLES, type AccessLevel, type Role } from '../access/roles.js';
import type { Addresses } from '../common/addresses.js';
import { Id, Nested, OneOf } from '../common/fields.js';
import { PageQuery } from '../common/page-query.js';
import { presentSpace, SpaceBody, type SpaceForCaller } from '../spaces/spaces.schema.js';
import { presentTeam, TeamBody, type TeamForCaller } from '../teams/teams.schema.js';
import { presentUser, UserBody, type UserFacts } from '../users/users.schema.js';

const PERMISSION = { nullable: true, description: 'Null is no access' } as const;

export class UserPermissionBody {
  @OneOf(ROLES, PERMISSION)
  permission: Role | null;
  @Nested(() => UserBody)
  user: UserBody;
}

export class TeamPermissionBody {
  @OneOf(ROLES, PERMISSION)
  permission: Role | null;
  @Nested(() => TeamBody)
  team: TeamBody;
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
  @OneOf(ROLES, PERMISSION)
  role: Role | null;
  @Id({ optional: true, list: true, minItems: 1, description: 'Members of the organization', example: ['AbCdEfGh0123456789Xy'] })
  users?: string[];
  @Id({ optional: true, list: true, minItems: 1, description: 'Teams of the organization', example: ['AbCdEfGh0123456789Xy'] })
  teams?: string[];
}

export class UpdateGrant {
  @OneOf(ROLES, { ...PERMISSION, optional: true })
  role?: Role | null;
}

export interface UserPermission extends UserFacts {
  readonly role: AccessLevel;
}

export interface TeamPermission {
  readonly role: AccessLevel;
  readonly team: TeamForCaller;
}

export interface SpacePermission {
  readonly role: AccessLevel;
  readonly space: SpaceForCaller;
}

export function presentUserPermission(row: UserPermission, addresses: Addresses): UserPermissionBody {
  return { permission: presentRole(row.role), user: presentUser(row, addresses) };
}

export function presentTeamPermission({ role, team }: TeamPermission): TeamPermissionBody {
  return { permission: presentRole(role), team: presentTeam(team) };
}

/** Only for spaces that the member can see. */
export function presentSpacePermission({ role, space }: SpacePermission, addresses: Addresses): SpacePermissionBody {
  return { permission: presentRole(role) ?? 'read', space: presentSpace(space, addresses) };
}
