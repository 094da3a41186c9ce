import type { Registry } from '../../kernel/platform/manifest/registry.js';
import type { OutboxEvent } from '../../kernel/platform/outbox.js';

/**
 * The published JSON of an event: the common fields, the id of its target under the target's name, and the facts of its
 * type. Throws for types that this version does not know, which a newer server processes.
 */
export function publishedEvent(
  registry: Registry,
  { id, type, at, organizationId, spaceId, actorId, target, payload }: OutboxEvent,
): string {
  return JSON.stringify({
    eventId: id,
    type,
    createdAt: at.toISOString(),
    organizationId,
    ...(spaceId !== null && { spaceId }),
    ...(actorId !== null && { actorId }),
    [`${registry.event(type).target}Id`]: target,
    ...payload,
  });
}
