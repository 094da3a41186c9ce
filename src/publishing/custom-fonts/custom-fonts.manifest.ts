import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const customFonts = defineModule({
  name: 'customFonts',
  migrations: migrationsOf('customFonts'),
  permissions: {
    'organization:viewFonts': {
      least: 'read',
      scope: 'organization:read',
      about: 'See the fonts of the organization',
    },
  },
  events: {
    custom_font_created: organization('customFont', 'A font was added to the organization', { audit: true }),
    custom_font_updated: organization('customFont', 'A font was changed, on all sites that use it', { audit: true }),
    custom_font_deleted: organization('customFont', 'A font was deleted', { audit: true }),
  },
  targets: {
    customFont: { label: '(SELECT t.font_family FROM custom_font t WHERE t.id = r.target)' },
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    customFonts: typeof customFonts;
  }
}
