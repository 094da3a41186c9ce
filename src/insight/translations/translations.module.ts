import { Module } from '@nestjs/common';
import { ContentModule } from '../../authoring/content/content.module.js';
import { ImportingModule } from '../../authoring/interchange/importing.module.js';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { TranslationEngines } from './engines/engine.js';
import { GlossaryController } from './glossary.controller.js';
import { Glossary } from './glossary.service.js';
import { RunRequests } from './run-requests.js';
import { SourceChanges } from './source-changes.js';
import { SpaceTranslator } from './space-translator.js';
import { TranslationMemory } from './translation-memory.js';
import { TranslationsController } from './translations.controller.js';
import { Translations } from './translations.service.js';
import { TranslationWorker } from './translation-worker.js';

/** Spaces in other languages, which follow their sources. */
@Module({
  imports: [ContentModule, ImportingModule, OrganizationsModule],
  controllers: [TranslationsController, GlossaryController],
  providers: [Glossary, RunRequests, SourceChanges, SpaceTranslator, TranslationEngines, TranslationMemory, Translations, TranslationWorker],
})
export class TranslationsModule {}
