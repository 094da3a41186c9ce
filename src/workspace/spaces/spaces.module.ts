import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CollectionContentsController } from './collection-contents.controller.js';
import { ExpiredSpacesJob } from './expired-spaces.job.js';
import { OrphanedRowsCheck } from './orphaned-rows.check.js';
import { SpaceTables } from './space-tables.js';
import { Space } from './space.entity.js';
import { SpacesController } from './spaces.controller.js';
import { SpaceStore } from './space-store.js';
import { SpaceLists } from './space-lists.service.js';
import { SpaceTrash } from './space-trash.service.js';
import { Spaces } from './spaces.service.js';
import { Transfers } from './transfers.service.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { spaces } from './spaces.manifest.js';

@Module({
  imports: [OrganizationsModule, CollectionsModule, TypeOrmModule.forFeature([Space])],
  controllers: [SpacesController, CollectionContentsController],
  providers: [
    brings(spaces),
    Spaces,
    SpaceLists,
    SpaceStore,
    SpaceTrash,
    Transfers,
    SpaceTables,
    ExpiredSpacesJob,
    OrphanedRowsCheck,
  ],
  exports: [Spaces, SpaceStore, ExpiredSpacesJob],
})
export class SpacesModule {}
