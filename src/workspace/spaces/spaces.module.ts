import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CollectionContentsController } from './collection-contents.controller.js';
import { Space } from './space.entity.js';
import { SpacesController } from './spaces.controller.js';
import { SpaceStore } from './space-store.js';
import { Spaces } from './spaces.service.js';
import { Transfers } from './transfers.service.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { spaces } from './spaces.manifest.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Space])],
  controllers: [SpacesController, CollectionContentsController],
  providers: [brings(spaces), Spaces, SpaceStore, Transfers],
  exports: [Spaces, SpaceStore],
})
export class SpacesModule {}
