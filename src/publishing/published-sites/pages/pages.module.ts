import { Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../kernel/common/database.js';
import { ContentModule } from '../../../authoring/content/content.module.js';
import { RenderingModule } from '../../../authoring/rendering/rendering.module.js';
import { PageVerificationModule } from '../../../authoring/page-verification/page-verification.module.js';
import { ImportingModule } from '../../../authoring/interchange/importing.module.js';
import { PdfModule } from '../../pdf/pdf.module.js';
import { PublicListener } from '../../../kernel/platform/public-listener.js';
import { FileEndpoint } from '../../../kernel/platform/storage/file-endpoint.js';
import { FileGate } from '../../../kernel/platform/storage/file-gate.js';
import { FileStandIns } from '../../../kernel/platform/storage/file-stand-ins.js';
import { PublishedVersions } from '../published-versions.js';
import { SitesModule } from '../../sites/sites.module.js';
import { PublishingModule } from '../publishing.module.js';
import { AskPage } from './ask-page.js';
import { CardPictures } from './card-pictures.js';
import { CertificateEndpoint } from './certificate-endpoint.js';
import { CodeThemes } from './code-themes.js';
import { AgentTexts } from './agent-texts.js';
import { builtDiagrams, DIAGRAMS_FOLDER, DiagramFiles } from './diagram-files.js';
import { Discovery } from './discovery.js';
import { Feeds } from './feeds.js';
import { SiteOperations } from './site-operations.js';
import { SiteTexts } from './site-texts.js';
import { OperationCaller } from './operation-caller.js';
import { KeptPages } from './kept-pages.js';
import { PageShells } from './page-shells.js';
import { publicFileLookup, siteGate } from './public-file-lookup.js';
import { MissingPages } from './missing-pages.js';
import { SystemPages } from './system-pages.js';
import { PageContents } from './page-contents.js';
import { PageRenderings } from './page-renderings.js';
import { PagesEndpoint } from './pages-endpoint.js';
import { PublicAnswers } from './public-answers.js';
import { ReaderCounts } from './reader-counts.js';
import { ReferenceLookup } from './reference-lookup.js';
import { InstallationPage } from './installation-page.js';
import { PopularPages } from './popular-pages.js';
import { PreviewPages } from './preview-pages.js';
import { PlacedHits } from './placed-hits.js';
import { SearchPage } from './search-page.js';
import { ServiceRouter } from './service-router.js';
import { SiteApiTools } from './site-api-tools.js';
import { ShownVerifications } from './shown-verifications.js';
import { SiteAssets } from './site-assets.js';
import { SiteFonts } from './site-fonts.js';
import { SiteMcp } from './site-mcp.js';
import { SitePdfs } from './site-pdfs.js';
import { StaticPdfs } from './static/static-pdfs.js';
import { PageFeedback } from './page-feedback.js';
import { PageRouter } from './page-router.js';
import { PageStore } from './page-store.js';
import { SiteRedirectTargets } from './site-redirect-targets.js';
import { SiteRequestReader } from './site-request-reader.js';
import { SiteRouter } from './site-router.js';
import { SiteVisits } from './site-visits.js';
import { SocialCards } from './social-cards.js';
import { SourceLinks } from './source-links.js';
import { StoredAddresses } from './stored-addresses.js';
import { StaticAssets } from './static/static-assets.js';
import { StaticPages } from './static/static-pages.js';
import { StaticRedirects } from './static/static-redirects.js';
import { StaticSearchScript } from './static/static-search-script.js';
import { StaticSites } from './static/static-sites.service.js';
import { StaticTexts } from './static/static-texts.js';
import { WorkspaceStyle } from './workspace-style.js';

/** Published sites as pages for people, on the public listener. */
@Module({
  imports: [
    ContentModule,
    RenderingModule,
    ImportingModule,
    PageVerificationModule,
    PdfModule,
    SitesModule,
    PublishingModule,
  ],
  providers: [
    AskPage,
    CardPictures,
    CertificateEndpoint,
    CodeThemes,
    AgentTexts,
    { provide: DIAGRAMS_FOLDER, useFactory: builtDiagrams },
    DiagramFiles,
    Discovery,
    Feeds,
    SiteOperations,
    SiteTexts,
    OperationCaller,
    KeptPages,
    PageShells,
    SystemPages,
    MissingPages,
    PageContents,
    PageFeedback,
    PageRenderings,
    PageRouter,
    PageStore,
    PagesEndpoint,
    InstallationPage,
    PlacedHits,
    PopularPages,
    PreviewPages,
    PublicAnswers,
    ReaderCounts,
    ReferenceLookup,
    SearchPage,
    ServiceRouter,
    SiteApiTools,
    ShownVerifications,
    SiteAssets,
    SiteFonts,
    SiteMcp,
    SitePdfs,
    StaticPdfs,
    SiteRedirectTargets,
    SiteRequestReader,
    SiteRouter,
    SiteVisits,
    SocialCards,
    SourceLinks,
    StaticAssets,
    StaticPages,
    StaticRedirects,
    StaticSearchScript,
    StaticSites,
    StaticTexts,
    StoredAddresses,
    WorkspaceStyle,
  ],
})
export class PublishedPagesModule implements OnModuleInit {
  constructor(
    private readonly listener: PublicListener,
    private readonly certificates: CertificateEndpoint,
    private readonly answers: PublicAnswers,
    private readonly pages: PagesEndpoint,
    private readonly files: FileEndpoint,
    private readonly gate: FileGate,
    private readonly standIns: FileStandIns,
    private readonly versions: PublishedVersions,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.listener.mount(this.answers.handle);
    this.listener.mount(this.certificates.handle);
    this.listener.mount(this.pages.handle);
    this.files.register(publicFileLookup(this.database));
    this.gate.decideBy(siteGate(this.database));
    this.standIns.decideBy(this.versions);
  }
}
