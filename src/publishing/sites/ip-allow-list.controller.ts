import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { IpAllowListBody, presentIpAllowList, UpdateIpAllowList } from '../../kernel/common/ip-allow-list.schema.js';
import { Operation } from '../../kernel/common/operation.js';
import { SiteIpAllowLists } from './ip-allow-lists.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/ip-allow-list')
export class SiteIpAllowListController {
  constructor(private readonly lists: SiteIpAllowLists) {}

  @Get()
  @Can('site:admin')
  @Operation({
    id: 'getSiteIPAllowList',
    summary: 'Get the addresses from which visitors read a site',
    type: IpAllowListBody,
  })
  async get(@InSite() site: SiteAccess) {
    return this.lists.find(site).then(presentIpAllowList);
  }

  @Put()
  @Can('site:admin')
  @Operation({
    id: 'updateSiteIPAllowList',
    summary: 'Replace the addresses from which visitors read a site',
    description:
      'Visitors from other addresses get 403 for pages, files, feeds and the API. An empty list lets all addresses in.',
    type: IpAllowListBody,
    errors: [412],
  })
  async set(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Body() { ranges }: UpdateIpAllowList) {
    return this.lists.set(caller, site, ranges).then(presentIpAllowList);
  }
}
