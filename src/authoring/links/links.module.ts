import { Module } from '@nestjs/common';
import { UsersModule } from '../../identity/users/users.module.js';
import { CollectionsModule } from '../../workspace/collections/collections.module.js';
import { SpacesModule } from '../../workspace/spaces/spaces.module.js';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../change-requests/change-requests.module.js';
import { ContentModule } from '../content/content.module.js';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { LinksController, SpaceLinksController } from './links.controller.js';
import { ItemLocations } from './item-locations.js';
import { Links } from './links.service.js';
import { NamingContent } from './naming-content.js';
import { Locations } from './locations.service.js';
import { ContentLink } from './content-link.entity.js';
import { LinkedTarget } from './linked-target.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { links } from './links.manifest.js';

/** The references of content, and whether their targets exist. */
@Module({
  imports: [
    OrganizationsModule,
    SpacesModule,
    CollectionsModule,
    UsersModule,
    TypeOrmModule.forFeature([ContentLink, LinkedTarget]),
    ContentModule,
    ChangeRequestsModule,
    OpenApiModule,
  ],
  controllers: [SpaceLinksController, LinksController],
  providers: [brings(links), ItemLocations, Links, Locations, NamingContent],
  exports: [Links, NamingContent],
})
export class LinksModule {}
