import { job } from '../../kernel/platform/jobs/job-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';

export const search = defineModule({
  name: 'search',
  jobs: {
    'search.forget-superseded': job({ everySeconds: 60 }),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    search: typeof search;
  }
}
