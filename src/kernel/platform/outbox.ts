import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import type { DatabaseConnection } from '../common/connection.js';
import { currentContext } from '../common/context.js';
import { Database } from '../common/database.js';
import { databaseTime } from '../common/database-time.js';
import { newId } from '../common/ids.js';
import { auditLines, auditValues } from './audit-log.js';
import type { EventType, NewEvent, EventPayload } from './manifest/events.js';
import { Registry } from './manifest/registry.js';

interface RecordedFacts {
  readonly id: string;
  /** Null only for events that belong to a person and to no organization, such as API tokens. */
  readonly organizationId: string | null;
  readonly spaceId: string | null;
  readonly actorId: string | null;
  readonly tokenId: string | null;
  readonly ip: string | null;
  readonly target: string;
  readonly at: Date;
}

/** An event as consumers receive it. */
export type OutboxEvent = {
  [Type in EventType]: RecordedFacts & { readonly type: Type; readonly payload: EventPayload<Type> };
}[EventType];

/** Records an event and the lines that `more` derives from it, and returns the number of claims of consumers. */
const statement = (more = ''): string => `WITH recorded AS (
    INSERT INTO event (id, organization_id, space_id, type, actor_id, token_id, ip, target, payload, at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING *)${more}
  INSERT INTO event_claim (consumer, event_id, due_at)
  SELECT c.name, r.id, ${databaseTime()} FROM recorded r CROSS JOIN event_consumer c
   WHERE c.everywhere OR EXISTS (SELECT FROM event_audience a WHERE a.consumer = c.name AND a.organization_id = $2)`;

const PLAIN = statement();

/** Records an event for every state change, in the transaction of the change. */
@Injectable()
export class Outbox {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly registry: Registry,
  ) {}

  /**
   * Inserts one event row in the transaction that makes the change, together with a claim for each consumer that
   * subscribes to the organization and with the lines of the audit log, all in one statement, and returns its id.
   * Actor, token and address are those of the request. Throws outside of a transaction, because an event must commit
   * with its change or not at all.
   */
  async record(event: NewEvent): Promise<string> {
    if (!this.database.inTransaction)
      throw new Error(`the event ${event.type} must be recorded in the transaction of its change`);
    const { id, text, values } = this.recording(event);
    const claims = await this.database.execute(text, values);
    if (claims > 0) {
      this.database.afterCommit(() => {
        for (const listener of this.listeners) listener();
      });
    }
    return id;
  }

  /** The same for a change on a connection of its own, which has begun a transaction. */
  async recordOn(client: DatabaseConnection, event: NewEvent): Promise<void> {
    const { text, values } = this.recording(event);
    await client.query(text, values);
  }

  private recording(event: NewEvent): { readonly id: string; readonly text: string; readonly values: unknown[] } {
    const context = currentContext();
    const now = this.clock.now();
    const id = newId(now.getTime());
    const userId = context?.caller?.userId ?? (context?.acting?.type === 'user' ? context.acting.id : null);
    const values = [
      id,
      event.organizationId,
      event.spaceId ?? null,
      event.type,
      userId,
      context?.caller?.tokenId || null,
      context?.ip ?? null,
      event.target,
      JSON.stringify(event.payload ?? {}),
      now,
    ];
    if (!this.registry.isAudited(event.type)) return { id, text: PLAIN, values };
    return {
      id,
      text: statement(auditLines(this.registry, event.type)),
      values: [...values, ...auditValues(event, userId, context)],
    };
  }

  /**
   * Calls `listener` after each commit of this server that recorded an event for a consumer; returns a function that
   * removes the listener.
   */
  onRecorded(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
