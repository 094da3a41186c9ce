import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../../authoring/change-requests/change-requests.module.js';
import { ContentModule } from '../../authoring/content/content.module.js';
import { ImportingModule } from '../../authoring/interchange/importing.module.js';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { TranslationEngines } from './engines/translation-engines.js';
import { GlossaryController } from './glossary.controller.js';
import { Glossary } from './glossary.service.js';
import { RunRequests } from './run-requests.js';
import { SourceChanges } from './source-changes.js';
import { SpaceTranslator } from './space-translator.js';
import { TranslationMemory } from './translation-memory.js';
import { ItemTranslator } from './item-translator.js';
import { TranslatedItems } from './translated-items.js';
import { TranslationOrders } from './translation-orders.js';
import { TranslationPublisher } from './translation-publisher.js';
import { TranslationRuns } from './translation-runs.js';
import { TranslationsController } from './translations.controller.js';
import { Translations } from './translations.service.js';
import { TranslationWorker } from './translation-worker.js';
import { ReviewRequests } from './review/review-requests.js';
import { Corrections } from './segments/corrections.js';
import { CorrectedItems } from './segments/corrected-items.js';
import { CorrectionPublisher } from './segments/correction-publisher.js';
import { CorrectionWorker } from './segments/correction-worker.js';
import { TranslatedWords } from './segments/translated-words.js';
import { ReaderNotes } from './segments/reader-notes.js';
import { LeftSegments } from './segments/left-segments.js';
import { SegmentRecords } from './segments/segment-records.js';
import { SegmentsController } from './segments/segments.controller.js';
import { Segments } from './segments/segments.service.js';
import { TranslationCorrection } from './segments/translation-correction.entity.js';
import { EditedTranslations } from './segments/edited-translations.service.js';
import { TranslationSegment } from './segments/translation-segment.entity.js';
import { TranslationFilesController } from './files/translation-files.controller.js';
import { TranslationFiles } from './files/translation-files.service.js';
import { GlossaryEntry } from './glossary-entry.entity.js';
import { TranslatedItem } from './translated-item.entity.js';
import { TranslatedSegment } from './translated-segment.entity.js';
import { Translation } from './translation.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { translations } from './translations.manifest.js';

/** Translated spaces, which follow their sources. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      GlossaryEntry,
      TranslatedItem,
      TranslatedSegment,
      Translation,
      TranslationCorrection,
      TranslationSegment,
    ]),
    ChangeRequestsModule,
    ContentModule,
    ImportingModule,
    OrganizationsModule,
  ],
  controllers: [TranslationsController, SegmentsController, TranslationFilesController, GlossaryController],
  providers: [
    brings(translations),
    CorrectedItems,
    CorrectionPublisher,
    Corrections,
    CorrectionWorker,
    EditedTranslations,
    Glossary,
    ItemTranslator,
    LeftSegments,
    ReaderNotes,
    ReviewRequests,
    RunRequests,
    SegmentRecords,
    Segments,
    SourceChanges,
    SpaceTranslator,
    TranslatedItems,
    TranslatedWords,
    TranslationEngines,
    TranslationFiles,
    TranslationMemory,
    TranslationOrders,
    TranslationPublisher,
    TranslationRuns,
    Translations,
    TranslationWorker,
  ],
})
export class TranslationsModule {}
