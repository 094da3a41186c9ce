import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { presentRevisionEntry, RevisionEntryBody } from './revisions.schema.js';
import { Revisions } from './revisions.service.js';

@ApiTags('Space content')
@Controller()
export class RevisionsController {
  constructor(
    private readonly revisions: Revisions,
    private readonly addresses: Addresses,
  ) {}

  @Get('spaces/:spaceId/revisions')
  @Can('space:view')
  @LeavesOutHiddenPages()
  @Operation({
    id: 'listRevisions',
    summary: 'List the revisions of the primary content of a space, newest first',
    type: RevisionEntryBody,
    list: true,
  })
  list(@InSpace() space: SpaceAccess, @Query() query: PageQuery) {
    return this.revisions
      .list(space, query)
      .then((page) => page.map((row) => presentRevisionEntry(row, space, this.addresses)));
  }

  @Get('spaces/:spaceId/change-requests/:changeRequestId/revisions')
  @Can('space:view')
  @LeavesOutHiddenPages()
  @Operation({
    id: 'listRevisionsInChangeRequest',
    summary: 'List the revisions of a change request, newest first',
    type: RevisionEntryBody,
    list: true,
  })
  listOfRequest(
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() query: PageQuery,
  ) {
    return this.revisions
      .listOfRequest(space, changeRequestId, query)
      .then((page) => page.map((row) => presentRevisionEntry(row, space, this.addresses)));
  }

  @Post('spaces/:spaceId/revisions/:revisionId/rollback')
  @Can('space:edit')
  @Operation({
    id: 'rollbackToRevision',
    summary: 'Bring back the whole content of an earlier revision, as a new one',
    description:
      'Pages, files, reusable contents and variables become what they were; nothing of the history is lost. In a space with live edits this needs space:edit, in a locked one space:merge. ' +
      'Revisions of change requests cannot be brought back, nor can one whose content the space has already: 409.',
    type: RevisionEntryBody,
    errors: [409, 412],
  })
  rollback(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Param('revisionId') revisionId: string) {
    return this.revisions
      .rollback(caller, space.id, revisionId)
      .then((row) => presentRevisionEntry(row, space, this.addresses));
  }
}
