import { Module, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../common/database.js';
import { ContentModule } from '../../content/content.module.js';
import { PublicListener } from '../../platform/public-listener.js';
import { FileEndpoint } from '../../platform/storage/file-endpoint.js';
import { SitesModule } from '../../sites/sites.module.js';
import { PublishingModule } from '../publishing.module.js';
import { ApiDescriptions } from '../html/openapi/api-descriptions.js';
import { Discovery } from './discovery.js';
import { Frames } from './frames.js';
import { openFiles } from './open-files.js';
import { OwnPages } from './own-pages.js';
import { PageContents } from './page-contents.js';
import { PageRenderings } from './page-renderings.js';
import { PagesEndpoint } from './pages-endpoint.js';
import { Readers } from './readers.js';
import { ReferenceLookup } from './references.js';
import { SearchPage } from './search-page.js';
import { SiteAssets } from './site-assets.js';
import { SiteRouter } from './site-router.js';
import { SpaceTrees } from './space-trees.js';

/** Published sites as pages that people read, on the public listener. */
@Module({
  imports: [ContentModule, SitesModule, PublishingModule],
  providers: [ApiDescriptions, Discovery, Frames, OwnPages, PageContents, PageRenderings, PagesEndpoint, Readers, ReferenceLookup, SearchPage, SiteAssets, SiteRouter, SpaceTrees],
})
export class PublishedPagesModule implements OnModuleInit {
  constructor(
    private readonly listener: PublicListener,
    private readonly pages: PagesEndpoint,
    private readonly files: FileEndpoint,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.listener.mount(this.pages.handle);
    this.files.register(openFiles(this.database));
  }
}
