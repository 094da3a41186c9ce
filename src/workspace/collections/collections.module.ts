import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Collection } from './collection.entity.js';
import { CollectionsController } from './collections.controller.js';
import { Collections } from './collections.service.js';
import { Siblings } from './siblings.service.js';
import { WorkspacePlaces } from './workspace-places.service.js';
import { CollectionTotal } from './collection-total.entity.js';
import { CollectionTotalChange } from './collection-total-change.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { collections } from './collections.manifest.js';

@Module({
  imports: [TypeOrmModule.forFeature([Collection, CollectionTotal, CollectionTotalChange])],
  controllers: [CollectionsController],
  providers: [brings(collections), Collections, Siblings, WorkspacePlaces],
  exports: [Collections, Siblings, WorkspacePlaces],
})
export class CollectionsModule {}
