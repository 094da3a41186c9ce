import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';

/** A server that gives specifications, on loopback. */
export class SpecificationServer {
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  private readonly given = new Map<string, (response: ServerResponse, headers: IncomingHttpHeaders) => void>();
  private readonly server = createServer((request, response) => {
    const path = request.url ?? '';
    this.asked.push({ path, headers: request.headers });
    const give = this.given.get(path);
    if (give) give(response, request.headers);
    else response.writeHead(404).end('not here');
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** What a path answers from now on, and its address. */
  give(
    path: string,
    body: string | Buffer | ((response: ServerResponse, headers: IncomingHttpHeaders) => void),
    headers: Readonly<Record<string, string>> = {},
  ): string {
    this.given.set(
      path,
      typeof body === 'function'
        ? body
        : (response) => response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body),
    );
    return this.url(path);
  }

  times(path: string): number {
    return this.asked.filter((each) => each.path === path).length;
  }
}

export function useSpecificationServer(): SpecificationServer {
  const server = new SpecificationServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
