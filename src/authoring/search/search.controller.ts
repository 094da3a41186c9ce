import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Operation } from '../../kernel/common/operation.js';
import { SearchHit, SearchQuery } from './search.schema.js';
import { Search } from './search.service.js';

@ApiTags('Space content')
@LeavesOutHiddenPages()
@Controller()
export class SearchController {
  constructor(private readonly search: Search) {}

  @Get('spaces/:spaceId/search')
  @Can('space:view')
  @Operation({
    id: 'searchSpaceContent',
    summary: 'Search the content of a space',
    description:
      'Finds pages by title, heading and text, as of the last write, by the words of the language of the space; at most 500 hits are ranked and counted. Where nothing matches, mistyped words are put right.',
    type: SearchHit,
    list: true,
  })
  inSpace(@InSpace() space: SpaceAccess, @Query() query: SearchQuery) {
    return this.search.inSpace(space, query);
  }
}
