import { join } from 'node:path';
import { defineModule, job, organization, whole } from 'bindery/extension';

/** All that the module brings: its name is in every fault of the start that it causes. */
export const announcements = defineModule({
  name: 'announcements',
  requires: '^0.1.0',
  migrations: join(import.meta.dirname, '../../migrations'),
  permissions: {
    'organization:viewAnnouncements': {
      least: 'read',
      scope: 'organization:read',
      about: 'Read the announcements of the organization',
    },
    'organization:announce': {
      least: 'edit',
      scope: 'organization:write',
      about: 'Post, change and remove announcements',
      flag: 'announce',
    },
    'organization:manageAnnouncements': {
      least: 'admin',
      scope: 'organization:write',
      about: 'See and change the settings of announcements',
    },
  },
  screens: {
    folder: join(import.meta.dirname, '../../screens'),
    entries: [
      {
        place: 'organization',
        path: 'announcements',
        title: 'Announcements',
        permission: 'organization:viewAnnouncements',
        script: 'announcements.js',
        styles: ['announcements.css'],
        icon: 'icon.svg',
      },
      {
        place: 'organization',
        part: 'settings',
        path: 'announcement-settings',
        title: 'Announcements',
        permission: 'organization:manageAnnouncements',
        script: 'settings.js',
      },
    ],
  },
  events: {
    announcement_posted: organization('announcement', 'An announcement was posted', { audit: true }),
    announcement_updated: organization('announcement', 'An announcement was changed', {
      audit: true,
      facts: { fields: 'texts' },
    }),
    announcement_removed: organization('announcement', 'An announcement was removed, or ended', {
      audit: true,
      facts: { ended: 'flag' },
    }),
    announcement_settings_updated: organization('organization', 'The settings of announcements were changed', {
      audit: true,
    }),
  },
  targets: {
    announcement: { label: '(SELECT t.title FROM announcement t WHERE t.id = r.target)' },
  },
  jobs: {
    'announcements.remove-ended': job({ everySeconds: 60 }),
  },
  settings: {
    announcementsPerOrganization: whole(1, 10_000)
      .default(100)
      .describe('Announcements that an organization has at most'),
  },
});

declare module 'bindery/extension' {
  interface Manifests {
    announcements: typeof announcements;
  }
}
