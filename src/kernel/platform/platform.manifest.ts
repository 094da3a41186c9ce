import { platformFaults, platformSettings } from './config/platform-settings.js';
import { job } from './jobs/job-definition.js';
import { organization } from './manifest/event-definition.js';
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
    'platform.remove-stale': job({ everySeconds: 3600 }),
    'secrets.reseal': job({ everySeconds: 300 }),
  },
});

declare module './manifest/manifest.js' {
  interface Manifests {
    platform: typeof platform;
  }
}
