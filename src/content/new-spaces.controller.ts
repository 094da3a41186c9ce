import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization, InSpace } from '../access/access.decorators.js';
import type { OrganizationAccess, SpaceAccess } from '../access/access.service.js';
import { Addresses } from '../common/addresses.js';
import type { Caller } from '../common/context.js';
import { Operation } from '../common/operation.js';
import { presentSpace, SpaceBody } from '../spaces/spaces.schema.js';
import { CreateSpace } from './new-spaces.schema.js';
import { NewSpaces } from './new-spaces.service.js';
import { SpaceCopies } from './space-copies.service.js';

@ApiTags('Spaces')
@Controller()
export class NewSpacesController {
  constructor(
    private readonly spaces: NewSpaces,
    private readonly copies: SpaceCopies,
    private readonly addresses: Addresses,
  ) {}

  @Post('orgs/:organizationId/spaces')
  @Can('organization:view')
  @Operation({
    id: 'createSpace',
    summary: 'Create a space',
    description: 'Takes the permission to create content in the organization, or in the parent collection where one is given.',
    status: 201,
    type: SpaceBody,
  })
  create(@ByCaller() caller: Caller, @InOrganization() organization: OrganizationAccess, @Body() body: CreateSpace) {
    return this.spaces.create(caller, organization, body).then((row) => presentSpace(row, this.addresses));
  }

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
