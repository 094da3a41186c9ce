import { Controller, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ByCaller, Can, InSpace } from '../../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../../kernel/access/access.service.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import { rawBody, TakesRawBody } from '../../../kernel/platform/http/raw-body.js';
import { ARCHIVE_TYPES } from '../archive-types.js';
import { ImportRunBody, presentRun } from '../imports.schema.js';
import { FolderRequests, type SentArchive } from './folder-requests.service.js';
import { ExportArchiveQuery, PushArchiveQuery } from './folders.schema.js';

/** Spaces as folders on somebody's own machine. */
@ApiTags('Spaces')
@Controller('spaces/:spaceId')
export class FoldersController {
  constructor(private readonly requests: FolderRequests) {}

  @Post('export')
  @Can('space:view')
  @TakesRawBody()
  @ApiConsumes(...ARCHIVE_TYPES)
  @ApiBody({ schema: { type: 'string', format: 'binary' }, required: false })
  @Operation({
    id: 'exportSpaceArchive',
    summary: 'Write a space as an archive of Markdown',
    description:
      'In the background, as `bindery export` and git synchronization write it. `GET /v1/org/{organizationId}/imports/{importRunId}` shows how far it is, and then the address of a zip archive, for a day, and the revision in it. The body may be an archive of the folder as it was before: pages that mean the same as there keep their text, byte by byte.',
    status: 201,
    type: ImportRunBody,
    errors: [413],
  })
  export(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Query() query: ExportArchiveQuery,
    @Req() request: Request,
  ) {
    return this.requests
      .export(caller, space, query, hasBody(request) ? sentWith(request) : undefined)
      .then((run) => presentRun(run));
  }

  @Post('push')
  @Can('space:propose')
  @TakesRawBody()
  @ApiConsumes(...ARCHIVE_TYPES)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Operation({
    id: 'pushSpaceArchive',
    summary: 'Bring what was changed in a folder into a space',
    description:
      'The body is a tar, tar.gz or zip archive of the whole folder, which was changed since it was exported at the revision `base`. In the background, what is different from that revision is written to the primary content; what others have changed since is merged with it, block by block. The changes become a change request where both sides have changed the same, where the caller may not write to the primary content, or where a review is asked for: the run names it then.',
    status: 201,
    type: ImportRunBody,
    errors: [409, 413],
  })
  push(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Query() query: PushArchiveQuery,
    @Req() request: Request,
  ) {
    return this.requests.push(caller, space, query, sentWith(request)).then((run) => presentRun(run));
  }
}

function sentWith(request: Request): SentArchive {
  return { contentType: request.headers['content-type'], bytes: rawBody(request) };
}

/** A request without a body has neither of the headers by which its end is found (RFC 9112, section 6.3). */
function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
