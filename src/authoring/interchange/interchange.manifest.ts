import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const interchange = defineModule({ name: 'interchange', migrations: migrationsOf('interchange') });

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    interchange: typeof interchange;
  }
}
