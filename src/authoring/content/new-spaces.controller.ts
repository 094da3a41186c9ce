import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { presentSpace, SpaceBody } from '../../workspace/spaces/spaces.schema.js';
import { SpaceCopies } from './space-copies.service.js';

@ApiTags('Spaces')
@Controller()
export class NewSpacesController {
  constructor(
    private readonly copies: SpaceCopies,
    private readonly addresses: Addresses,
  ) {}

  @Post('spaces/:spaceId/duplicate')
  @Can('space:admin')
  @Operation({
    id: 'duplicateSpace',
    summary: 'Duplicate a space',
    description:
      'A copy in the same place, with content and settings, and with links inside it that lead to the copy. It begins with one revision: history, change requests, grants, invite links and placements on sites are not copied. Takes the permission to create content there. A space of 10,000 pages takes seconds; the answer comes when the copy is complete.',
    status: 201,
    type: SpaceBody,
    errors: [409],
  })
  duplicate(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess) {
    return this.copies.create(caller, space).then((row) => presentSpace(row, this.addresses));
  }
}
