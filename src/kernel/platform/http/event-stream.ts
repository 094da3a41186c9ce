import type { Response } from 'express';
import type { Caller } from '../../common/context.js';

/** Bytes that may wait for a reader; one who reads too slowly comes again, and goes on from there. */
const WAITING_BYTES = 1024 * 1024;
const RETRY_MILLISECONDS = 3000;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Compression would hold events back.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * Sends values as server-sent events (HTML Living Standard, section 9.2), each as JSON, and `done` at the end. An error
 * before the first value is thrown and gives an ordinary response; a later one is sent as the event `error` without its
 * cause. Ends when the reader has gone.
 */
export async function sendEvents(response: Response, values: AsyncIterable<object>): Promise<void> {
  const iterator = values[Symbol.asyncIterator]();
  let next = await iterator.next();
  response.status(200).set(HEADERS);
  response.flushHeaders();
  try {
    while (next.done !== true && !response.destroyed) {
      response.write(`data: ${JSON.stringify(next.value)}\n\n`);
      next = await iterator.next();
    }
    response.end('event: done\ndata: {}\n\n');
  } catch {
    response.end(
      `event: error\ndata: ${JSON.stringify({ error: { code: 500, message: 'The answer has failed' } })}\n\n`,
    );
  } finally {
    await iterator.return?.();
  }
}

/** An open response with server-sent events that goes on until its reader, its token or the server is gone. */
export class EventStream {
  private state: 'new' | 'open' | 'over' = 'new';

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
    if (this.response.destroyed) return;
    // Its connection ends with it: at a shutdown there is nothing left to wait for.
    this.response.shouldKeepAlive = false;
    this.response.status(200).set(HEADERS);
    this.response.flushHeaders();
    this.state = 'open';
    this.write(`retry: ${RETRY_MILLISECONDS}\n: open\n\n`);
  }

  /** Calls `leave` once the reader has gone. */
  onClose(leave: () => void): void {
    this.response.once('close', leave);
  }

  /** Sends a value as JSON; `id` is where a reader who comes again goes on. */
  send(event: string, value: object, id?: number): void {
    const place = id === undefined ? '' : `id: ${id}\n`;
    this.write(`${place}event: ${event}\ndata: ${JSON.stringify(value)}\n\n`);
  }

  /** Keeps proxies from taking the connection for an idle one. */
  beat(): void {
    this.write(': beat\n\n');
  }

  end(): void {
    if (this.isOpen) this.response.end();
    this.state = 'over';
  }

  private write(text: string): void {
    if (!this.isOpen) return;
    this.response.write(text);
    if (this.response.writableLength <= WAITING_BYTES) return;
    this.state = 'over';
    this.response.destroy();
  }
}
