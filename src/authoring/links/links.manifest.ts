import { LINKS_CONTRIBUTIONS } from './links.contributions.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const links = defineModule({
  name: 'links',
  migrations: migrationsOf('links'),
  contributes: LINKS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    links: typeof links;
  }
}
