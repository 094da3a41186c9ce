import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from '@jest/globals';

/** What a receiver was sent. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** A server that webhooks send to, on loopback. */
export class Receiver {
  readonly received: Received[] = [];
  /** How it answers from now on. */
  answer: (response: ServerResponse, received: Received) => void = (response) => response.end('ok');
  private readonly server = createServer((request, response) => {
    void text(request).then((body) => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        event: JSON.parse(body) as Record<string, unknown>,
      };
      this.received.push(received);
      this.answer(response, received);
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** An address of its own for each webhook. */
  url(path = '/'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((each) => each.path === path);
  }
}

export function useReceiver(): Receiver {
  const receiver = new Receiver();
  beforeAll(() => receiver.start());
  afterAll(() => receiver.stop());
  return receiver;
}

/** Verifies a signature as the guide tells receivers to; gives how many of its signatures are right. */
export function verified({ headers, body }: Received, secret: string): number {
  const parts = String(headers['x-bindery-signature'])
    .split(',')
    .map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return parts.filter(([name, value]) => name === 'v1' && value === expected).length;
}
