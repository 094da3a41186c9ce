import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const links = defineModule({ name: 'links', migrations: migrationsOf('links') });

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    links: typeof links;
  }
}
