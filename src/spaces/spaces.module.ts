import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Space } from './space.entity.js';
import { SpacesController } from './spaces.controller.js';
import { Spaces } from './spaces.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Space])],
  controllers: [SpacesController],
  providers: [Spaces],
  exports: [Spaces],
})
export class SpacesModule {}
