import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../access/access.decorators.js';
import type { OrganizationAccess } from '../access/access.service.js';
import { Addresses } from '../common/addresses.js';
import type { Caller } from '../common/context.js';
import { Operation } from '../common/operation.js';
import { presentSpace, SpaceBody } from '../spaces/spaces.schema.js';
import { CreateSpace } from './new-spaces.schema.js';
import { NewSpaces } from './new-spaces.service.js';

@ApiTags('Spaces')
@Controller()
export class NewSpacesController {
  constructor(
    private readonly spaces: NewSpaces,
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
}
