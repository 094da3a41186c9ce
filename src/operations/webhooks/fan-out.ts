import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { databaseTime } from '../../kernel/common/database-time.js';
import { newId } from '../../kernel/common/ids.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Lanes } from '../../kernel/platform/jobs/lanes.js';
import type { OutboxEvent } from '../../kernel/platform/outbox.js';
import { OutboxRelay } from '../../kernel/platform/outbox-relay.js';
import { ALL_EVENTS } from './webhooks.schema.js';
import { publishedEvent } from './published-event.js';

/** The name under which the outbox keeps unprocessed events of webhooks. */
export const CONSUMER = 'webhooks';

/** The webhooks that subscribe to each of some events. */
const WANTED = `SELECT w.organization_id AS "organizationId", w.id AS "webhookId", e.id AS "eventId", e.type FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS e (id, organization_id, type, space_id, place)
    JOIN webhook w ON w.organization_id = e.organization_id AND w.active AND w.events && ARRAY['${ALL_EVENTS}', e.type]::text[] AND (w.spaces IS NULL OR e.space_id = ANY (w.spaces))
   ORDER BY w.id, e.place FOR KEY SHARE OF w`;

const MAKE = `INSERT INTO webhook_delivery (id, organization_id, webhook_id, event_id, type, body, status, due_at, created_at)
  SELECT n.id, n.organization_id, n.webhook_id, n.event_id, n.type, n.body, 'pending', ${databaseTime()}, $1
    FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS n (id, organization_id, webhook_id, event_id, type, body)
  ON CONFLICT ON CONSTRAINT webhook_delivery_event_key DO NOTHING`;

interface Wanted extends Record<string, unknown> {
  readonly organizationId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
}

/**
 * Creates a delivery of each event for every subscribed webhook, in the transaction that takes the events from the
 * outbox.
 */
@Injectable()
export class FanOut implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly relay: OutboxRelay,
    private readonly lanes: Lanes,
    private readonly registry: Registry,
  ) {}

  onModuleInit(): void {
    this.relay.register(CONSUMER, (events) => this.spread(events), { everywhere: false });
  }

  private async spread(events: readonly OutboxEvent[]): Promise<void> {
    // Throws for events that only a newer server knows, before anything is decided.
    const bodies = new Map(events.map((event) => [event.id, publishedEvent(this.registry, event)]));
    const published = events.filter(({ type }) => this.registry.publishedEvents.includes(type));
    const wanted = await this.database.query<Wanted>(
      WANTED,
      (['id', 'organizationId', 'type', 'spaceId'] as const).map((name) => published.map((event) => event[name])),
    );
    if (wanted.length === 0) return;
    const now = this.clock.now();
    // In order, as the deliveries of a webhook are sent.
    const ids = wanted.map(() => newId(now.getTime())).sort();
    await this.database.execute(MAKE, [
      now,
      ids,
      ...(['organizationId', 'webhookId', 'eventId', 'type'] as const).map((name) =>
        wanted.map((delivery) => delivery[name]),
      ),
      wanted.map(({ eventId }) => bodies.get(eventId)),
    ]);
    for (const organizationId of [...new Set(wanted.map((delivery) => delivery.organizationId))].sort())
      await this.lanes.wake('webhooks.deliver', organizationId);
  }
}
