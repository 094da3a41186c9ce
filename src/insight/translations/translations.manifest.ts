import { resolve } from 'node:path';
import { z } from 'zod';
import { whole, httpAddress, checkedList } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { ENGINES, isEngine } from './engines/engine-name.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { TRANSLATIONS_CONTRIBUTIONS } from './translations.contributions.js';

export const translations = defineModule({
  name: 'translations',
  migrations: migrationsOf('translations'),
  settings: {
    translationEngines: checkedList(isEngine, `must be a comma-separated list of ${ENGINES.join(', ')}`)
      .refine((names) => new Set(names).size === names.length, 'must name each engine once')
      .transform((names) => names.filter(isEngine))
      .default([...ENGINES])
      .describe(
        'Translation engines that may be used; the first that is configured and has the pair of languages is taken',
      ),
    deeplApiKey: z
      .string()
      .optional()
      .describe('Key of the API of DeepL; with one, texts are sent there')
      .meta({ secret: true }),
    deeplUrl: httpAddress
      .optional()
      .describe('Address of the API of DeepL; without it the one that the key is for, of the free or the paid plan'),
    libretranslateUrl: httpAddress
      .optional()
      .describe('Address of a LibreTranslate server, such as http://localhost:5000; with one, texts are sent there'),
    libretranslateApiKey: z
      .string()
      .optional()
      .describe('Key of the LibreTranslate server, where it wants one')
      .meta({ secret: true }),
    bergamotModels: z
      .string()
      .transform((path) => resolve(path))
      .optional()
      .describe(
        'Folder of translation models of Firefox (Bergamot), with one folder for each pair of languages, such as en-es',
      ),
    apertiumModes: z
      .string()
      .default('/usr/share/apertium/modes')
      .transform((path) => resolve(path))
      .describe(
        'Folder of the modes of Apertium, the translation engine of this machine; one without modes switches it off',
      ),
    translationDelay: whole(0, 86_400)
      .default(10)
      .describe(
        'Seconds after a change of a space until its translations follow; what changes meanwhile is part of the same run',
      ),
  },
  events: {
    translation_created: organization('translation', 'A translation of a space was asked for', {
      audit: UNAUDITED.progress,
      facts: { sourceSpaceId: 'id', resultSpaceId: 'id', language: 'text' },
    }),
    translation_updated: organization('translation', 'The instructions or settings of a translation were changed', {
      audit: UNAUDITED.progress,
      facts: { fields: 'texts' },
    }),
    translation_queued: organization('translation', 'A translation is to be brought up to date', {
      audit: UNAUDITED.progress,
      facts: { sourceSpaceId: 'id' },
    }),
    translation_completed: organization('translation', 'A translation is up to date', {
      audit: UNAUDITED.progress,
      facts: { revisionId: 'id', pages: 'number', words: 'number', changeRequestId: 'id?' },
    }),
    translation_failed: organization('translation', 'A translation could not be brought up to date', {
      audit: UNAUDITED.progress,
    }),
    translation_segment_updated: organization(
      'translation',
      'A text of a translation was corrected or reviewed by itself',
      {
        audit: UNAUDITED.content,
        facts: { segmentId: 'id', state: 'text' },
      },
    ),
    translation_imported: organization('translation', 'Texts of a translation were imported from a file', {
      audit: UNAUDITED.content,
      facts: { format: 'text', reviewed: 'number', unreviewed: 'number' },
    }),
    translation_deleted: organization('translation', 'A translation was ended; its space stays', {
      audit: true,
      facts: { resultSpaceId: 'id' },
    }),
    glossary_updated: organization('organization', 'Terms of the glossary were changed', {
      audit: UNAUDITED.content,
      facts: { entryIds: 'ids' },
    }),
  },
  targets: {
    translation: { label: `(SELECT t.title FROM space t WHERE t.id = r.payload ->> 'resultSpaceId')` },
  },
  jobs: {
    'translations.remove-stale': job({ everySeconds: 3600 }),
    /** Soon after an upgrade, and once the servers of the release before are gone. */
    'translations.record-segments': job({ everySeconds: 60 }),
    'translations.follow': job<{ translation: string }>({
      backoffSeconds: 10,
      timeoutSeconds: 6 * 3600,
      concurrency: 2,
    }),
    'translations.correct': job<{ translation: string; isAfterRun?: boolean }>({ concurrency: 2 }),
    'translations.note-pages': job<{ space: string }>(),
    /** The name before runs stored segments: servers of that version must not do those of this one. */
    'translations.run': job<{ translation: string }>({ backoffSeconds: 10, timeoutSeconds: 6 * 3600, concurrency: 2 }),
  },
  contributes: TRANSLATIONS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    translations: typeof translations;
  }
}
