import { AsyncResource } from 'node:async_hooks';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { DomainError } from '../../kernel/common/errors.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { Announcements } from '../../kernel/platform/announcements.js';
import { FairQueue } from '../../kernel/platform/http/fair-queue.middleware.js';
import { Listeners } from '../../kernel/platform/http/listeners.js';
import { NotificationStream } from './notification-stream.js';
import { NEWS_CHANNEL } from './notification-writer.js';
import { Notifications } from './notifications.service.js';
import { presentNotification } from './notifications.schema.js';

/** Open streams of one person on one server. */
const STREAMS_OF_USER = 10;
/** Milliseconds after which a server looks for itself: for what is new, and for tokens that have ended. */
const LOOK_MILLISECONDS = 2500;
const BEATS = 6;
/** Missed notifications that a stream which goes on catches up with; the list has the rest. */
const CAUGHT_UP = 1000;
const READ_AT_ONCE = 100;

/** The streams of notifications that are open on this server. */
@Injectable()
export class NotificationStreams implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Notifications');
  private readonly open = new Set<NotificationStream>();
  /** Streams outlast the requests that opened them, and run in the context of the boot. */
  private readonly scope = new AsyncResource('NotificationStreams');
  private stopListening: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looks = 0;

  constructor(
    private readonly notifications: Notifications,
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly announcements: Announcements,
    private readonly listeners: Listeners,
    private readonly queue: FairQueue,
    private readonly addresses: Addresses,
  ) {}

  onModuleInit(): void {
    this.listeners.onEnd(() => this.endAll());
  }

  onModuleDestroy(): void {
    this.endAll();
  }

  /**
   * Sends what is new for the caller from now on, or from the notification with the sequence `lastEventId` on, until
   * the reader leaves, the token ends or the server does. Throws `tooManyRequests` for too many streams of one person.
   */
  async begin(caller: Caller, response: Response, lastEventId: string | undefined): Promise<void> {
    const { userId } = caller;
    if ([...this.open].filter((stream) => !stream.isOver && stream.caller.userId === userId).length >= STREAMS_OF_USER)
      throw new DomainError('tooManyRequests', `At most ${STREAMS_OF_USER} streams of one person are open`, [], {
        'Retry-After': '30',
      });
    const stream = new NotificationStream(caller, requestAddress(), response);
    this.open.add(stream);
    response.once('close', () => this.leave(stream));
    try {
      const end = (await this.notifications.ends([userId])).get(userId) ?? 0;
      stream.sequence = startOf(lastEventId, end);
      if (!response.destroyed) stream.begin();
    } catch (error) {
      this.leave(stream);
      throw error;
    }
    this.queue.leave();
    if (this.listeners.isEnding) stream.end();
    else this.scope.runInAsyncScope(() => this.attend(stream));
  }

  private attend(stream: NotificationStream): void {
    this.stopListening ??= this.announcements.listen(NEWS_CHANNEL, (userId) => this.tell(userId));
    this.timer ??= setInterval(() => void this.look(), LOOK_MILLISECONDS).unref();
    void this.send(stream);
  }

  private leave(stream: NotificationStream): void {
    this.open.delete(stream);
    if (this.open.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopListening?.();
    this.stopListening = undefined;
  }

  private endAll(): void {
    for (const stream of this.open) stream.end();
  }

  private tell(userId: string): void {
    for (const stream of this.open) if (stream.caller.userId === userId) void this.send(stream);
  }

  /** Ends streams of tokens that have ended, and sends what no announcement has told of. */
  private async look(): Promise<void> {
    const streams = [...this.open].filter((stream) => stream.isOpen);
    this.looks = (this.looks + 1) % BEATS;
    try {
      const tokens = [...new Set(streams.map(({ caller }) => caller.tokenId))];
      const now = this.clock.now();
      const valid = await this.access.validTokens(tokens, now);
      for (const stream of streams) {
        const { tokenId, until } = stream.caller;
        if (!valid.has(tokenId) || (until && until <= now)) stream.end();
      }
      const ends = await this.notifications.ends([...new Set(streams.map(({ caller }) => caller.userId))]);
      for (const stream of streams) {
        if (this.looks === 0) stream.beat();
        if ((ends.get(stream.caller.userId) ?? 0) > stream.looked) void this.send(stream);
      }
    } catch (error) {
      this.logger.warn(`streams of notifications could not be looked after: ${String(error)}`);
    }
  }

  /** Sends what a stream has not sent, one read at a time. */
  private async send(stream: NotificationStream): Promise<void> {
    if (!stream.isOpen || !stream.take()) return;
    try {
      for (let more = true; more && stream.isOpen; more = stream.release(more)) {
        const looked = (await this.notifications.ends([stream.caller.userId])).get(stream.caller.userId) ?? 0;
        for (let isFull = true; isFull && stream.isOpen;) {
          const rows = await this.notifications.after(stream.caller, stream.address, stream.sequence, READ_AT_ONCE);
          for (const row of rows) stream.send(row.sequence, presentNotification(row, this.addresses));
          isFull = rows.length === READ_AT_ONCE;
        }
        stream.looked = Math.max(stream.looked, looked);
      }
    } catch (error) {
      this.logger.warn(`a stream of notifications ends: ${String(error)}`);
      stream.end();
    }
  }
}

/** The sequence behind which a stream begins. */
function startOf(lastEventId: string | undefined, end: number): number {
  if (lastEventId === undefined || !/^\d{1,15}$/.test(lastEventId)) return end;
  return Math.max(Math.min(Number(lastEventId), end), end - CAUGHT_UP);
}
