import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { EventStreams, StreamServices } from '../../kernel/access/event-streams.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { NotificationStream } from './notification-stream.js';
import { NEWS_CHANNEL } from './notification-writer.js';
import { Notifications } from './notifications.service.js';
import { presentNotification } from './notifications.schema.js';

const STREAMS_OF_USER = 10;
/** Missed notifications that a stream which goes on catches up with; the list has the rest. */
const CAUGHT_UP = 1000;
const READ_AT_ONCE = 100;

/** The streams of notifications that are open on this server. */
@Injectable()
export class NotificationStreams extends EventStreams<NotificationStream> {
  constructor(
    services: StreamServices,
    private readonly notifications: Notifications,
    private readonly addresses: Addresses,
  ) {
    super(services, { name: 'Notifications', channel: NEWS_CHANNEL, mostOfUser: STREAMS_OF_USER });
  }

  /**
   * Sends what is new for the caller from now on, or from the notification with the sequence `lastEventId` on. Throws
   * `tooManyRequests` for too many streams of one person.
   */
  async begin(caller: Caller, response: Response, lastEventId: string | undefined): Promise<void> {
    const stream = new NotificationStream(caller, requestAddress(), response);
    await this.beginStream(stream, async () => {
      const end = (await this.notifications.ends([caller.userId])).get(caller.userId) ?? 0;
      stream.sequence = startOf(lastEventId, end);
    });
  }

  protected attend(stream: NotificationStream): void {
    void this.send(stream);
  }

  protected hear(userId: string): void {
    for (const stream of this.open) if (stream.caller.userId === userId) void this.send(stream);
  }

  protected async look(streams: readonly NotificationStream[]): Promise<void> {
    const ends = await this.notifications.ends([...new Set(streams.map(({ caller }) => caller.userId))]);
    for (const stream of streams) if ((ends.get(stream.caller.userId) ?? 0) > stream.looked) void this.send(stream);
  }

  /** Sends what a stream has not sent, one read at a time. */
  private async send(stream: NotificationStream): Promise<void> {
    if (!stream.isOpen || !stream.take()) return;
    try {
      for (let more = true; more && stream.isOpen; more = stream.release(more)) {
        const looked = (await this.notifications.ends([stream.caller.userId])).get(stream.caller.userId) ?? 0;
        for (let isFull = true; isFull && stream.isOpen;) {
          const rows = await this.notifications.after(stream.caller, stream.address, stream.sequence, READ_AT_ONCE);
          for (const row of rows) stream.notify(row.sequence, presentNotification(row, this.addresses));
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
