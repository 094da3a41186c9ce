import { notificationTexts } from '../texts/notifications.js';
import type { NotificationKind } from './queries.js';

/** The kinds of notifications, in the order of their settings. */
export const NOTIFICATION_KINDS = Object.keys(notificationTexts.kinds) as readonly NotificationKind[];
