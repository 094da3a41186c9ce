import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, ByReader, Can, ForReaders, InSite } from '../../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../../kernel/access/access.service.js';
import type { ReaderAccess } from '../../../kernel/access/readers.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import { PageQuery } from '../../../kernel/common/page-query.js';
import { SpaceHit } from '../../../authoring/search/search.schema.js';
import { SearchSite } from './site-search.schema.js';
import { PublishedSearch } from './published-search.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/search')
export class SiteSearchController {
  constructor(private readonly search: PublishedSearch) {}

  @Post()
  @Can('site:view')
  @ForReaders()
  @Operation({
    id: 'searchSiteContent',
    summary: 'Search the content of a site',
    description:
      'One item for each space with matching pages, best first, as of the last write. Members find whatever they can read in the spaces of the site, readers what it shows them.',
    type: SpaceHit,
    list: true,
  })
  async searchSite(
    @ByCaller() caller: Caller,
    @ByReader() reader: ReaderAccess | undefined,
    @InSite() site: SiteAccess,
    @Query() page: PageQuery,
    @Body() body: SearchSite,
  ) {
    return this.search.find(caller, reader, site, body, page);
  }
}
