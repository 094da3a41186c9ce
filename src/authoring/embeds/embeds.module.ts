import { Module } from '@nestjs/common';
import { EmbedsController } from './embeds.controller.js';
import { Embeds } from './embeds.service.js';

/** Titles, icons and players of embedded addresses of other services. */
@Module({ controllers: [EmbedsController], providers: [Embeds] })
export class EmbedsModule {}
