import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Collection } from './collection.entity.js';
import { Siblings } from './siblings.service.js';

@Global()
@Module({ imports: [TypeOrmModule.forFeature([Collection])], providers: [Siblings], exports: [Siblings] })
export class CollectionsModule {}
