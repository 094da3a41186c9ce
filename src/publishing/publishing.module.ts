import { Module } from '@nestjs/common';
import { PublishedController } from './published.controller.js';
import { PublishedSites } from './published.service.js';

@Module({ controllers: [PublishedController], providers: [PublishedSites], exports: [PublishedSites] })
export class PublishingModule {}
