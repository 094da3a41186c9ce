import { Module, type OnModuleInit } from '@nestjs/common';
import { CollectionsModule } from '../../workspace/collections/collections.module.js';
import { SpacesModule } from '../../workspace/spaces/spaces.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database } from '../../kernel/common/database.js';
import { Blobs } from '../../kernel/platform/storage/blobs.js';
import { FileEndpoint } from '../../kernel/platform/storage/file-endpoint.js';
import { DocumentBodies } from './document-bodies.js';
import { BatchApplier } from './batch-applier.js';
import { ChangePreparer } from './change-preparer.js';
import { Commits } from './commits.js';
import { ComputedIndex } from './computed-index.entity.js';
import { ComputedContentController } from './computed-content.controller.js';
import { ComputedContent } from './computed-content.service.js';
import { ComputedPages } from './computed-pages.js';
import { ComputedTexts } from './computed-texts.service.js';
import { ContentChanges } from './content-changes.js';
import { ContentComparisons } from './content-comparisons.js';
import { ContentController } from './content.controller.js';
import { ContentCache } from './content-cache.js';
import { RecentChanges } from './recent-changes.js';
import { ContentFiles } from './content-files.js';
import { ContentPlaces } from './content-places.js';
import { DocumentRenderer } from './document-renderer.js';
import { PageRedirectResolver } from './page-redirect-resolver.js';
import { RevisionReader } from './revision-reader.js';
import { ContentReader } from './content-reader.js';
import { ContentStore } from './content-store.js';
import { TextChanges } from './text-changes.js';
import { ContentWriter } from './content-writer.js';
import { DocumentDrafts } from './document-drafts.js';
import { DocumentEvaluation } from './document-evaluation.js';
import { DocumentReader } from './document-reader.js';
import { DocumentStaging } from './document-staging.js';
import { DocumentStore } from './document-store.js';
import { IntegrationBlocks } from './integration-blocks.js';
import { FileIntake } from './file-intake.js';
import { findServedFile } from './served-files.js';
import { ContentLines } from './content-lines.js';
import { LinkTargets } from './link-targets.js';
import { MarkdownLinks } from './markdown-links.js';
import { NewSpacesController } from './new-spaces.controller.js';
import { NewSpaces } from './new-spaces.service.js';
import { PageRedirects } from './page-redirects.js';
import { ReaderPages } from './reader-pages.js';
import { PageReverts } from './page-reverts.js';
import { RelativeLinks } from './relative-links.js';
import { ReusedDocuments } from './reused-documents.js';
import { RevisionsController } from './revisions.controller.js';
import { Revisions } from './revisions.service.js';
import { SpaceCopies } from './space-copies.service.js';
import { SpecificationParser } from './specification-parser.js';
import { Specifications } from './specifications.js';
import { ContentItem } from './content-item.entity.js';
import { ContentTotal } from './content-total.entity.js';
import { ContentUndo } from './content-undo.entity.js';
import { DocumentRef } from './document-ref.entity.js';
import { DocumentStaged } from './document-staged.entity.js';
import { PageRedirect } from './page-redirect.entity.js';
import { Revision } from './revision.entity.js';
import { StoredDocument } from './stored-document.entity.js';
import { PageParts } from './page-parts.js';
import { PageTrees } from './page-trees.js';
import { PageCurrent } from './page-current.entity.js';
import { SectionCurrent } from './section-current.entity.js';
import { SectionUnused } from './section-unused.entity.js';
import { SectionVector } from './section-vector.entity.js';
import { SpaceVocabulary } from './space-vocabulary.entity.js';
import { PageFormerPlace } from './page-former-place.entity.js';
import { BaseVersions } from './base-versions.js';
import { BlockTexts } from './block-texts.js';
import { WriteConflicts } from './write-conflicts.js';
import { ResolutionReader } from './write-resolutions.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { content } from './content.manifest.js';

/** Versioned content: pages, files, reusable contents and variables, their reads and the only way to write them. */
@Module({
  imports: [
    SpacesModule,
    CollectionsModule,
    TypeOrmModule.forFeature([
      ComputedIndex,
      ContentItem,
      ContentTotal,
      ContentUndo,
      DocumentRef,
      DocumentStaged,
      PageCurrent,
      PageFormerPlace,
      PageRedirect,
      Revision,
      SpaceVocabulary,
      SectionCurrent,
      SectionUnused,
      SectionVector,
      StoredDocument,
    ]),
  ],
  controllers: [ContentController, ComputedContentController, NewSpacesController, RevisionsController],
  providers: [
    brings(content),
    DocumentBodies,
    BatchApplier,
    ChangePreparer,
    BaseVersions,
    BlockTexts,
    Commits,
    ComputedContent,
    ComputedPages,
    ComputedTexts,
    ContentChanges,
    ContentComparisons,
    ContentCache,
    RecentChanges,
    ContentFiles,
    ContentPlaces,
    ContentReader,
    DocumentRenderer,
    PageParts,
    PageRedirectResolver,
    PageTrees,
    RevisionReader,
    ContentStore,
    TextChanges,
    ContentWriter,
    DocumentDrafts,
    DocumentEvaluation,
    DocumentReader,
    DocumentStaging,
    DocumentStore,
    FileIntake,
    IntegrationBlocks,
    ContentLines,
    LinkTargets,
    RelativeLinks,
    MarkdownLinks,
    NewSpaces,
    PageRedirects,
    ReaderPages,
    PageReverts,
    ResolutionReader,
    ReusedDocuments,
    Revisions,
    SpaceCopies,
    SpecificationParser,
    WriteConflicts,
    Specifications,
  ],
  exports: [
    SpaceCopies,
    BlockTexts,
    IntegrationBlocks,
    DocumentBodies,
    Commits,
    ComputedPages,
    ComputedTexts,
    ContentChanges,
    ContentComparisons,
    ContentPlaces,
    ContentReader,
    PageRedirectResolver,
    ContentStore,
    TextChanges,
    ContentWriter,
    DocumentEvaluation,
    DocumentStaging,
    DocumentStore,
    FileIntake,
    ContentLines,
    LinkTargets,
    RelativeLinks,
    MarkdownLinks,
    NewSpaces,
    PageRedirects,
    ReaderPages,
    ReusedDocuments,
    Specifications,
  ],
})
export class ContentModule implements OnModuleInit {
  constructor(
    private readonly blobs: Blobs,
    private readonly endpoint: FileEndpoint,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.blobs.refer(
      { table: 'content_item', column: 'hash', where: `kind = 'file'` },
      { table: 'content_undo', column: 'hash', where: `kind = 'file'` },
    );
    this.endpoint.register((id, version) => findServedFile(this.database, id, version));
  }
}
