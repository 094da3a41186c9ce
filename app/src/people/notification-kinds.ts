import { texts } from '../texts/en.js';
import type { NotificationKind } from './queries.js';

/** The kinds of notifications, in the order of their settings. */
export const NOTIFICATION_KINDS = Object.keys(texts.people.notifications.kinds) as readonly NotificationKind[];
