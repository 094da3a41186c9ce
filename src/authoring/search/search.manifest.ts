import { organization, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const search = defineModule({
  name: 'search',
  migrations: migrationsOf('search'),
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
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    search: typeof search;
  }
}
