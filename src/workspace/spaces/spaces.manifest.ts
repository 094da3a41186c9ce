import { space } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';

export const spaces = defineModule({
  name: 'spaces',
  events: {
    space_created: space('space', 'A space was made', {
      audit: true,
      facts: { copyOfSpaceId: 'id?', revisionId: 'id?' },
    }),
    space_updated: space('space', 'Settings of a space were changed', { audit: true, facts: { fields: 'texts' } }),
    space_moved: space('space', 'A space was moved; without a parent it is at the root', {
      audit: true,
      facts: { parentId: 'id or null' },
    }),
    space_transferred: space('space', 'A space went to another organization; both hear of it', {
      audit: true,
      facts: { fromOrganizationId: 'id', toOrganizationId: 'id' },
    }),
    space_deleted: space('space', 'A space went to the trash', { audit: true }),
    space_restored: space('space', 'A space came back from the trash', { audit: true }),
    space_removed: space('space', 'A space is gone for good', { audit: true }),
    space_permission_set: space('space', 'People or teams were given a role on a space', {
      audit: true,
      facts: { role: 'text', userIds: 'ids', teamIds: 'ids' },
    }),
    space_permission_removed: space('space', 'People or teams lost their role on a space', {
      audit: true,
      facts: { userIds: 'ids', teamIds: 'ids' },
    }),
  },
  targets: {
    space: { label: '(SELECT t.title FROM space t WHERE t.id = r.target)' },
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    spaces: typeof spaces;
  }
}
