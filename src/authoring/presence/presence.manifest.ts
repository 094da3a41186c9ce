import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const presence = defineModule({
  name: 'presence',
  migrations: migrationsOf('presence'),
  permissions: {
    'space:bePresent': {
      least: 'comment',
      scope: 'space:read',
      about: 'See who has the space open, at which page, and be seen there',
    },
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    presence: typeof presence;
  }
}
