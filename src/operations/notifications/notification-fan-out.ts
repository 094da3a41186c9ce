import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import type { OutboxEvent } from '../../kernel/platform/outbox.js';
import { OutboxRelay } from '../../kernel/platform/outbox-relay.js';
import { ConflictChecks } from './conflict-checks.js';
import { NotificationWriter } from './notification-writer.js';
import { RECIPIENTS, TOLD_EVENTS, type Recipient } from './recipients.statements.js';

/** The name under which the outbox keeps unprocessed events of notifications. */
export const NOTIFICATIONS_CONSUMER = 'notifications';

const TOLD: ReadonlySet<string> = new Set(TOLD_EVENTS);

/**
 * Tells people of events in the transaction that takes the events from the outbox: so each event is told of once,
 * whichever server dies.
 */
@Injectable()
export class NotificationFanOut implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly relay: OutboxRelay,
    private readonly writer: NotificationWriter,
    private readonly checks: ConflictChecks,
  ) {}

  onModuleInit(): void {
    this.relay.register(NOTIFICATIONS_CONSUMER, (events) => this.spread(events));
  }

  private async spread(events: readonly OutboxEvent[]): Promise<void> {
    const told = events.filter(({ type }) => TOLD.has(type)).map(({ id }) => id);
    if (told.length > 0) await this.writer.tell(await this.database.query<Recipient>(RECIPIENTS, [told]));
    await this.checks.note(events);
  }
}
