import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ByCaller,
  Can,
  ForReaders,
  InOrganization,
  InSpace,
  LeavesOutHiddenPages,
} from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess, SpaceAccess } from '../../kernel/access/access.service.js';
import { MoveInWorkspace, TransferInWorkspace } from '../collections/collections.schema.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Text } from '../../kernel/common/fields.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { SpaceLists } from './space-lists.service.js';
import { SpaceTrash } from './space-trash.service.js';
import { presentSpace, SpaceBody, UpdateSpace } from './spaces.schema.js';
import { Spaces } from './spaces.service.js';
import { Transfers } from './transfers.service.js';

class ShareKeyQuery {
  @Text({ optional: true, max: 200, description: 'Selects the published addresses that are shown; it grants nothing' })
  shareKey?: string;
}

@ApiTags('Spaces')
@Controller()
export class SpacesController {
  constructor(
    private readonly spaces: Spaces,
    private readonly lists: SpaceLists,
    private readonly trash: SpaceTrash,
    private readonly transfers: Transfers,
    private readonly addresses: Addresses,
  ) {}

  @Get('orgs/:organizationId/spaces')
  @Can('organization:view')
  @Operation({
    id: 'listSpacesInOrganizationById',
    summary: 'List the spaces of an organization that the caller can see',
    type: SpaceBody,
    list: true,
  })
  async list(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Query() query: PageQuery,
  ) {
    return this.lists
      .list(caller.userId, organization, query)
      .then((page) => page.map((row) => presentSpace(row, this.addresses)));
  }

  @Get('orgs/:organizationId/trash')
  @Can('organization:view')
  @Operation({
    id: 'listDeletedSpaces',
    summary: 'List the deleted spaces that the caller can restore, those deleted last first',
    type: SpaceBody,
    list: true,
  })
  async listDeleted(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Query() query: PageQuery,
  ) {
    return this.lists
      .listDeleted(caller.userId, organization, query)
      .then((page) => page.map((row) => presentSpace(row, this.addresses)));
  }

  @Get('spaces/:spaceId')
  @Can('space:inspect')
  @LeavesOutHiddenPages()
  @ForReaders()
  @Operation({
    id: 'getSpaceById',
    summary: 'Get a space',
    description: 'Reader tokens get it at its place in their site, without what concerns members.',
    type: SpaceBody,
  })
  async get(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Query() { shareKey }: ShareKeyQuery) {
    return this.spaces.seen(caller, space, shareKey).then((row) => presentSpace(row, this.addresses));
  }

  @Patch('spaces/:spaceId')
  @Can('space:admin')
  @LeavesOutHiddenPages()
  @Operation({
    id: 'updateSpaceById',
    summary: 'Change the settings of a space',
    description: 'Absent fields keep their value.',
    type: SpaceBody,
    errors: [412],
  })
  async update(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Body() body: UpdateSpace) {
    return this.spaces.update(caller, space, body).then((row) => presentSpace(row, this.addresses));
  }

  @Post('spaces/:spaceId/move')
  @Can('space:admin')
  @LeavesOutHiddenPages()
  @Operation({
    id: 'moveSpace',
    summary: 'Move a space',
    description:
      'Into a collection, to the root, or to another place in its list. Takes the permission to create content at the target.',
    type: SpaceBody,
    errors: [409, 412],
  })
  async move(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Body() body: MoveInWorkspace) {
    return this.spaces.move(caller, space, body).then((row) => presentSpace(row, this.addresses));
  }

  @Post('spaces/:spaceId/transfer')
  @Can('space:transfer')
  @Operation({
    id: 'transferSpace',
    summary: 'Transfer a space to another organization',
    description:
      'Takes the permission to create content in both organizations, and in the collection that is named. Teams, invite links, and grants and requested reviews of people who are not in the target stay behind. 412 while the space is in the trash or on a site; 409 when it is there already.',
    type: SpaceBody,
    errors: [409, 412],
  })
  async transfer(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Body() body: TransferInWorkspace) {
    return this.transfers.space(caller, space, body).then((row) => presentSpace(row, this.addresses));
  }

  @Delete('spaces/:spaceId')
  @Can('space:delete')
  @Operation({
    id: 'deleteSpaceById',
    summary: 'Delete a space',
    description: 'The space stays in the trash for seven days and can be restored in that time.',
    status: 204,
    alwaysThere: true,
  })
  async remove(@InSpace() space: SpaceAccess) {
    return this.trash.remove(space);
  }

  @Delete('spaces/:spaceId/trash')
  @Can('space:delete')
  @Operation({
    id: 'purgeSpace',
    summary: 'Remove a deleted space for good',
    description:
      'The space leaves the trash at once and cannot be restored; all that belongs to it is removed in the background. 409 unless it is in the trash.',
    status: 204,
    errors: [409],
  })
  async purge(@InSpace() space: SpaceAccess) {
    return this.trash.purge(space);
  }

  @Post('spaces/:spaceId/restore')
  @Can('space:restore')
  @Operation({ id: 'restoreSpace', summary: 'Restore a deleted space', type: SpaceBody, errors: [409] })
  async restore(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess) {
    return this.trash.restore(caller.userId, space).then((row) => presentSpace(row, this.addresses));
  }
}
