import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { MemberBody, MembersQuery, presentMember, UpdateMember } from './members.schema.js';
import { Members } from './members.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs/:organizationId/members')
export class MembersController {
  constructor(
    private readonly members: Members,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('organization:listMembers')
  @Operation({
    id: 'listMembersInOrganizationById',
    summary: 'List the members of an organization',
    type: MemberBody,
    list: true,
  })
  async list(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Query() query: MembersQuery,
  ) {
    return this.members
      .list(userId, organization, query)
      .then((page) => page.map((row) => presentMember(row, this.addresses)));
  }

  @Get(':userId')
  @Can('organization:viewMember')
  @Operation({
    id: 'getMemberInOrganizationById',
    summary: 'Get a member',
    description: 'Guests see themselves only.',
    type: MemberBody,
  })
  async get(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('userId') userId: string,
  ) {
    return this.members.get(caller.userId, organization, userId).then((row) => presentMember(row, this.addresses));
  }

  @Patch(':userId')
  @Can('organization:manageMembers')
  @Operation({
    id: 'updateMemberInOrganizationById',
    summary: 'Change the role of a member',
    description: 'Acts from the next request of the member on. The last administrator keeps the role (409).',
    type: MemberBody,
    errors: [409, 412],
  })
  async update(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('userId') userId: string,
    @Body() body: UpdateMember,
  ) {
    return this.members
      .update(caller.userId, organization, userId, body)
      .then((row) => presentMember(row, this.addresses));
  }

  @Delete(':userId')
  @Can('organization:manageMembers')
  @Operation({
    id: 'removeMemberFromOrganizationById',
    summary: 'Remove a member',
    description:
      'Ends all access at once and drops the grants and team memberships of the member. The last administrator stays (409).',
    status: 204,
    errors: [409, 412],
  })
  async remove(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('userId') userId: string,
  ) {
    return this.members.remove(caller.userId, organization.id, userId);
  }

  @Post(':userId/sso')
  @Can('organization:manageMembers')
  @Operation({
    id: 'setUserAsSSOMemberForOrganization',
    summary: 'Make a member sign in through a provider of the organization',
    type: MemberBody,
  })
  async requireSso(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('userId') userId: string,
  ) {
    return this.members
      .requireSso(caller.userId, organization, userId)
      .then((row) => presentMember(row, this.addresses));
  }
}
