import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../access/access.decorators.js';
import type { OrganizationAccess } from '../access/access.service.js';
import { Addresses } from '../common/addresses.js';
import type { Caller } from '../common/context.js';
import { Operation } from '../common/operation.js';
import { OrderedPageQuery } from '../common/page-query.js';
import { presentSpacePermission, SpacePermissionBody } from './grants.schema.js';
import { MemberSpaces } from './member-spaces.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs/:organizationId/members')
export class MemberSpacesController {
  constructor(
    private readonly spaces: MemberSpaces,
    private readonly addresses: Addresses,
  ) {}

  @Get(':userId/spaces')
  @Can('organization:viewMember')
  @Operation({
    id: 'listSpacesForOrganizationMember',
    summary: 'List the spaces that a member can see, with the role there',
    description: 'Only what the caller can see too; guests see their own only.',
    type: SpacePermissionBody,
    list: true,
  })
  async list(@ByCaller() caller: Caller, @InOrganization() organization: OrganizationAccess, @Param('userId') userId: string, @Query() query: OrderedPageQuery) {
    return this.spaces.list(caller.userId, organization, userId, query).then((page) => page.map((row) => presentSpacePermission(row, this.addresses)));
  }
}
