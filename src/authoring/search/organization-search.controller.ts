import { Controller, Get, Headers, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { preferredLanguage } from '../../kernel/common/languages.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { OrganizationSearch } from './organization-search.service.js';
import { SearchQuery, SpaceHit } from './search.schema.js';

@ApiTags('Organizations, members, teams')
@Controller()
export class OrganizationSearchController {
  constructor(private readonly search: OrganizationSearch) {}

  @Get('orgs/:organizationId/search')
  @Can('organization:search')
  @Operation({
    id: 'searchOrganizationContent',
    summary: 'Search all spaces of an organization that the caller can see',
    description:
      'One item for each space with matching pages, best first, as of the last write; at most 500 hits are ranked. `count` is the number of such spaces. A translation comes behind its original, unless it is in the first language of the header `Accept-Language`.',
    type: SpaceHit,
    list: true,
  })
  inOrganization(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Query() query: SearchQuery,
    @Headers('accept-language') language?: string,
  ) {
    return this.search.search(caller.userId, organization, query, preferredLanguage(language));
  }
}
