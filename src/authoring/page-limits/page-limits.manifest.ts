import { space } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { PAGE_LIMITS_CONTRIBUTIONS } from './page-limits.contributions.js';

export const pageLimits = defineModule({
  name: 'pageLimits',
  migrations: migrationsOf('pageLimits'),
  events: {
    space_page_limited: space('space', 'A page was limited to people and teams, or to others than before', {
      audit: true,
      facts: { pageId: 'id', userIds: 'ids', teamIds: 'ids' },
    }),
    space_page_limit_removed: space('space', 'A page is limited no longer', { audit: true, facts: { pageId: 'id' } }),
  },
  contributes: PAGE_LIMITS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    pageLimits: typeof pageLimits;
  }
}
