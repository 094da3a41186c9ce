import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InSite } from '../../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../../kernel/access/access.service.js';
import { Operation } from '../../../kernel/common/operation.js';
import { presentSearchQuery, SearchQueriesQuery, SearchQueryBody } from './search-queries.schema.js';
import { SearchQueries } from './search-queries.service.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/search-queries')
export class SearchQueriesController {
  constructor(private readonly queries: SearchQueries) {}

  @Get()
  @Can('site:view')
  @Operation({
    id: 'listSiteSearchQueries',
    summary: 'List what readers of a site search for',
    description:
      'The most frequent first. They are counted without the readers; queries with an e-mail address or a number of 7 or more digits are not counted.',
    type: SearchQueryBody,
    list: true,
  })
  async list(@InSite() { id }: SiteAccess, @Query() query: SearchQueriesQuery) {
    return this.queries.list(id, query).then((page) => page.map(presentSearchQuery));
  }
}
