import { Body, Controller, Param, Post, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { rawBody, TakesRawBody } from '../../kernel/platform/http/raw-body.js';
import { ChangeRequestBody } from './change-request.schema.js';
import { WriteContent } from '../content/content-write.schema.js';
import type { FileUpload } from '../content/file-intake.js';
import {
  CompatQuery,
  ContentUpdateBody,
  FileUploadQuery,
  PagePointer,
  SpaceUpdateBody,
} from './content-writes.schema.js';
import { ContentWrites } from './content-writes.service.js';

const ANY_TYPE = '*/*';
const BYTES = { schema: { type: 'string', format: 'binary' } };
const UPLOAD =
  'The body is the bytes of the file, at most 100 MB, with its type as the Content-Type. It makes one revision.';

/** Writes of content: to a change request, and directly to a space with live edits. */
@ApiTags('Space content')
@ApiExtraModels(ChangeRequestBody, ContentUpdateBody, PagePointer)
@LeavesOutHiddenPages()
@Controller()
export class ContentWritesController {
  constructor(private readonly writes: ContentWrites) {}

  @Post('spaces/:spaceId/change-requests/:changeRequestId/content')
  @Can('space:propose')
  @Operation({
    id: 'updateChangeRequestContent',
    summary: 'Write pages, files, reusable contents and variables into a change request',
    description:
      'The changes run in order, all or none of them, and make one revision. An error names the index of the change.',
    schema: {
      schema: { oneOf: [{ $ref: getSchemaPath(ChangeRequestBody) }, { $ref: getSchemaPath(ContentUpdateBody) }] },
    },
    errors: [409, 412, 413],
  })
  writeRequest(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() { compat }: CompatQuery,
    @Body() { changes }: WriteContent,
  ) {
    return this.writes.toRequest(caller, space, changeRequestId, changes, compat);
  }

  @Post('spaces/:spaceId/content')
  @Can('space:edit')
  @Operation({
    id: 'updateSpaceContent',
    summary: 'Write straight into the primary content of a space with live edits',
    description:
      'Takes the same body as writing into a change request; a space whose live edits are locked answers 409.',
    type: SpaceUpdateBody,
    errors: [409, 412, 413],
  })
  writeSpace(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Body() { changes }: WriteContent) {
    return this.writes.toSpace(caller, space, changes);
  }

  @Post('spaces/:spaceId/change-requests/:changeRequestId/content/files')
  @Can('space:propose')
  @TakesRawBody()
  @ApiConsumes(ANY_TYPE)
  @ApiBody(BYTES)
  @Operation({
    id: 'uploadFileToChangeRequest',
    summary: 'Upload a file to a change request',
    description: UPLOAD,
    status: 201,
    type: ContentUpdateBody,
    errors: [409, 413],
  })
  uploadToRequest(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() query: FileUploadQuery,
    @Req() request: Request,
  ) {
    return this.writes.uploadToRequest(caller, space, changeRequestId, uploadOf(request, query));
  }

  @Post('spaces/:spaceId/content/files')
  @Can('space:edit')
  @TakesRawBody()
  @ApiConsumes(ANY_TYPE)
  @ApiBody(BYTES)
  @Operation({
    id: 'uploadFileToSpace',
    summary: 'Upload a file to the primary content of a space with live edits',
    description: UPLOAD,
    status: 201,
    type: SpaceUpdateBody,
    errors: [409, 413],
  })
  uploadToSpace(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Query() query: FileUploadQuery,
    @Req() request: Request,
  ) {
    return this.writes.uploadToSpace(caller, space, uploadOf(request, query));
  }
}

const uploadOf = (request: Request, { name, file }: FileUploadQuery): FileUpload => ({
  bytes: rawBody(request),
  name,
  file,
  type: request.headers['content-type'],
});
