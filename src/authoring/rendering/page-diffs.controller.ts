import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageDiffBody, PageDiffQuery, ReusableContentDiffBody } from './page-diff.schema.js';
import { PageDiffs } from './page-diffs.service.js';

const NOTE =
  'A page or reusable content that is added or deleted is inserted or deleted as a whole. A page is compared without the reusable contents and files in it. Lines with very many changes are shown as replaced.';

/** Differences of pages and of reusable contents. */
@ApiTags('Space content')
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId')
export class PageDiffsController {
  constructor(private readonly diffs: PageDiffs) {}

  @Get('change-requests/:changeRequestId/changes/:pageId/diff')
  @Can('space:view')
  @Operation({
    id: 'getPageDiffInChangeRequest',
    summary: 'Compare a page of a change request with the primary content that the request is based on',
    description: NOTE,
    type: PageDiffBody,
    errors: [422],
  })
  ofRequest(
    @ByCaller() { userId }: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Param('pageId') pageId: string,
    @Query() query: PageDiffQuery,
  ) {
    return this.diffs.ofPage(space, userId, { changeRequestId }, pageId, query);
  }

  @Get('revisions/:revisionId/changes/:pageId/diff')
  @Can('space:view')
  @Operation({
    id: 'getPageDiffInRevision',
    summary: 'Compare a page of a revision with the revision before',
    description: NOTE,
    type: PageDiffBody,
    errors: [422],
  })
  ofRevision(
    @ByCaller() { userId }: Caller,
    @InSpace() space: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Param('pageId') pageId: string,
    @Query() query: PageDiffQuery,
  ) {
    return this.diffs.ofPage(space, userId, { revisionId }, pageId, query);
  }

  @Get('change-requests/:changeRequestId/changes/reusable-contents/:reusableContentId/diff')
  @Can('space:view')
  @Operation({
    id: 'getReusableContentDiffInChangeRequest',
    summary: 'Compare a reusable content of a change request with the primary content that the request is based on',
    description: NOTE,
    type: ReusableContentDiffBody,
    errors: [422],
  })
  reusableOfRequest(
    @ByCaller() { userId }: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Param('reusableContentId') reusableContentId: string,
    @Query() query: PageDiffQuery,
  ) {
    return this.diffs.ofReusable(space, userId, { changeRequestId }, reusableContentId, query);
  }

  @Get('revisions/:revisionId/changes/reusable-contents/:reusableContentId/diff')
  @Can('space:view')
  @Operation({
    id: 'getReusableContentDiffInRevision',
    summary: 'Compare a reusable content of a revision with the revision before',
    description: NOTE,
    type: ReusableContentDiffBody,
    errors: [422],
  })
  reusableOfRevision(
    @ByCaller() { userId }: Caller,
    @InSpace() space: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Param('reusableContentId') reusableContentId: string,
    @Query() query: PageDiffQuery,
  ) {
    return this.diffs.ofReusable(space, userId, { revisionId }, reusableContentId, query);
  }
}
