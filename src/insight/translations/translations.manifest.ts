import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';

export const translations = defineModule({
  name: 'translations',
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
      facts: { revisionId: 'id', pages: 'number', words: 'number' },
    }),
    translation_failed: organization('translation', 'A translation could not be brought up to date', {
      audit: UNAUDITED.progress,
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
    'translations.run': job<{ translation: string }>({ backoffSeconds: 10, timeoutSeconds: 6 * 3600, concurrency: 2 }),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    translations: typeof translations;
  }
}
