import { bytesUpTo } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const organizationArchives = defineModule({
  name: 'organizationArchives',
  migrations: migrationsOf('organizationArchives'),
  settings: {
    organizationImportMaxBytes: bytesUpTo(1000)
      .default(8 * 1024 ** 3)
      .describe('Largest archive of an organization that an import over HTTP takes, and its size when unpacked'),
  },
  events: {
    organization_export_started: organization('organization', 'An archive of the organization was asked for', {
      audit: true,
    }),
    organization_imported: organization('organization', 'The organization was imported from an archive', {
      audit: true,
    }),
  },
  jobs: {
    // An import that takes hours holds up no export.
    'organizationArchives.export': job<{ run: string }>({ retries: 3, timeoutSeconds: 12 * 3600, concurrency: 1 }),
    'organizationArchives.import': job<{ run: string }>({ retries: 3, timeoutSeconds: 12 * 3600, concurrency: 1 }),
    'organizationArchives.forget': job({ everySeconds: 3600 }),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    organizationArchives: typeof organizationArchives;
  }
}
