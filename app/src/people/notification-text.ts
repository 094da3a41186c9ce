import { texts } from '../texts/en.js';
import type { Notification } from './queries.js';

/** What happened, in one sentence. */
export function notificationText({ kind, actor, changeRequest, page, space, outcome }: Notification): string {
  const thing = changeRequest ? `#${changeRequest.number} ${changeRequest.subject}` : (page?.title ?? space.title);
  const { sentences, somebody } = texts.people.notifications;
  return sentences[kind](actor?.displayName ?? somebody, thing, outcome);
}
