import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Histogram } from 'prom-client';
import type { Logger } from 'pino';
import type { RequestContext } from '../../common/context.js';
import { attribute, processorTime, release, type LoopUser, type TimeSlice } from '../../common/event-loop.js';
import { FairQueue } from '../http/fair-queue.middleware.js';
import { requestUrl } from './access-log.middleware.js';
import { LOG } from './logger.js';
import { Metrics, routeOf } from './metrics.js';
import { redactUrl } from './redact.js';

/** Milliseconds for which one request may block all others without being reported. */
const HELD_TOO_LONG = 200;
const TICK = 100;

/** The event loop was blocked: by a request, or by background work. */
export interface EventLoopBlock extends TimeSlice {
  readonly request?: { readonly id: string; readonly method: string; readonly url: string; readonly route: string };
}

/** `node:diagnostics_channel` on which each `EventLoopBlock` of more than 200 ms is published, for monitoring inside of the process. */
export const HOLDS = channel('bindery.event-loop.hold');

/**
 * Measures the use of the event loop by each request: charges it to the quota of its party, and reports everything that
 * blocked the loop for more than 200 ms in the log and the metrics.
 */
@Injectable()
export class EventLoopMonitor implements OnModuleInit, BeforeApplicationShutdown {
  private readonly holds: Histogram<'method' | 'route'>;
  private readonly cpu = { organization: 0, address: 0 };
  private timer: NodeJS.Timeout | undefined;
  private lastTick = { at: 0, cpu: 0 };
  private lastHold = 0;

  constructor(
    metrics: Metrics,
    private readonly queue: FairQueue,
    @Inject(LOG) private readonly log: Logger,
  ) {
    this.holds = new Histogram({
      name: 'bindery_event_loop_hold_seconds',
      help: 'Times for which the event loop was held for more than 200 ms, by the request that held it; none for work behind the scenes',
      labelNames: ['method', 'route'],
      buckets: [0.5, 1, 2, 5, 10],
      registers: [metrics.registry],
    });
    metrics.counter(
      'bindery_request_cpu_seconds_total',
      'Time of the processor that requests have used, by whose turns it was counted against',
      'party',
      () => ({
        organization: this.cpu.organization / 1000,
        address: this.cpu.address / 1000,
      }),
    );
  }

  onModuleInit(): void {
    this.lastTick = { at: performance.now(), cpu: processorTime() };
    this.timer = setInterval(() => this.tick(), TICK).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Attributes all work in the context of the request to it from now on. */
  follow(request: IncomingMessage, response: ServerResponse, context: RequestContext): void {
    const user = new RequestCost(
      context,
      (milliseconds) => this.count(context, milliseconds),
      (stretch) => this.tell({ ...stretch, request: described(request, context) }),
    );
    context.loopUser = user;
    response.once('prefinish', () => release(user));
    attribute(user);
  }

  private count({ party }: RequestContext, milliseconds: number): void {
    if (party === undefined) return;
    this.cpu[party.isOrganization ? 'organization' : 'address'] += milliseconds;
    this.queue.charge(party, milliseconds);
  }

  /** Detects work outside of requests by a timer that fires late. */
  private tick(): void {
    const now = { at: performance.now(), cpu: processorTime() };
    const wall = now.at - this.lastTick.at - TICK;
    if (wall > HELD_TOO_LONG && this.lastHold < this.lastTick.at)
      this.tell({ wall, cpu: Math.min(wall, now.cpu - this.lastTick.cpu) });
    this.lastTick = now;
  }

  private tell(hold: EventLoopBlock): void {
    const { request, wall, cpu } = hold;
    this.lastHold = performance.now();
    this.holds.observe({ method: request?.method ?? 'none', route: request?.route ?? 'none' }, wall / 1000);
    this.log.warn(
      {
        requestId: request?.id,
        ...(request && { req: { method: request.method, url: request.url, route: request.route } }),
        milliseconds: Math.round(wall),
        cpuMilliseconds: Math.round(cpu),
      },
      'held the event loop',
    );
    HOLDS.publish(hold);
  }
}

/** The cost of one request, and its party: known once its token is looked up. */
class RequestCost implements LoopUser {
  private uncounted = 0;

  constructor(
    private readonly context: RequestContext,
    private readonly count: (milliseconds: number) => void,
    private readonly held: (stretch: TimeSlice) => void,
  ) {}

  used(stretch: TimeSlice): void {
    this.charge(stretch.cpu);
    if (stretch.wall > HELD_TOO_LONG) this.held(stretch);
  }

  charge(milliseconds: number): void {
    this.context.cpuMilliseconds = (this.context.cpuMilliseconds ?? 0) + milliseconds;
    this.uncounted += milliseconds;
    if (this.context.party === undefined) return;
    this.count(this.uncounted);
    this.uncounted = 0;
  }
}

function described(request: IncomingMessage, { requestId }: RequestContext): NonNullable<EventLoopBlock['request']> {
  return { id: requestId, method: request.method ?? '', url: redactUrl(requestUrl(request)), route: routeOf(request) };
}
