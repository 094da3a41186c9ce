import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CollectionContentsController } from './collection-contents.controller.js';
import { Space } from './space.entity.js';
import { SpacesController } from './spaces.controller.js';
import { Spaces } from './spaces.service.js';
import { Transfers } from './transfers.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Space])],
  controllers: [SpacesController, CollectionContentsController],
  providers: [Spaces, Transfers],
  exports: [Spaces],
})
export class SpacesModule {}
