import { bytes } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';

export const uploads = defineModule({
  name: 'uploads',
  settings: {
    importMaxBytes: bytes.default(256 * 1024 ** 2).describe('Largest file that an import takes, such as 256mb'),
  },
  permissions: {
    'organization:upload': { least: 'read', scope: 'space:write', about: 'Upload files for imports' },
  },
  jobs: {
    'uploads.remove-stale': job({ everySeconds: 3600 }),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    uploads: typeof uploads;
  }
}
