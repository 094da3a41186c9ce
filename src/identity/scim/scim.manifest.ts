import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const scim = defineModule({ name: 'scim', migrations: migrationsOf('scim') });

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    scim: typeof scim;
  }
}
