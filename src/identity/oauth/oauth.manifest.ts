import { job } from '../../kernel/platform/jobs/job-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { OAUTH_CONTRIBUTIONS } from './oauth.contributions.js';

export const oauth = defineModule({
  name: 'oauth',
  migrations: migrationsOf('oauth'),
  jobs: {
    'oauth.remove-unused': job({ everySeconds: 3600 }),
  },
  contributes: OAUTH_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    oauth: typeof oauth;
  }
}
