import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../access/access.decorators.js';
import type { SiteAccess } from '../access/access.service.js';
import type { Caller } from '../common/context.js';
import { Operation } from '../common/operation.js';
import { PageQuery } from '../common/page-query.js';
import { SpaceHit } from '../search/search.schema.js';
import { SearchSite } from './site-search.schema.js';
import { SiteSearch } from './site-search.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/search')
export class SiteSearchController {
  constructor(private readonly search: SiteSearch) {}

  @Post()
  @Can('site:view')
  @Operation({
    id: 'searchSiteContent',
    summary: 'Search the content of a site',
    description: 'One item for each space with matching pages, best first, as of the last write. Members find whatever they can read in the spaces of the site.',
    type: SpaceHit,
    list: true,
  })
  async searchSite(@ByCaller() caller: Caller, @InSite() site: SiteAccess, @Query() page: PageQuery, @Body() body: SearchSite) {
    return this.search.findForMember(caller, site, body, page).then((found) => found.map(({ hit }) => hit));
  }
}
