import { Module } from '@nestjs/common';
import { SpacesModule } from '../../workspace/spaces/spaces.module.js';
import { CollectionsModule } from '../../workspace/collections/collections.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../../authoring/change-requests/change-requests.module.js';
import { ContentModule } from '../../authoring/content/content.module.js';
import { TemplatesModule } from '../../authoring/templates/templates.module.js';
import { ContentReferences } from './content-references.js';
import { ContentUrlsController } from './content-urls.controller.js';
import { ContentUrls } from './content-urls.service.js';
import { CustomizationController } from './customization.controller.js';
import { Customizations } from './customization.service.js';
import { CustomHostname } from './hostnames/custom-hostname.entity.js';
import { CustomHostnamesController } from './hostnames/custom-hostnames.controller.js';
import { CustomHostnames } from './hostnames/custom-hostnames.service.js';
import { DnsLookup } from './hostnames/dns-lookup.js';
import { SiteCertificatesCheck, SiteHostnamesCheck } from './hostnames/site-hostnames.check.js';
import { HostnameChecks } from './hostnames/hostname-checks.js';
import { HostnameTargets } from './hostnames/hostname-targets.js';
import { FormerPlaces } from './former-places.js';
import { InsightsController } from './insights/insights.controller.js';
import { InsightsQueries } from './insights/insights-queries.js';
import { Insights } from './insights/insights.service.js';
import { MissingAddressCounts } from './insights/missing-address-counts.service.js';
import { MissingAddressesController } from './insights/missing-addresses.controller.js';
import { MissingAddresses } from './insights/missing-addresses.service.js';
import { SearchChoices } from './insights/search-choices.service.js';
import { SearchCounts } from './insights/search-counts.service.js';
import { SearchCountsRetentionJob } from './insights/search-counts-retention.job.js';
import { SearchQueriesController } from './insights/search-queries.controller.js';
import { SearchQueries } from './insights/search-queries.service.js';
import { VisitorSegmentsController } from './insights/visitor-segments.controller.js';
import { VisitorSegments } from './insights/visitor-segments.service.js';
import { PagePlaces } from './page-places.js';
import { PublishedPlaces } from './published-places.js';
import { Positions } from './positions.js';
import { RedirectImport } from './redirect-import.service.js';
import { RedirectTargets } from './redirect-targets.js';
import { RedirectsController } from './redirects.controller.js';
import { SiteIpAllowListController } from './ip-allow-list.controller.js';
import { SiteIpAllowLists } from './ip-allow-lists.service.js';
import { LiveRedirects } from './live-redirects.js';
import { RedirectChanges } from './redirect-changes.service.js';
import { RedirectDestinations } from './redirect-destinations.js';
import { SiteRedirects } from './redirects.service.js';
import { SectionGroupsController } from './section-groups.controller.js';
import { SectionGroups } from './section-groups.service.js';
import { SectionsController } from './sections.controller.js';
import { Sections } from './sections.service.js';
import { ShareLinksController } from './share-links.controller.js';
import { ShareLinks } from './share-links.service.js';
import { SiteDefaults } from './site-defaults.js';
import { FontUses } from './font-uses.service.js';
import { SiteLock } from './site-lock.js';
import { SitePaths } from './site-paths.js';
import { SiteSpaceCopies } from './site-space-copies.service.js';
import { SiteTemplates } from './site-templates.service.js';
import { SiteUrls } from './site-urls.js';
import { SiteSpacesController } from './site-spaces.controller.js';
import { SiteSpaces } from './site-spaces.service.js';
import { SitesController } from './sites.controller.js';
import { Sites } from './sites.service.js';
import { StructureSort } from './structure-sort.service.js';
import { StructureController } from './structure.controller.js';
import { SiteStructures } from './structure.service.js';
import { StructureViews } from './structure.views.js';
import { OrganizationDefaultSite } from './organization-default-site.entity.js';
import { SiteExports } from './site-exports.service.js';
import { SiteImports } from './site-imports.service.js';
import { SiteStructureWriter } from './site-structure-writer.service.js';
import { Site } from './site.entity.js';
import { ImportingModule } from '../../authoring/interchange/importing.module.js';
import { SiteFormerBasename } from './site-former-basename.entity.js';
import { SiteMissingAddress } from './insights/site-missing-address.entity.js';
import { SiteInsight } from './insights/site-insight.entity.js';
import { SiteSearchChoice } from './insights/site-search-choice.entity.js';
import { SiteSearchQuery } from './insights/site-search-query.entity.js';
import { SiteMemberGrant } from './site-member-grant.entity.js';
import { SiteRedirect } from './site-redirect.entity.js';
import { SiteSection } from './site-section.entity.js';
import { ExternalLinksController } from './external-links.controller.js';
import { ExternalLinks } from './external-links.service.js';
import { SiteExternalLink } from './site-external-link.entity.js';
import { SiteSectionGroup } from './site-section-group.entity.js';
import { SiteShareLink } from './site-share-link.entity.js';
import { SiteSpace } from './site-space.entity.js';
import { SiteTeamGrant } from './site-team-grant.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { sites } from './sites.manifest.js';

