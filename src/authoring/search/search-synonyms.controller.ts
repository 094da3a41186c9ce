import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { presentSynonyms, SearchSynonymsBody, UpdateSearchSynonyms } from './search-synonyms.schema.js';
import { SynonymLists } from './search-synonyms.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs/:organizationId/search/synonyms')
export class SearchSynonymsController {
  constructor(private readonly synonyms: SynonymLists) {}

  @Get()
  @Can('organization:view')
  @Operation({
    id: 'getSearchSynonyms',
    summary: 'Get the words that an organization uses for one another',
    description: 'Searches know many common synonyms of software documentation beside these.',
    type: SearchSynonymsBody,
  })
  async get(@InOrganization() { id }: OrganizationAccess) {
    return presentSynonyms(await this.synonyms.get(id));
  }

  @Put()
  @Can('organization:admin')
  @Operation({
    id: 'updateSearchSynonyms',
    summary: 'Set the words that an organization uses for one another',
    description: 'A search for one of the words of a group also finds the others, with less weight, at once.',
    type: SearchSynonymsBody,
  })
  async set(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() { groups }: UpdateSearchSynonyms,
  ) {
    return presentSynonyms(await this.synonyms.set(userId, id, groups));
  }
}
