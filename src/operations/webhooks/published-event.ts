import { EVENTS } from '../../kernel/platform/event-table.js';
import type { OutboxEvent } from '../../kernel/platform/outbox.js';

/**
 * The JSON in which an event leaves the service: what all events have, the id that it is about under its name, and the
 * facts of its type. Throws for types that this version does not know, which a newer server deals with.
 */
export function publishedEvent({ id, type, at, organizationId, spaceId, actorId, target, payload }: OutboxEvent): string {
  if (!Object.hasOwn(EVENTS, type)) throw new Error(`the event ${String(type)} is of another version`);
  return JSON.stringify({
    eventId: id,
    type,
    createdAt: at.toISOString(),
    organizationId,
    ...(spaceId !== null && { spaceId }),
    ...(actorId !== null && { actorId }),
    [`${EVENTS[type].target}Id`]: target,
    ...payload,
  });
}