@Module({
  imports: [
    CollectionsModule,
    SpacesModule,
    TypeOrmModule.forFeature([
      CustomHostname,
      OrganizationDefaultSite,
      Site,
      SiteExternalLink,
      SiteFormerBasename,
      SiteInsight,
      SiteMemberGrant,
      SiteMissingAddress,
      SiteRedirect,
      SiteSearchChoice,
      SiteSearchQuery,
      SiteSection,
      SiteSectionGroup,
      SiteShareLink,
      SiteSpace,
      SiteTeamGrant,
    ]),
    ContentModule,
    ImportingModule,
    ChangeRequestsModule,
    TemplatesModule,
  ],
  controllers: [
    SitesController,
    StructureController,
    SectionsController,
    SiteSpacesController,
    SectionGroupsController,
    ExternalLinksController,
    CustomizationController,
    ShareLinksController,
    SiteIpAllowListController,
    RedirectsController,
    InsightsController,
    SearchQueriesController,
    MissingAddressesController,
    VisitorSegmentsController,
    ContentUrlsController,
    CustomHostnamesController,
  ],
  providers: [
    brings(sites),
    Sites,
    SiteLock,
    SitePaths,
    SiteDefaults,
    Positions,
    SiteStructures,
    SiteExports,
    SiteImports,
    SiteStructureWriter,
    ExternalLinks,
    StructureViews,
    SiteSpaces,
    Sections,
    SiteSpaceCopies,
    SiteTemplates,
    SectionGroups,
    Customizations,
    FontUses,
    ShareLinks,
    SiteIpAllowLists,
    FormerPlaces,
    CustomHostnames,
    { provide: DnsLookup, useFactory: () => new DnsLookup() },
    HostnameChecks,
    SiteHostnamesCheck,
    SiteCertificatesCheck,
    HostnameTargets,
    PagePlaces,
    SiteUrls,
    SiteRedirects,
    RedirectDestinations,
    RedirectChanges,
    LiveRedirects,
    RedirectImport,
    RedirectTargets,
    StructureSort,
    Insights,
    InsightsQueries,
    MissingAddressCounts,
    MissingAddresses,
    SearchChoices,
    SearchCounts,
    SearchCountsRetentionJob,
    SearchQueries,
    VisitorSegments,
    ContentReferences,
    ContentUrls,
    PublishedPlaces,
  ],
  exports: [
    Sites,
    SiteLock,
    SiteExports,
    SiteImports,
    SiteStructures,
    StructureViews,
    SiteSpaces,
    Sections,
    Customizations,
    FontUses,
    ShareLinks,
    PagePlaces,
    SiteUrls,
    LiveRedirects,
    Insights,
    MissingAddressCounts,
    SearchChoices,
    SearchCounts,
  ],
})
export class SitesModule {}
