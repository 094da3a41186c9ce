import { AsyncResource } from 'node:async_hooks';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database } from '../common/database.js';
import { databaseTime } from '../common/database-time.js';
import { infrastructureFaultOf } from '../common/infrastructure-fault.js';
import { Outbox, type OutboxEvent } from './outbox.js';

const MAX_ATTEMPTS = 12;
/** Events that are processed in one transaction. */
const BATCH = 50;
const POLL_MILLISECONDS = 2000;
/** Milliseconds for which a recorded event waits for others, so that many changes at a time are dealt with together. */
const GATHER_MILLISECONDS = 50;
const MAX_DELAY_SECONDS = 3600;
/** Seconds until an event that failed because of the infrastructure is retried. */
const FAULT_DELAY_SECONDS = 1;

/** Those of the consumers `$1` that an event is due for. One statement tells it of all of them, since mostly there is none. */
const WAITING = `SELECT n.name FROM unnest($1::text[]) WITH ORDINALITY AS n (name, place)
  WHERE EXISTS (SELECT FROM event_claim c WHERE c.consumer = n.name AND NOT c.dead AND c.due_at <= now()) ORDER BY n.place`;

const RETRY = `UPDATE event_claim SET attempts = attempts + 1, problem = left($3, 1000), dead = attempts + 1 >= $4, due_at = ${databaseTime('least(2 ^ attempts, $5)')}
  WHERE consumer = $1 AND event_id = $2 RETURNING attempts, dead`;

const POSTPONE = `UPDATE event_claim SET problem = left($3, 1000), due_at = ${databaseTime('$4')} WHERE consumer = $1 AND event_id = $2 RETURNING attempts, dead`;

/** Processes some events, in their order, inside the transaction that also removes their claims. */
export type EventHandler = (events: readonly OutboxEvent[]) => Promise<void>;

/** Seconds until the next attempt: 1, 2, 4 … at most an hour. */
export function retryDelay(attempts: number): number {
  return Math.min(2 ** (attempts - 1), MAX_DELAY_SECONDS);
}

