import type { Response } from 'express';
import type { Caller } from '../../kernel/common/context.js';

/** Bytes that may wait for a reader; one who reads too slowly comes again, and goes on from there. */
const WAITING_BYTES = 1024 * 1024;
const RETRY_MILLISECONDS = 3000;

/** One open response with server-sent events (HTML Living Standard, section 9.2). */
export class NotificationStream {
  /** The sequence of the last notification that was sent. */
  sequence = 0;
  /** The end of the list when it was last looked at: what the reader cannot see is not sent. */
  looked = 0;
  private state: 'new' | 'open' | 'over' = 'new';
  private isBusy = false;
  private hasMore = false;

  constructor(
    readonly caller: Caller,
    /** The address of the caller. */
    readonly address: string | null,
    private readonly response: Response,
  ) {}

  /** True once it has ended, although a reader who is gone may not have taken all of it. */
  get isOver(): boolean {
    return this.state === 'over';
  }

  get isOpen(): boolean {
    return this.state === 'open' && !this.response.destroyed;
  }

  begin(): void {
    // Its connection ends with it: at a shutdown there is nothing left to wait for.
    this.response.shouldKeepAlive = false;
    this.response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Compression would hold events back.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    this.response.flushHeaders();
    this.state = 'open';
    this.write(`retry: ${RETRY_MILLISECONDS}\n: open\n\n`);
  }

  send(sequence: number, value: object): void {
    this.sequence = sequence;
    this.write(`id: ${sequence}\nevent: notification\ndata: ${JSON.stringify(value)}\n\n`);
  }

  /** Keeps proxies from taking the connection for an idle one. */
  beat(): void {
    this.write(': beat\n\n');
  }

  end(): void {
    if (this.isOpen) this.response.end();
    this.state = 'over';
  }

  /** Takes the right to read for this stream; false if a read is under way, which then reads once more. */
  take(): boolean {
    this.hasMore = this.isBusy;
    if (this.isBusy) return false;
    this.isBusy = true;
    return true;
  }

  /** Tells whether to read once more, and gives the right to read back otherwise. */
  release(goesOn: boolean): boolean {
    const more = goesOn && this.hasMore;
    this.hasMore = false;
    this.isBusy = more;
    return more;
  }

  private write(text: string): void {
    if (!this.isOpen) return;
    this.response.write(text);
    if (this.response.writableLength <= WAITING_BYTES) return;
    this.state = 'over';
    this.response.destroy();
  }
}
