import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { LinksController, SpaceLinksController } from './links.controller.js';
import { Links } from './links.service.js';
import { Locations } from './locations.service.js';

/** What content refers to, and whether it is there. */
@Module({ imports: [ContentModule, OpenApiModule], controllers: [SpaceLinksController, LinksController], providers: [Links, Locations] })
export class LinksModule {}
