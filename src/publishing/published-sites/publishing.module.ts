import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { SpacesModule } from '../../workspace/spaces/spaces.module.js';
import { SitesModule } from '../sites/sites.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentModule } from '../../authoring/content/content.module.js';
import { AdaptiveSchemasController } from './adaptive-schemas.controller.js';
import { AdaptiveSchemas } from './adaptive-schemas.service.js';
import { AnswersModule } from '../../authoring/answers/answers.module.js';
import { LinksModule } from '../../authoring/links/links.module.js';
import { SearchModule } from '../../authoring/search/search.module.js';
import { PublishedAnswers } from './answers/published-answers.service.js';
import { UnansweredQuestions } from './answers/unanswered-questions.js';
import { SiteAnswers } from './answers/site-answers.service.js';
import { SiteAskController } from './answers/site-ask.controller.js';
import { ConditionalPages } from './search/conditional-pages.js';
import { SiteSearch } from './search/site-search.service.js';
import { SpaceTrees } from './pages/space-trees.js';
import { PingController } from './ping.controller.js';
import { CustomizationDraft } from './previews/customization-draft.entity.js';
import { CustomizationDrafts } from './previews/customization-drafts.js';
import { CustomizationPreviewsController } from './previews/customization-previews.controller.js';
import { CustomizationPreviews } from './previews/customization-previews.service.js';
import { PreviewAddresses } from './previews/preview-addresses.service.js';
import { PreviewGrants } from './previews/preview-grants.js';
import { RequestPreviewsController } from './previews/request-previews.controller.js';
import { RequestPreviews } from './previews/request-previews.service.js';
import { Previews } from './previews.service.js';
import { PublishedSearch } from './search/published-search.service.js';
import { PublishedController } from './published.controller.js';
import { PublishedUrlsController } from './published-urls.controller.js';
import { PublishedUrls } from './published-urls.service.js';
import { PublishedSites } from './published.service.js';
import { PublishingAuthController } from './publishing-auth.controller.js';
import { PublishingAuths } from './publishing-auth.service.js';
import { ReaderTokens } from './reader-tokens.service.js';
import { SiteSearchController } from './search/site-search.controller.js';
import { VisibleNames } from './visible-names.js';
import { PublicVisits } from './public-visits.js';
import { PublishedVersions } from './published-versions.js';
import { VisitorTokens } from './visitor-tokens.js';
import { VisitorAccess } from './visitor-access.service.js';
import { Purges } from './shared-cache/purges.js';
import { PurgeTargets } from './shared-cache/purge-targets.js';
import { SharedCache } from './shared-cache/shared-cache.js';
import { SharedCacheState } from './shared-cache/shared-cache-state.entity.js';
import { SiteAdaptiveSchema } from './site-adaptive-schema.entity.js';
import { SitePublishingAuth } from './site-publishing-auth.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { publishing } from './publishing.manifest.js';

@Module({
  imports: [
    SitesModule,
    SpacesModule,
    OrganizationsModule,
    TypeOrmModule.forFeature([CustomizationDraft, SharedCacheState, SiteAdaptiveSchema, SitePublishingAuth]),
    ContentModule,
    LinksModule,
    SearchModule,
    AnswersModule,
  ],
  controllers: [
    PublishedController,
    AdaptiveSchemasController,
    PublishingAuthController,
    PingController,
    PublishedUrlsController,
    SiteSearchController,
    SiteAskController,
    RequestPreviewsController,
    CustomizationPreviewsController,
  ],
  providers: [
    brings(publishing),
    PublishedSites,
    AdaptiveSchemas,
    PublishingAuths,
    CustomizationDrafts,
    CustomizationPreviews,
    Previews,
    PreviewAddresses,
    PreviewGrants,
    RequestPreviews,
    PublishedUrls,
    PublicVisits,
    PublishedVersions,
    Purges,
    PurgeTargets,
    SharedCache,
    SiteSearch,
    SiteAnswers,
    UnansweredQuestions,
    PublishedAnswers,
    ConditionalPages,
    PublishedSearch,
    ReaderTokens,
    SpaceTrees,
    VisibleNames,
    VisitorTokens,
    VisitorAccess,
  ],
  exports: [
    PublishedSites,
    PublishedVersions,
    ReaderTokens,
    RequestPreviews,
    SharedCache,
    SiteAnswers,
    SiteSearch,
    SpaceTrees,
    VisitorAccess,
  ],
})
export class PublishingModule {}