/**
 * Delivers the events of the outbox to their consumers, each event once per consumer although several servers share the
 * database. Modules register their consumers in `onModuleInit`.
 */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Outbox');
  private readonly handlers = new Map<string, EventHandler>();
  /** Consumers that receive only events of the organizations that they subscribe to. */
  private readonly selective = new Set<string>();
  /** Consumers run in the context of the boot, never in that of the request that recorded an event. */
  private readonly scope = new AsyncResource('OutboxRelay');
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private gathering: NodeJS.Timeout | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
  ) {}

  /** Registers the handler of a consumer under a permanent name (the name is stored). */
  register(consumer: string, handler: EventHandler, { everywhere = true } = {}): void {
    if (this.handlers.has(consumer)) throw new Error(`the outbox has two consumers named ${consumer}`);
    this.handlers.set(consumer, handler);
    if (!everywhere) this.selective.add(consumer);
  }

  /** The names of the consumers of this process. */
  get consumers(): readonly string[] {
    return [...this.handlers.keys()];
  }

  /**
   * Subscribes a consumer to the events of an organization, or unsubscribes it; must be called in the caller's
   * transaction.
   */
  async attend(consumer: string, organizationId: string, attends: boolean): Promise<void> {
    await this.database.execute(
      attends
        ? 'INSERT INTO event_audience (consumer, organization_id) VALUES ($1, $2) ON CONFLICT DO NOTHING'
        : 'DELETE FROM event_audience WHERE consumer = $1 AND organization_id = $2',
      [consumer, organizationId],
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.handlers.size === 0) return;
    const names = [...this.handlers.keys()];
    await this.database.execute(
      `INSERT INTO event_consumer (name, created_at, everywhere) SELECT n.name, $2, n.everywhere FROM unnest($1::text[], $3::boolean[]) AS n (name, everywhere) ON CONFLICT DO NOTHING`,
      [names, this.clock.now(), names.map((name) => !this.selective.has(name))],
    );
  }

  /** Starts processing events as they arrive; until then only `drain` does. */
  start(): void {
    this.unsubscribe = this.outbox.onRecorded(() => this.gather());
    this.timer = setInterval(() => this.wake(), POLL_MILLISECONDS).unref();
    this.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    clearTimeout(this.gathering);
    this.unsubscribe?.();
    await this.running;
  }

  /** Processes every event that is due now; the workers do this by themselves, tests and commands call it. */
  async drain(): Promise<number> {
    let handled = 0;
    for (let before = -1; handled > before;) {
      before = handled;
      const waiting = await this.database.query<{ name: string }>(WAITING, [[...this.handlers.keys()]]);
      for (const { name } of waiting) {
        const handler = this.handlers.get(name);
        if (handler) handled += await this.deal(name, handler);
      }
    }
    return handled;
  }

  private gather(): void {
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.wake();
    }, GATHER_MILLISECONDS).unref();
  }

  private wake(): void {
    if (this.stopped || this.handlers.size === 0) return;
    this.again = true;
    this.running ??= this.scope
      .runInAsyncScope(() => this.loop())
      .finally(() => {
        this.running = undefined;
      });
  }

  private async loop(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      await this.drain().catch((error: unknown) => this.logger.error(`the outbox could not be read: ${String(error)}`));
    }
  }

  /**
   * Processes all due events of a consumer, in batches; after a failure one by one, so that one event does not block
   * the others.
   */
  private async deal(consumer: string, handler: EventHandler): Promise<number> {
    let handled = 0;
    for (let single = 0; !this.stopped; single = Math.max(0, single - 1)) {
      const limit = single > 0 ? 1 : BATCH;
      let claimed: readonly OutboxEvent[] = [];
      try {
        await this.database.transaction(async () => {
          claimed = await this.claim(consumer, limit);
          if (claimed.length === 0) return;
          await handler(claimed);
          await this.database.execute('DELETE FROM event_claim WHERE consumer = $1 AND event_id = ANY ($2)', [
            consumer,
            claimed.map(({ id }) => id),
          ]);
        });
      } catch (error) {
        const [first, second] = claimed;
        if (!first) throw error;
        if (second) {
          single = claimed.length + 1;
          continue;
        }
        await this.postpone(consumer, first.id, error);
      }
      handled += claimed.length;
      // Those that have come since are told of by `WAITING`, which costs less than a claim of nothing.
      if (claimed.length < limit) break;
    }
    return handled;
  }

  private claim(consumer: string, limit: number): Promise<OutboxEvent[]> {
    return this.database.query<OutboxEvent & Record<string, unknown>>(
      `SELECT e.id, e.organization_id AS "organizationId", e.space_id AS "spaceId", e.type, e.actor_id AS "actorId",
              e.token_id AS "tokenId", e.ip, e.target, e.payload, e.at
         FROM event_claim c JOIN event e ON e.id = c.event_id
        WHERE c.consumer = $1 AND NOT c.dead AND c.due_at <= now()
        ORDER BY c.due_at, c.event_id LIMIT $2 FOR UPDATE OF c SKIP LOCKED`,
      [consumer, limit],
    );
  }

  /** Schedules an event for a retry; failures of the infrastructure do not count as attempts. */
  private async postpone(consumer: string, eventId: string, error: unknown): Promise<void> {
    const problem = error instanceof Error ? error.message : String(error);
    const fault = infrastructureFaultOf(error);
    const row = await this.database.one<{ attempts: number; dead: boolean }>(
      fault ? POSTPONE : RETRY,
      fault
        ? [consumer, eventId, problem, FAULT_DELAY_SECONDS]
        : [consumer, eventId, problem, MAX_ATTEMPTS, MAX_DELAY_SECONDS],
    );
    const seconds = fault ? FAULT_DELAY_SECONDS : retryDelay(row?.attempts ?? 1);
    this.logger.warn(
      `${consumer} failed on event ${eventId} (${row?.dead ? 'given up' : `tried again in ${seconds} s`}): ${problem}`,
    );
  }
}
