import { Module } from '@nestjs/common';
import { PublishedController } from './published.controller.js';
import { PublishedSites } from './published.service.js';
import { Visits } from './visits.js';

@Module({ controllers: [PublishedController], providers: [PublishedSites, Visits], exports: [PublishedSites, Visits] })
export class PublishingModule {}
