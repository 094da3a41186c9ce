import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { ByCaller, Can, InSpace } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ChangeRequestBody } from './change-request.schema.js';
import { WriteContent } from '../content/content-write.schema.js';
import { CompatQuery, ContentUpdateBody, PagePointer, SpaceUpdateBody } from './content-writes.schema.js';
import { ContentWrites } from './content-writes.service.js';

/** Writes of content: to a change request, and directly to a space with live edits. */
@ApiTags('Space content')
@ApiExtraModels(ChangeRequestBody, ContentUpdateBody, PagePointer)
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
  writeSpace(@ByCaller() caller: Caller, @InSpace() { id }: SpaceAccess, @Body() { changes }: WriteContent) {
    return this.writes.toSpace(caller, id, changes);
  }
}
