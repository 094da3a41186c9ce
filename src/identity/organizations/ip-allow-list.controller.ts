import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { IpAllowListBody, presentIpAllowList, UpdateIpAllowList } from '../../kernel/common/ip-allow-list.schema.js';
import { Operation } from '../../kernel/common/operation.js';
import { OrganizationIpAllowLists } from './ip-allow-lists.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs/:organizationId/ip-allow-list')
export class IpAllowListController {
  constructor(private readonly lists: OrganizationIpAllowLists) {}

  @Get()
  @Can('organization:admin')
  @Operation({
    id: 'getOrganizationIPAllowList',
    summary: 'Get the addresses from which members reach an organization',
    type: IpAllowListBody,
  })
  async get(@InOrganization() { id }: OrganizationAccess) {
    return this.lists.find(id).then(presentIpAllowList);
  }

  @Put()
  @Can('organization:admin')
  @Operation({
    id: 'updateOrganizationIPAllowList',
    summary: 'Replace the addresses from which members reach an organization',
    description:
      'Requests from other addresses are refused, including those of administrators; the ranges must contain the address of the caller. An empty list lets all addresses in.',
    type: IpAllowListBody,
    errors: [412],
  })
  async set(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() { ranges }: UpdateIpAllowList,
  ) {
    return this.lists.set(userId, id, ranges).then(presentIpAllowList);
  }
}
