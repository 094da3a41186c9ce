import { whole } from '../../kernel/platform/config/setting-schemas.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { space } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { SPACES_CONTRIBUTIONS } from './spaces.contributions.js';

export const spaces = defineModule({
  name: 'spaces',
  migrations: migrationsOf('spaces'),
  settings: {
    retentionDays: whole(0, 3650)
      .default(7)
      .describe('Days that a deleted space stays in the trash before it is removed for good'),
  },
  permissions: {
    'space:view': { least: 'read', scope: 'space:read', about: 'Read the space', flag: 'view' },
    'space:access': { least: 'read', scope: 'space:read', about: 'Open the space', flag: 'access' },
    'space:admin': {
      least: 'create',
      scope: 'space:write',
      about: 'Change the settings of the space, and who may do what in it',
      flag: 'admin',
    },
    'space:inspect': { least: 'read', scope: 'space:read', about: 'See the settings of the space', inTrash: true },
    'space:delete': {
      least: 'create',
      scope: 'space:write',
      about: 'Move the space to the trash, or remove it for good',
      inTrash: true,
    },
    'space:transfer': {
      least: 'create',
      scope: 'space:write',
      about: 'Transfer the space to another organization',
      inTrash: true,
    },
    'space:restore': { least: 'create', scope: 'space:write', about: 'Take the space out of the trash', inTrash: true },
  },
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
    space_purged: space('space', 'Somebody had a space in the trash removed for good', { audit: true }),
    space_removed: space('space', 'A space is gone for good', { audit: true }),
    space_permission_set: space('space', 'People or teams were given a role on a space', {
      audit: true,
      facts: { role: 'text', customRole: 'id?', userIds: 'ids', teamIds: 'ids' },
    }),
    space_permission_removed: space('space', 'People or teams lost their role on a space', {
      audit: true,
      facts: { userIds: 'ids', teamIds: 'ids' },
    }),
  },
  targets: {
    space: { label: '(SELECT t.title FROM space t WHERE t.id = r.target)' },
  },
  jobs: {
    'spaces.remove-expired': job({ everySeconds: 3600 }),
  },
  contributes: SPACES_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    spaces: typeof spaces;
  }
}
