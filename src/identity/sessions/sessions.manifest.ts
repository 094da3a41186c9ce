import { job } from '../../kernel/platform/jobs/job-definition.js';
import { account, organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { SESSIONS_CONTRIBUTIONS } from './sessions.contributions.js';

export const sessions = defineModule({
  name: 'sessions',
  migrations: migrationsOf('sessions'),
  permissions: {
    'user:viewSessions': {
      least: 'none',
      scope: 'user:read',
      about: 'See in which browsers one is signed in',
      whenLimited: true,
    },
    'user:endSessions': { least: 'none', scope: 'user:write', about: 'End own sessions', whenLimited: true },
    'organization:manageSessions': {
      least: 'admin',
      scope: 'organization:members:write',
      about: 'Make links that sign members in, and see and end their sessions',
    },
  },
  events: {
    session_created: account('session', 'Somebody signed in in a browser', {
      audit: true,
      facts: { userId: 'id', method: 'text', onlyOrganizationId: 'id?' },
    }),
    sessions_ended: account('session', 'Sessions in browsers were ended', {
      audit: true,
      facts: { userId: 'id', ended: 'number' },
    }),
    sign_in_link_created: organization('user', 'A link was made that signs a member in', { audit: true }),
  },
  targets: {
    session: { label: null },
  },
  jobs: {
    'sessions.mail': job<{ email: string; returnTo?: string; inviteId?: string }>({
      retries: 3,
      concurrency: 4,
      timeoutSeconds: 120,
    }),
    'sessions.remove-expired': job({ everySeconds: 3600 }),
  },
  contributes: SESSIONS_CONTRIBUTIONS,
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    sessions: typeof sessions;
  }
}
