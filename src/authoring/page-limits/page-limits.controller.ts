import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { PageLimitReader } from './page-limit-reader.js';
import { LimitPage, PageLimitBody } from './page-limits.schema.js';
import { PageLimits } from './page-limits.service.js';

@ApiTags('Spaces')
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId/permissions/pages')
export class PageLimitsController {
  constructor(
    private readonly limits: PageLimits,
    private readonly reader: PageLimitReader,
  ) {}

  @Get()
  @Can('space:admin')
  @Operation({
    id: 'listPageLimitsInSpace',
    summary: 'List the pages of a space that are limited to members and teams',
    description: 'Those that the caller sees, the latest first.',
    type: PageLimitBody,
    list: true,
  })
  list(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Query() query: PageQuery) {
    return this.reader.list(caller, space, query);
  }

  @Get(':pageId')
  @Can('space:admin')
  @Operation({
    id: 'getPageLimitInSpace',
    summary: 'Get the members and teams that a page is limited to',
    type: PageLimitBody,
  })
  get(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Param('pageId') pageId: string) {
    return this.reader.get(caller, space, pageId);
  }

  @Put(':pageId')
  @Can('space:admin')
  @Operation({
    id: 'limitPageInSpace',
    summary: 'Limit a page to members and teams',
    description:
      'From then on only they and administrators of the organization see the page and all pages below it, if they see the space; what they may do with it is what their role on the space says. Published sites do not show it. The limit also applies to change requests and earlier revisions. The caller must be able to see the page afterwards.',
    type: PageLimitBody,
    errors: [409],
  })
  limit(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('pageId') pageId: string,
    @Body() body: LimitPage,
  ) {
    return this.limits.limit(caller, space, pageId, body);
  }

  @Delete(':pageId')
  @Can('space:admin')
  @Operation({
    id: 'removePageLimitInSpace',
    summary: 'Show a page to everybody who sees the space again',
    status: 204,
  })
  remove(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Param('pageId') pageId: string) {
    return this.limits.remove(caller, space, pageId);
  }
}
