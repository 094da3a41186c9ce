import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { MEANINGS_KEPT } from './search.invariants.js';
import { z } from 'zod';
import { required } from '../../kernel/platform/config/setting-schemas.js';
import { organization, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const search = defineModule({
  name: 'search',
  migrations: migrationsOf('search'),
  settings: {
    searchVectors: z
      .enum(['model', 'service', 'none'], 'must be model, service or none')
      .default('model')
      .describe(
        'How search compares meanings: by the built-in model, which knows English and takes 300 MB of memory, by the service of EMBEDDINGS_URL, to which titles and the beginnings of sections and what readers search for are sent, or not at all',
      ),
  },
  settingFaults: ({ searchVectors, ...values }) =>
    searchVectors === 'service' ? required({ ...values, searchVectors }, 'embeddingsUrl', 'searchVectors') : [],
  permissions: {
    'organization:search': {
      least: 'none',
      scope: 'organization:search',
      about: 'Search all spaces that one may read',
    },
  },
  events: {
    search_synonyms_updated: organization(
      'organization',
      'The words that an organization uses for one another were set',
      {
        audit: UNAUDITED.arrangement,
      },
    ),
  },
  jobs: {
    'search.forget-superseded': job({ everySeconds: 60 }),
    'search.embed-pages': job({ everySeconds: 10 }),
  },
  contributes: [INVARIANTS.with(MEANINGS_KEPT)],
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    search: typeof search;
  }
}
