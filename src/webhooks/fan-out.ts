import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database } from '../common/database.js';
import { databaseTime } from '../common/database-time.js';
import { newId } from '../common/ids.js';
import { PUBLISHED_EVENTS } from '../platform/event-table.js';
import { Lanes } from '../platform/jobs/lanes.js';
import type { OutboxEvent } from '../platform/outbox.js';
import { OutboxRelay } from '../platform/outbox-relay.js';
import { publishedEvent } from './published-event.js';

/** The name under which the outbox keeps what webhooks have not heard of yet. */
export const CONSUMER = 'webhooks';

/** Makes a delivery of each event for every webhook that asks for it, in the transaction that takes the event from the outbox. */
@Injectable()
export class FanOut implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly relay: OutboxRelay,
    private readonly lanes: Lanes,
  ) {}

  onModuleInit(): void {
    this.relay.register(CONSUMER, (event) => this.spread(event), { everywhere: false });
  }

  private async spread(event: OutboxEvent): Promise<void> {
    const { organizationId, spaceId, type } = event;
    const body = publishedEvent(event);
    if (organizationId === null || !PUBLISHED_EVENTS.includes(type)) return;
    const webhooks = await this.database.query<{ id: string }>(
      `SELECT id FROM webhook WHERE organization_id = $1 AND active AND events && ARRAY['*', $2]::text[] AND (spaces IS NULL OR $3::text = ANY (spaces)) ORDER BY id FOR KEY SHARE`,
      [organizationId, type, spaceId],
    );
    if (webhooks.length === 0) return;
    const now = this.clock.now();
    await this.database.execute(
      `INSERT INTO webhook_delivery (id, organization_id, webhook_id, event_id, type, body, status, due_at, created_at)
       SELECT n.id, $1, n.webhook, $4, $5, $6, 'pending', ${databaseTime()}, $7 FROM unnest($2::text[], $3::text[]) AS n (id, webhook)
       ON CONFLICT ON CONSTRAINT webhook_delivery_event_key DO NOTHING`,
      [organizationId, webhooks.map(() => newId(now.getTime())), webhooks.map(({ id }) => id), event.id, type, body, now],
    );
    await this.lanes.wake('webhooks.deliver', organizationId);
  }
}
