import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Free, Id, Nested, ObjectName, OneOf, Text, Timestamp } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { MemberBody, presentMember, type MemberForCaller } from '../organizations/members.schema.js';

export const TEAM_ROLES = ['owner', 'member'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

class TeamPermissions {
  @Flag({
    description:
      'The caller may change who is in the team; its title and removal take an administrator of the organization',
  })
  admin: boolean;
  @Flag()
  view: boolean;
}

export class TeamBody {
  @ObjectName('team')
  object: 'team';
  @Id()
  id: string;
  @Text({ example: 'Writers' })
  title: string;
  @Amount({ min: 0, example: 4 })
  members: number;
  @Amount({ min: 0, example: 2, description: 'Spaces that the team reaches by a grant and the caller can see' })
  spaces: number;
  @Timestamp()
  createdAt: string;
  @Nested(() => TeamPermissions)
  permissions: TeamPermissions;
}

export class TeamMembershipBody {
  @OneOf(TEAM_ROLES, { description: 'Owners manage who is in the team' })
  role: TeamRole;
}

/** A team of a member, with the member's role in it. */
export class MemberTeamBody {
  @Nested(() => TeamBody)
  team: TeamBody;
  @Nested(() => TeamMembershipBody)
  member: TeamMembershipBody;
}

class TeamMemberPermissions {
  @Flag()
  view: boolean;
}

export class TeamMemberBody {
  @Nested(() => MemberBody)
  organization: MemberBody;
  @Nested(() => TeamMembershipBody)
  team: TeamMembershipBody;
  @Nested(() => TeamMemberPermissions)
  permissions: TeamMemberPermissions;
}

export class TitledQuery extends PageQuery {
  @Text({ optional: true, max: 64, description: 'Part of the title, in any case', example: 'write' })
  title?: string;
}

export class TeamsQuery extends TitledQuery {
  @Id({ optional: true, description: 'Only teams that this member owns' })
  owner?: string;
}

export const TEAM_TITLE = {
  min: 1,
  max: 64,
  pattern: /\S/,
  patternMessage: 'must not be blank',
  example: 'Writers',
} as const;

export class UpdateTeam {
  @Text(TEAM_TITLE)
  title: string;
}

export class CreateTeam extends UpdateTeam {
  @Text({
    optional: true,
    list: true,
    max: 320,
    description: 'Ids or e-mail addresses of members of the organization',
    example: ['AbCdEfGh0123456789Xy'],
  })
  members?: string[];
}

export class UpdateTeamMembers {
  @Text({
    optional: true,
    list: true,
    max: 320,
    description: 'Ids or e-mail addresses of members of the organization',
    example: ['ada@example.com'],
  })
  add?: string[];
  @Text({
    optional: true,
    list: true,
    max: 320,
    description: 'Ids or e-mail addresses; these users are removed even if another field adds them',
    example: ['AbCdEfGh0123456789Xy'],
  })
  remove?: string[];
  @Free({
    optional: true,
    description: 'Roles in the team, by id or e-mail address',
    example: { 'ada@example.com': { role: 'owner' } },
    schema: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['role'],
        properties: { role: { type: 'string', enum: [...TEAM_ROLES] } },
      },
    } as never,
  })
  memberships?: Record<string, unknown>;
}

export class SetTeamMember {
  @OneOf(TEAM_ROLES, { optional: true, description: 'Without it new ones become members and others keep their role' })
  role?: TeamRole;
}

export interface TeamForCaller {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly members: number;
  readonly spaces: number;
  readonly mayManage: boolean;
}

export interface TeamOfMember {
  readonly team: TeamForCaller;
  readonly role: TeamRole;
}

export interface MemberOfTeam {
  readonly member: MemberForCaller;
  readonly role: TeamRole;
}

export function presentTeam(team: TeamForCaller): TeamBody {
  return versioned(
    {
      object: 'team',
      id: team.id,
      title: team.title,
      members: team.members,
      spaces: team.spaces,
      createdAt: team.createdAt.toISOString(),
      permissions: { admin: team.mayManage, view: true },
    },
    team.version,
  );
}

export function presentMemberTeam({ team, role }: TeamOfMember): MemberTeamBody {
  return { team: presentTeam(team), member: { role } };
}

export function presentTeamMember({ member, role }: MemberOfTeam, addresses: Addresses): TeamMemberBody {
  return { organization: presentMember(member, addresses), team: { role }, permissions: { view: true } };
}
