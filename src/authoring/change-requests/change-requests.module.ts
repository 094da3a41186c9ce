import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { SpacesModule } from '../../workspace/spaces/spaces.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentModule } from '../content/content.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ChangeRequestsController } from './change-requests.controller.js';
import { ChangeRequests } from './change-requests.service.js';
import { ChangeRequestStore } from './change-request-store.js';
import { ContentWritesController } from './content-writes.controller.js';
import { ContentWrites } from './content-writes.service.js';
import { DocumentMerger } from './document-merger.js';
import { MergeConflicts } from './merge-conflicts.service.js';
import { MergeGate } from './merge-gate.js';
import { MergeLoader } from './merge-loader.js';
import { MergeRuleTestsController } from './merge-rule-tests.controller.js';
import { MergeRuleTests } from './merge-rule-tests.service.js';
import { Merges } from './merges.service.js';
import { RequestMerger } from './request-merger.js';
import { RequestReverts } from './request-reverts.service.js';
import { RequestReviewsController } from './request-reviews.controller.js';
import { ViewedPage } from './viewed-page.entity.js';
import { ViewedPages } from './viewed-pages.service.js';
import { RequestDescriptions } from './request-descriptions.js';
import { RequestRewrites } from './request-rewrites.js';
import { ServiceRequests } from './service-requests.js';
import { RequestUpdates } from './request-updates.service.js';
import { ChangeRequest } from './change-request.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { changeRequests } from './change-requests.manifest.js';

@Module({
  imports: [
    OrganizationsModule,
    SpacesModule,
    TypeOrmModule.forFeature([ChangeRequest, ViewedPage]),
    ContentModule,
    TemplatesModule,
  ],
  controllers: [ChangeRequestsController, RequestReviewsController, ContentWritesController, MergeRuleTestsController],
  providers: [
    brings(changeRequests),
    ChangeRequests,
    ChangeRequestStore,
    ContentWrites,
    DocumentMerger,
    MergeConflicts,
    MergeGate,
    MergeLoader,
    MergeRuleTests,
    Merges,
    RequestMerger,
    RequestReverts,
    RequestDescriptions,
    RequestRewrites,
    RequestUpdates,
    ServiceRequests,
    ViewedPages,
  ],
  exports: [
    ChangeRequests,
    ChangeRequestStore,
    MergeConflicts,
    Merges,
    RequestDescriptions,
    RequestRewrites,
    RequestUpdates,
    ServiceRequests,
  ],
})
export class ChangeRequestsModule {}
