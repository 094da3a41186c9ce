import { whole } from '../../kernel/platform/config/setting-schemas.js';
import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';

export const publishing = defineModule({
  name: 'publishing',
  migrations: migrationsOf('publishing'),
  settings: {
    visitorTokenMaxMinutes: whole(1, 5_256_000)
      .default(43_200)
      .describe('Minutes that the tokens of visitors may still be valid; one whose exp is further ahead is refused'),
  },
  events: {
    site_adaptive_schema_updated: organization('site', 'The claims that a site knows of its visitors were changed', {
      audit: true,
    }),
    site_publishing_auth_updated: organization('site', 'How visitors of a site log in was changed', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    site_publishing_auth_regenerated: organization(
      'site',
      "The key that visitors' tokens are signed with was replaced",
      { audit: true },
    ),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    publishing: typeof publishing;
  }
}
