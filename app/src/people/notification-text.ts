import { texts } from '../texts/en.js';
import type { Notification, NotificationKind } from './queries.js';

const { kinds, sentences, somebody } = texts.people.notifications;

/** The kinds of notifications, in the order of their settings. */
export const NOTIFICATION_KINDS = Object.keys(kinds) as readonly NotificationKind[];

/** The event of a notification, in one sentence. */
export function notificationText({ kind, actor, changeRequest, page, space, outcome }: Notification): string {
  const thing = changeRequest ? `#${changeRequest.number} ${changeRequest.subject}` : (page?.title ?? space.title);
  return sentences[kind](actor?.displayName ?? somebody, thing, outcome);
}
