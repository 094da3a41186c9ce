import { job } from '../../kernel/platform/jobs/job-definition.js';
import { organization } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { INVITES_CONTRIBUTIONS } from './invites.contributions.js';

export const invites = defineModule({
  name: 'invites',
  migrations: migrationsOf('invites'),
  permissions: {
    'organization:invite': {
      least: 'read',
      scope: 'organization:members:write',
      about: "Invite people, at most with one's own role",
    },
    'collection:viewInviteLinks': {
      least: 'create',
      scope: 'space:write',
      about: 'See and make invite links of the collection',
      flag: 'viewInviteLinks',
      flagExceptions: ['guest'],
    },
    'space:viewInviteLinks': {
      least: 'create',
      scope: 'space:write',
      about: 'See and make invite links of the space',
      flag: 'viewInviteLinks',
      flagExceptions: ['guest'],
    },
  },
  events: {
    invitation_created: organization('invitation', 'An address was invited', {
      audit: true,
      facts: { role: 'text', sso: 'flag?' },
    }),
    invitation_accepted: organization('invitation', 'An invitation was accepted', {
      audit: true,
      facts: { userId: 'id' },
    }),
    invitation_deleted: organization('invitation', 'An invitation was taken back', { audit: true }),
    invite_link_created: organization('inviteLink', 'A link that invites was made', {
      audit: true,
      facts: { role: 'text', collectionId: 'id?' },
    }),
    invite_link_updated: organization('inviteLink', 'The role that a link gives was changed', {
      audit: true,
      facts: { role: 'text' },
    }),
    invite_link_deleted: organization('inviteLink', 'A link that invites was removed', { audit: true }),
  },
  targets: {
    invitation: { label: null },
    inviteLink: { label: null },
  },
  contributes: INVITES_CONTRIBUTIONS,
  jobs: {
    'invitations.mail': job<{ invitation: string }>({ retries: 8, concurrency: 4, timeoutSeconds: 120 }),
  },
});

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    invites: typeof invites;
  }
}
