import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InCollection } from '../../kernel/access/access.decorators.js';
import type { CollectionAccess } from '../../kernel/access/access.service.js';
import { CollectionBody, presentCollection, TransferInWorkspace } from '../collections/collections.schema.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { SpaceLists } from './space-lists.service.js';
import { SpaceTrash } from './space-trash.service.js';
import { presentSpace, SpaceBody } from './spaces.schema.js';
import { Transfers } from './transfers.service.js';

/** The operations on a collection that affect the spaces inside. */
@ApiTags('Collections')
@Controller('collections/:collectionId')
export class CollectionContentsController {
  constructor(
    private readonly lists: SpaceLists,
    private readonly trash: SpaceTrash,
    private readonly transfers: Transfers,
    private readonly addresses: Addresses,
  ) {}

  @Get('spaces')
  @Can('collection:view')
  @Operation({
    id: 'listSpacesInCollectionById',
    summary: 'List the spaces of a collection that the caller can see, in their order',
    type: SpaceBody,
    list: true,
  })
  async list(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess, @Query() query: PageQuery) {
    return this.lists
      .listInCollection(caller.userId, collection, query)
      .then((page) => page.map((row) => presentSpace(row, this.addresses)));
  }

  @Post('transfer')
  @Can('collection:admin')
  @Operation({
    id: 'transferCollection',
    summary: 'Transfer a collection to another organization',
    description:
      'With all that is in it, which the caller must be able to administer; spaces in the trash stay behind. Otherwise as for a space: 412 while a site shows one of the spaces, 409 when the collection is there already.',
    type: CollectionBody,
    errors: [409, 412],
  })
  async transfer(
    @ByCaller() caller: Caller,
    @InCollection() collection: CollectionAccess,
    @Body() body: TransferInWorkspace,
  ) {
    return this.transfers.collection(caller, collection, body).then((row) => presentCollection(row, this.addresses));
  }

  @Delete()
  @Can('collection:admin')
  @Operation({
    id: 'deleteCollectionById',
    summary: 'Delete a collection',
    description:
      'Final for the collection and those within it; their spaces go to the trash for seven days and come back at the root. Refused to callers from whom pages of these spaces are hidden.',
    status: 204,
    alwaysThere: true,
  })
  async remove(@ByCaller() caller: Caller, @InCollection() collection: CollectionAccess) {
    return this.trash.removeCollection(caller, collection);
  }
}
