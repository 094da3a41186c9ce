import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { OrderedPageQuery } from '../../kernel/common/page-query.js';
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
  async list(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('userId') userId: string,
    @Query() query: OrderedPageQuery,
  ) {
    return this.spaces
      .list(caller.userId, organization, userId, query)
      .then((page) => page.map((row) => presentSpacePermission(row, this.addresses)));
  }
}
