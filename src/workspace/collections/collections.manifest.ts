import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { COLLECTIONS_CONTRIBUTIONS } from './collections.contributions.js';

export const collections = defineModule({
  name: 'collections',
  migrations: migrationsOf('collections'),
  permissions: {
    'collection:view': { least: 'read', scope: 'space:read', about: 'See the collection', flag: 'view' },
    'collection:create': {
      least: 'create',
      scope: 'space:write',
      about: 'Make spaces and collections in it',
      flag: 'create',
    },
    'collection:admin': {
      least: 'create',
      scope: 'space:write',
      about: 'Change, move and remove the collection, and who may do what in it',
      flag: 'admin',
    },
  },
  events: {
    collection_created: organization('collection', 'A collection was made', { audit: true }),
    collection_updated: organization('collection', 'Settings of a collection were changed', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    collection_moved: organization('collection', 'A collection was moved; without a parent it is at the root', {
      audit: true,
      facts: { parentId: 'id or null' },
    }),
    collection_transferred: organization(
      'collection',
      'A collection went to another organization, with what is in it; both hear of it',
      {
        audit: true,
        facts: { fromOrganizationId: 'id', toOrganizationId: 'id', collectionIds: 'ids', spaceIds: 'ids' },
      },
    ),
    collection_deleted: organization('collection', 'A collection was removed, with what was in it', {
      audit: true,
      facts: { collectionIds: 'ids', spaceIds: 'ids' },
    }),
    collection_permission_set: organization('collection', 'People or teams were given a role on a collection', {
      audit: true,
      facts: { role: 'text', customRole: 'id?', userIds: 'ids', teamIds: 'ids' },
    }),
    collection_permission_removed: organization('collection', 'People or teams lost their role on a collection', {
      audit: true,
      facts: { userIds: 'ids', teamIds: 'ids' },
    }),
  },
  targets: {
    collection: { label: '(SELECT t.title FROM collection t WHERE t.id = r.target)' },
  },
  contributes: COLLECTIONS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    collections: typeof collections;
  }
}
