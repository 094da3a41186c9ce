import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../change-requests/change-requests.module.js';
import { ContentModule } from '../content/content.module.js';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { LinksController, SpaceLinksController } from './links.controller.js';
import { Links } from './links.service.js';
import { Locations } from './locations.service.js';
import { ContentLink } from './content-link.entity.js';
import { LinkedTarget } from './linked-target.entity.js';

/** What content refers to, and whether it is there. */
@Module({
  imports: [TypeOrmModule.forFeature([ContentLink, LinkedTarget]), ContentModule, ChangeRequestsModule, OpenApiModule],
  controllers: [SpaceLinksController, LinksController],
  providers: [Links, Locations],
})
export class LinksModule {}
