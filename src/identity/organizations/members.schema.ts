import { presentRole, ROLES, type AccessLevel, type Role } from '../../kernel/common/roles.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Id, Nested, ObjectName, OneOf, Text, Timestamp } from '../../kernel/common/fields.js';
import { OrderedPageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { presentUser, UserBody, type UserFacts } from '../users/users.schema.js';

export const MEMBER_SORTS = ['joinedAt', 'lastSeenAt', 'name'] as const;
export type MemberSort = (typeof MEMBER_SORTS)[number];

export class MemberBody {
  @ObjectName('member')
  object: 'member';
  @Id({ description: 'The id of the user' })
  id: string;
  @OneOf(ROLES, { nullable: true, description: 'Null for guests' })
  role: Role | null;
  @Id({ optional: true, description: 'The custom role of the member, whose base `role` is then' })
  customRole?: string;
  @Nested(() => UserBody)
  user: UserBody;
  @Flag({ example: false })
  disabled: boolean;
  @Timestamp()
  joinedAt: string;
  @Timestamp({ optional: true })
  lastSeenAt?: string;
  @Flag({ example: false, description: 'The member signs in through a provider of the organization' })
  sso: boolean;
  @Amount({ min: 0, example: 3, description: 'Spaces that both the member and the caller can see' })
  spaces: number;
  @Amount({ min: 0, example: 1 })
  teams: number;
  @Amount({ min: 0, example: 2, description: 'Sites that both the member and the caller can see' })
  sites: number;
}

export class MembersQuery extends OrderedPageQuery {
  @OneOf([...ROLES, 'guest'], { optional: true, description: 'Only members with this role' })
  role?: Role | 'guest';
  @Id({ optional: true, description: 'Only members to whom this custom role was given in the organization' })
  customRole?: string;
  @Text({
    optional: true,
    max: 200,
    description: 'Part of the display name or the e-mail address, in any case',
    example: 'ada',
  })
  search?: string;
  @OneOf(MEMBER_SORTS, {
    optional: true,
    default: 'joinedAt',
    description: 'With lastSeenAt only active members are listed',
  })
  sort: MemberSort = 'joinedAt';
}

export class UpdateMember {
  @OneOf(ROLES, { optional: true, nullable: true, example: 'read', description: 'Null makes the member a guest' })
  role?: Role | null;
  @Id({
    optional: true,
    nullable: true,
    description:
      'A custom role of the organization; its base becomes the role. Null leaves the role alone, and so does a role without it.',
  })
  customRole?: string | null;
}

/** A member as the presenter needs it; `spaces` and `sites` count only those that the caller can see too. */
export interface MemberForCaller {
  readonly id: string;
  readonly role: AccessLevel;
  readonly customRoleId: string | null;
  readonly disabled: boolean;
  readonly sso: boolean;
  readonly joinedAt: Date;
  readonly lastSeenAt: Date | null;
  readonly version: number;
  readonly spaces: number;
  readonly teams: number;
  readonly sites: number;
  readonly displayName: string;
  readonly email: string;
  readonly photoURL: string | null;
}

export function presentMember(member: MemberForCaller, addresses: Addresses): MemberBody {
  const user: UserFacts = member;
  return versioned(
    {
      object: 'member',
      id: member.id,
      role: presentRole(member.role),
      ...(member.customRoleId !== null && { customRole: member.customRoleId }),
      user: presentUser(user, addresses),
      disabled: member.disabled,
      joinedAt: member.joinedAt.toISOString(),
      ...(member.lastSeenAt && { lastSeenAt: member.lastSeenAt.toISOString() }),
      sso: member.sso,
      spaces: member.spaces,
      teams: member.teams,
      sites: member.sites,
    },
    member.version,
  );
}
