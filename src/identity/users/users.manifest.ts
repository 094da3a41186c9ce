import { account } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { USERS_CONTRIBUTIONS } from './users.contributions.js';

export const users = defineModule({
  name: 'users',
  migrations: migrationsOf('users'),
  permissions: {
    'user:view': { least: 'none', scope: 'user:read', about: 'See who one is', whenLimited: true },
    'user:listTokens': { least: 'none', scope: 'user:read', about: 'List the tokens that one holds' },
    'user:edit': { least: 'none', scope: 'user:write', about: "Change one's own name and tokens" },
    'user:join': {
      least: 'none',
      scope: 'organization:write',
      about: 'Make organizations, and join those that are open',
    },
  },
  events: {
    user_created: account('user', 'An account was made', {
      audit: 'an account belongs to no organization; joining one is recorded as an event of its own',
    }),
    user_updated: account('user', 'A profile was changed, or its address was verified', {
      audit: 'a profile belongs to its owner',
      facts: { fields: 'texts' },
    }),
    token_created: account('token', 'An API token was made', {
      audit: true,
      facts: {
        userId: 'id',
        name: 'text',
        scopes: 'texts?',
        onlyOrganizationId: 'id?',
        expiresAt: 'text?',
        agent: 'text?',
      },
    }),
    token_revoked: account('token', 'An API token was revoked', { audit: true, facts: { userId: 'id' } }),
  },
  targets: {
    user: { label: '(SELECT t.display_name FROM account t WHERE t.id = r.target)' },
    token: { label: `coalesce((SELECT t.name FROM api_token t WHERE t.id = r.target), r.payload ->> 'name')` },
  },
  auditSources: {
    actorLabel: '(SELECT t.display_name FROM account t WHERE t.id = r.actor_id)',
    tokenName: '(SELECT t.name FROM api_token t WHERE t.id = r.token_id)',
  },
  contributes: USERS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    users: typeof users;
  }
}
