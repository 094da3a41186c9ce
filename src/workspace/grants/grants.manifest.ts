import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { GRANTS_CONTRIBUTIONS } from './grants.contributions.js';

export const grants = defineModule({
  name: 'grants',
  migrations: migrationsOf('grants'),
  contributes: GRANTS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    grants: typeof grants;
  }
}
