import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ChangeRequestsController } from './change-requests.controller.js';
import { ChangeRequests } from './change-requests.service.js';
import { ContentWritesController } from './content-writes.controller.js';
import { ContentWrites } from './content-writes.service.js';
import { DocumentMerger } from './document-merger.js';
import { MergeGate } from './merge-gate.js';
import { MergeLoader } from './merge-loader.js';
import { Merges } from './merges.service.js';

@Module({
  imports: [ContentModule, TemplatesModule],
  controllers: [ChangeRequestsController, ContentWritesController],
  providers: [ChangeRequests, ContentWrites, DocumentMerger, MergeGate, MergeLoader, Merges],
  exports: [ChangeRequests, Merges],
})
export class ChangeRequestsModule {}
