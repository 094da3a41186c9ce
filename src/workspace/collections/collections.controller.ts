import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InCollection, InOrganization } from '../../kernel/access/access.decorators.js';
import type { CollectionAccess, OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import {
  CollectionBody,
  CollectionsQuery,
  CreateCollection,
  MoveInWorkspace,
  presentCollection,
  UpdateCollection,
} from './collections.schema.js';
import { Collections } from './collections.service.js';

@ApiTags('Collections')
@Controller()
export class CollectionsController {
  constructor(
    private readonly collections: Collections,
    private readonly addresses: Addresses,
  ) {}

  @Get('orgs/:organizationId/collections')
  @Can('organization:view')
  @Operation({
    id: 'listCollectionsInOrganizationById',
    summary: 'List the collections of an organization that the caller can see',
    type: CollectionBody,
    list: true,
  })
  async list(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Query() query: CollectionsQuery,
  ) {
    return this.collections
      .list(caller.userId, organization, query)
      .then((page) => page.map((row) => presentCollection(row, this.addresses)));
  }

  @Post('orgs/:organizationId/collections')
  @Can('organization:view')
  @Operation({
    id: 'createCollection',
    summary: 'Create a collection',
    description:
      'Takes the permission to create content in the organization, or in the parent collection where one is given.',
    status: 201,
    type: CollectionBody,
  })
  async create(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: CreateCollection,
  ) {
    return this.collections.create(caller, id, body).then((row) => presentCollection(row, this.addresses));
  }

  @Get('collections/:collectionId')
  @Can('collection:view')
  @Operation({ id: 'getCollectionById', summary: 'Get a collection', type: CollectionBody })
  async get(@ByCaller() caller: Caller, @InCollection() { id }: CollectionAccess) {
    return this.collections.get(caller.userId, id).then((row) => presentCollection(row, this.addresses));
  }

  @Patch('collections/:collectionId')
  @Can('collection:admin')
  @Operation({
    id: 'updateCollectionById',
    summary: 'Change the settings of a collection',
    description: 'Absent fields keep their value.',
    type: CollectionBody,
    errors: [412],
  })
  async update(
    @ByCaller() caller: Caller,
    @InCollection() collection: CollectionAccess,
    @Body() body: UpdateCollection,
  ) {
    return this.collections
      .update(caller.userId, collection, body)
      .then((row) => presentCollection(row, this.addresses));
  }

  @Post('collections/:collectionId/move')
  @Can('collection:admin')
  @Operation({
    id: 'moveCollection',
    summary: 'Move a collection',
    description:
      'Into another collection, to the root, or to another place in its list. Takes the permission to create content at the target.',
    type: CollectionBody,
    errors: [409, 412],
  })
  async move(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Body() body: MoveInWorkspace) {
    return this.collections.move(caller, collection, body).then((row) => presentCollection(row, this.addresses));
  }
}
