import { whole } from '../../kernel/platform/config/setting-schemas.js';
import type { Config } from '../../kernel/platform/config/config.js';
import { job } from '../../kernel/platform/jobs/job-definition.js';
import { account } from '../../kernel/platform/manifest/event-definition.js';
import { defineModule } from '../../kernel/platform/manifest/manifest.js';
import { migrationsOf } from '../../kernel/platform/package-folder.js';
import { NOTIFICATIONS_CONTRIBUTIONS } from './notifications.contributions.js';

export const notifications = defineModule({
  name: 'notifications',
  migrations: migrationsOf('notifications'),
  settings: {
    notificationMailDelay: whole(0, 3600)
      .default(60)
      .describe('Seconds that an e-mail about a notification waits for others, with which it is one e-mail'),
    notificationDigestHour: whole(0, 23)
      .default(7)
      .describe('Hour of the day, in UTC, from which daily e-mails are sent, and weekly ones on Mondays'),
  },
  permissions: {
    'user:viewNotifications': {
      least: 'none',
      scope: 'user:notifications:read',
      within: 'user:read',
      whenLimited: true,
      about: "Read one's own notifications and which are wanted",
    },
    'user:editNotifications': {
      least: 'none',
      scope: 'user:notifications:write',
      within: 'user:write',
      whenLimited: true,
      about: "Mark one's own notifications as read, and choose which are wanted",
    },
    'user:createNotificationsToken': {
      least: 'none',
      scope: 'user:read',
      whenLimited: true,
      about: "Make tokens that open one's own notifications for an hour",
    },
  },
  events: {
    notification_settings_updated: account('user', 'Somebody chose which notifications they want', {
      audit: 'a choice of its owner, which gives nobody a right',
      facts: { fields: 'texts' },
    }),
  },
  jobs: {
    'notifications.find-conflicts': job<{ space: string }>({ retries: 3, timeoutSeconds: 600, concurrency: 1 }),
    'notifications.send-letters': job({ everySeconds: 10, timeoutSeconds: 600 }),
    'notifications.remove-stale': job({ everySeconds: 3600 }),
  },
  contributes: NOTIFICATIONS_CONTRIBUTIONS,
});

export type NotificationsConfig = Pick<Config, 'notificationMailDelay' | 'notificationDigestHour'>;

declare module '../../kernel/platform/manifest/manifest.js' {
  interface Manifests {
    notifications: typeof notifications;
  }
}
