import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { SearchSynonymsController } from './search-synonyms.controller.js';
import { SearchSynonyms } from './search-synonyms.entity.js';
import { SynonymLists } from './search-synonyms.service.js';
import { Clock } from '../../kernel/common/clock.js';
import { ContentModule } from '../content/content.module.js';
import { DocumentStore } from '../content/document-store.js';
import { Jobs } from '../../kernel/platform/jobs/jobs.js';
import { GeneratedHits } from './generated-hits.js';
import { HiddenPages } from './hidden-pages.js';
import { HitPages } from './hit-pages.js';
import { HitSections } from './hit-sections.js';
import { PageEmbedding } from './page-embedding.entity.js';
import { PageEmbeddingDue } from './page-embedding-due.entity.js';
import { PageEmbeddings } from './page-embeddings.service.js';
import { QueryMeanings } from './query-meanings.js';
import { Rankings } from './rankings.js';
import { OrganizationSearchController } from './organization-search.controller.js';
import { OrganizationSearch } from './organization-search.service.js';
import { ScopedSearch } from './scoped-search.service.js';
import { SearchCache } from './search-cache.js';
import { SearchController } from './search.controller.js';
import { Search } from './search.service.js';
import { Vocabulary } from './vocabulary.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { search } from './search.manifest.js';

/**
 * Milliseconds for which old versions stay in the index, although no search finds them: undoing a change soon after
 * costs nothing then.
 */
const SUPERSEDED_FOR_MS = 60_000;
const BATCH = 200;

@Module({
  imports: [
    ContentModule,
    OrganizationsModule,
    TypeOrmModule.forFeature([SearchSynonyms, PageEmbedding, PageEmbeddingDue]),
  ],
  controllers: [SearchController, OrganizationSearchController, SearchSynonymsController],
  providers: [
    brings(search),
    Search,
    OrganizationSearch,
    ScopedSearch,
    GeneratedHits,
    HiddenPages,
    HitPages,
    HitSections,
    PageEmbeddings,
    Rankings,
    SearchCache,
    QueryMeanings,
    Vocabulary,
    SynonymLists,
  ],
  exports: [HiddenPages, Search, ScopedSearch, OrganizationSearch],
})
export class SearchModule implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('search.forget-superseded', async (_, run) => {
      const before = new Date(this.clock.now().getTime() - SUPERSEDED_FOR_MS);
      while (!run.signal.aborted && (await this.documents.forgetSuperseded(before, BATCH)) > 0);
    });
  }
}
