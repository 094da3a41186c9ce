import { job } from '../../kernel/platform/jobs/job-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const pdf = defineModule({
  name: 'pdf',
  migrations: migrationsOf('pdf'),
  jobs: {
    'pdf.remove-stale': job({ everySeconds: 3600 }),
    // Two are painted at once, of different organizations: others wait for a thread.
    'pdf.render': job<{ rendering: string }>({ retries: 2, backoffSeconds: 2, timeoutSeconds: 3600, concurrency: 4 }),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    pdf: typeof pdf;
  }
}
