import { whole } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { space, UNAUDITED } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const imports = defineModule({
  name: 'imports',
  migrations: migrationsOf('imports'),
  settings: {
    importMaxPages: whole(1, 10_000).default(200).describe('Pages of a website that one import fetches at most'),
  },
  events: {
    import_started: space('importRun', 'An import or export was asked for', { audit: true, facts: { source: 'text' } }),
    import_completed: space('importRun', 'An import or export is done', { audit: UNAUDITED.progress }),
    import_failed: space('importRun', 'An import or export failed', { audit: UNAUDITED.progress }),
    import_cancelled: space('importRun', 'An import or export was cancelled', { audit: UNAUDITED.progress }),
  },
  targets: {
    importRun: { label: null },
  },
  jobs: {
    'imports.remove-stale': job({ everySeconds: 3600 }),
    'imports.run': job<{ run: string }>({ retries: 3, timeoutSeconds: 7200, concurrency: 2 }),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    imports: typeof imports;
  }
}
