import { platformFaults, platformSettings } from './config/platform-settings.js';
import { job } from './jobs/job-definition.js';
import { organization } from './manifest/event-definition.js';
import { PLATFORM_CONTRIBUTIONS } from './platform.contributions.js';
import { defineModule } from './manifest/manifest.js';
import { migrationsOf } from './package-folder.js';

export const platform = defineModule({
  name: 'platform',
  migrations: migrationsOf('platform'),
  settings: platformSettings,
  settingFaults: platformFaults,
  events: {
    secrets_discarded: organization(
      'organization',
      'Secrets that no key opens any more were given up, and what cannot be without them',
      { audit: true, facts: { table: 'text', ids: 'ids' } },
    ),
  },
  jobs: {
    'events.remove-past': job({ everySeconds: 3600 }),
    'files.remove-unreferenced': job({ everySeconds: 6 * 3600 }),
    'months.make-ahead': job({ everySeconds: 3600 }),
    'migrations.finish': job({ everySeconds: 10 }),
    'platform.remove-stale': job({ everySeconds: 3600 }),
    'secrets.reseal': job({ everySeconds: 300 }),
  },
  contributes: PLATFORM_CONTRIBUTIONS,
});

declare module './manifest/manifest.js' {
  interface Manifests {
    platform: typeof platform;
  }
}
