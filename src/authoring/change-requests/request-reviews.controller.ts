import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ChangesBody, ChangesQuery } from '../content/changes.schema.js';
import { ChangeRequestBody, presentChangeRequest } from './change-request.schema.js';
import { RequestReverts } from './request-reverts.service.js';
import { MarkViewed } from './viewed-pages.schema.js';
import { ViewedPages } from './viewed-pages.service.js';

/** How change requests are looked at, and taken back. */
@ApiTags('Change requests')
@Controller()
export class RequestReviewsController {
  constructor(
    private readonly viewed: ViewedPages,
    private readonly reverts: RequestReverts,
    private readonly addresses: Addresses,
  ) {}

  @Get('spaces/:spaceId/change-requests/:changeRequestId/changes')
  @Can('space:view')
  @LeavesOutHiddenPages()
  @Operation({
    id: 'getChangeRequestChanges',
    summary: 'Get what a change request changes',
    description: 'Changes of pages say in `viewed` whether the caller has marked the page as it is now.',
    type: ChangesBody,
  })
  changes(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() { limit }: ChangesQuery,
  ) {
    return this.viewed.changes(caller, space, changeRequestId, limit);
  }

  @Put('spaces/:spaceId/change-requests/:changeRequestId/changes/:pageId/viewed')
  @Can('space:view')
  @LeavesOutHiddenPages()
  @Operation({
    id: 'markChangeRequestPageViewed',
    summary: 'Mark a page of a change request as viewed',
    description:
      'For the caller alone. The mark ends when the content of the page in the change request is another one than the one that was looked at.',
    status: 204,
  })
  mark(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Param('pageId') pageId: string,
    @Body() body: MarkViewed,
  ) {
    return this.viewed.mark(caller, space, changeRequestId, pageId, body);
  }

  @Post('spaces/:spaceId/change-requests/:changeRequestId/revert')
  @Can('space:propose')
  @Operation({
    id: 'revertChangeRequest',
    summary: 'Take back a merged change request with a new one',
    description:
      'Makes a draft whose content is without what the merge changed. Blocks that others have changed since stay as they are now. 409 when the request is not merged, or nothing of it is left.',
    status: 201,
    type: ChangeRequestBody,
    errors: [409, 422],
  })
  revert(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Param('changeRequestId') changeRequestId: string) {
    return this.reverts
      .revert(caller, space.id, changeRequestId)
      .then((row) => presentChangeRequest(row, space, this.addresses));
  }
}
