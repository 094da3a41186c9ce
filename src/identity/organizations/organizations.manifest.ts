import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { ORGANIZATIONS_CONTRIBUTIONS } from './organizations.contributions.js';

export const organizations = defineModule({
  name: 'organizations',
  migrations: migrationsOf('organizations'),
  permissions: {
    'organization:view': { least: 'none', scope: 'organization:read', about: 'See the organization', flag: 'view' },
    'organization:admin': {
      least: 'admin',
      scope: 'organization:write',
      about: 'Change the settings of the organization',
      flag: 'admin',
    },
    'organization:listMembers': {
      least: 'read',
      scope: 'organization:members:read',
      about: 'List the members',
      flag: 'listMembers',
    },
    'organization:viewMember': {
      least: 'none',
      scope: 'organization:members:read',
      about: 'See a member that one works with',
    },
    'organization:manageMembers': {
      least: 'admin',
      scope: 'organization:members:write',
      about: 'Change and remove members',
    },
    'organization:viewRoles': {
      least: 'admin',
      scope: 'organization:members:read',
      about: 'See the custom roles, and what they can add',
    },
    'organization:manageRoles': {
      least: 'admin',
      scope: 'organization:members:write',
      about: 'Make, change and delete custom roles',
    },
    'organization:createContent': {
      least: 'create',
      scope: 'organization:write',
      about: 'Make spaces, collections and sites',
      flag: 'createContent',
    },
  },
  events: {
    organization_created: organization('organization', 'An organization was made', { audit: true }),
    organization_updated: organization('organization', 'Settings of the organization were changed', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    member_joined: organization('user', 'Somebody became a member', {
      audit: true,
      facts: { role: 'text', sso: 'flag?' },
    }),
    member_updated: organization(
      'user',
      'The role of a member was changed, how the member signs in, or whether the member is shut out',
      {
        audit: true,
        facts: { role: 'text?', previousRole: 'text?', customRole: 'id or null?', sso: 'flag?', disabled: 'flag?' },
      },
    ),
    custom_role_created: organization('customRole', 'A custom role was made', {
      audit: true,
      facts: { base: 'text', permissions: 'texts' },
    }),
    custom_role_updated: organization('customRole', 'A custom role was changed, for all of its holders', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    custom_role_deleted: organization('customRole', 'A custom role was deleted; its holders have its base', {
      audit: true,
      facts: { base: 'text' },
    }),
    member_removed: organization('user', 'A membership ended, with the tokens that open this organization alone', {
      audit: true,
      facts: { endedTokens: 'number' },
    }),
  },
  targets: {
    customRole: { label: '(SELECT t.title FROM custom_role t WHERE t.id = r.target)' },
    organization: { label: '(SELECT t.title FROM organization t WHERE t.id = r.target)' },
  },
  // A token that is not limited to one organization works for all organizations of its owner.
  auditSources: {
    organizationsOfPerson: `SELECT t.organization_id FROM member t WHERE t.user_id = r.payload ->> 'userId'`,
  },
  contributes: ORGANIZATIONS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    organizations: typeof organizations;
  }
}
