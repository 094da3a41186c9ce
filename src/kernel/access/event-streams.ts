import { AsyncResource } from 'node:async_hooks';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { DomainError } from '../common/errors.js';
import { Announcements } from '../platform/announcements.js';
import type { EventStream } from '../platform/http/event-stream.js';
import { FairQueue } from '../platform/http/fair-queue.middleware.js';
import { Listeners } from '../platform/http/listeners.js';
import { Access } from './access.service.js';

/** Milliseconds after which a server looks for itself: for what is new, and for tokens that have ended. */
const LOOK_MILLISECONDS = 2500;
const LOOKS_TO_BEAT = 6;

/** The parts of the server that streams need. */
@Injectable()
export class StreamServices {
  constructor(
    readonly access: Access,
    readonly clock: Clock,
    readonly announcements: Announcements,
    readonly listeners: Listeners,
    readonly queue: FairQueue,
  ) {}
}

/**
 * The open streams of one kind on this server. Each ends when the reader leaves, the token ends or the server does.
 * Servers announce what is new on a channel, and look for themselves for what no announcement has told of.
 */
export abstract class EventStreams<Stream extends EventStream> implements OnModuleInit, OnModuleDestroy {
  protected readonly logger: Logger;
  protected readonly open = new Set<Stream>();
  /** Streams outlast the requests that opened them, and run in the context of the boot. */
  private readonly scope: AsyncResource;
  private stopListening: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private looks = 0;

  protected constructor(
    protected readonly services: StreamServices,
    private readonly kind: {
      readonly name: string;
      readonly channel: string;
      /** Open streams of one person on one server. */
      readonly mostOfUser: number;
    },
  ) {
    this.logger = new Logger(kind.name);
    this.scope = new AsyncResource(kind.name);
  }

  onModuleInit(): void {
    this.services.listeners.onEnd(() => this.endAll());
  }

  onModuleDestroy(): void {
    this.endAll();
  }

  /** Sends the first of a stream that has begun. */
  protected abstract attend(stream: Stream): void;
  /** Takes what a server has announced. */
  protected abstract hear(payload: string): void;
  /** Looks for what is new for all streams, whose tokens are valid. */
  protected abstract look(streams: readonly Stream[]): Promise<void>;
  /** Called after a stream has ended, which is no open one any more. */
  protected left?(stream: Stream): void;

  /** Opens a stream after `prepare`. Throws `tooManyRequests` for too many streams of one person. */
  protected async beginStream(stream: Stream, prepare: () => Promise<void>): Promise<void> {
    const { mostOfUser } = this.kind;
    const { userId } = stream.caller;
    if ([...this.open].filter((other) => !other.isOver && other.caller.userId === userId).length >= mostOfUser)
      throw new DomainError('tooManyRequests', `At most ${mostOfUser} streams of one person are open`, [], {
        'Retry-After': '30',
      });
    this.open.add(stream);
    stream.onClose(() => this.leave(stream));
    try {
      await prepare();
      stream.begin();
    } catch (error) {
      this.leave(stream);
      throw error;
    }
    const { queue, listeners } = this.services;
    queue.leave();
    if (listeners.isEnding) stream.end();
    else this.scope.runInAsyncScope(() => this.follow(stream));
  }

  private follow(stream: Stream): void {
    const { announcements } = this.services;
    this.stopListening ??= announcements.listen(this.kind.channel, (payload) => this.hear(payload));
    this.timer ??= setInterval(() => void this.lookAround(), LOOK_MILLISECONDS).unref();
    this.attend(stream);
  }

  private leave(stream: Stream): void {
    if (!this.open.delete(stream)) return;
    this.scope.runInAsyncScope(() => this.left?.(stream));
    if (this.open.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.stopListening?.();
    this.stopListening = undefined;
  }

  private endAll(): void {
    for (const stream of this.open) stream.end();
  }

  /** Ends streams of tokens that have ended, and looks for what is new. */
  private async lookAround(): Promise<void> {
    const { access, clock } = this.services;
    const streams = [...this.open].filter((stream) => stream.isOpen);
    this.looks = (this.looks + 1) % LOOKS_TO_BEAT;
    try {
      const tokens = [...new Set(streams.map(({ caller }) => caller.tokenId))];
      const now = clock.now();
      const valid = await access.validTokens(tokens, now);
      for (const stream of streams) {
        const { tokenId, until } = stream.caller;
        if (!valid.has(tokenId) || (until && until <= now)) stream.end();
        else if (this.looks === 0) stream.beat();
      }
      await this.look(streams.filter((stream) => stream.isOpen));
    } catch (error) {
      this.logger.warn(`streams could not be looked after: ${String(error)}`);
    }
  }
}
