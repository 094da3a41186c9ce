import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../access/access.decorators.js';
import type { SiteAccess } from '../access/access.service.js';
import { Addresses } from '../common/addresses.js';
import type { Caller } from '../common/context.js';
import { Operation } from '../common/operation.js';
import { ShareKeyQuery } from '../sites/structure.schema.js';
import { presentPublishedSite, PublishedSiteBody } from './published.schema.js';
import { PublishedSites } from './published.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/published')
export class PublishedController {
  constructor(
    private readonly published: PublishedSites,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('site:view')
  @Operation({
    id: 'getPublishedContentSite',
    summary: 'Get the complete profile of a published site',
    description: 'The site with its structure and all of its customizations. 404 while it is not published or has no content.',
    type: PublishedSiteBody,
  })
  async get(@ByCaller() caller: Caller, @InSite() { id }: SiteAccess, @Query() _query: ShareKeyQuery) {
    return this.published.profile(caller, id).then(({ site, rows }) => presentPublishedSite(site, rows, this.addresses));
  }
}
