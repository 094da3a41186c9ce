import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { OperatorError, codeOf } from '../kernel/platform/operator-error.js';

const HOST = '127.0.0.1';
const USUAL_PORT = 4400;
const OWN = '/~bindery-dev/';
/** Loads the page again once the folder has another version than the one that the page was made from. */
const SCRIPT = `const { version } = document.currentScript.dataset;
new EventSource('${OWN}events').addEventListener('message', ({ data }) => {
  if (data !== version) location.reload();
});
`;

/**
 * A listener on loopback in front of published sites, which adds a script to their pages and tells it of changes. The
 * sites themselves know nothing of it, so no other server has such a script.
 */
export class PreviewListener {
  private readonly server = createServer((request, response) => this.receive(request, response));
  private readonly open = new Set<ServerResponse>();
  private readonly upstream: URL;
  /** Begins anew with each process: a page of the last one is loaded again. */
  private version = Date.now();

  constructor(published: string) {
    this.upstream = new URL(published);
  }

  /** Listens on a port, by default the usual one or any that is free. @returns the address, without a final slash. */
  async listen(port: number | undefined): Promise<string> {
    try {
      await this.begin(port ?? USUAL_PORT);
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
      if (port !== undefined)
        throw new OperatorError(`Port ${port} is in use: choose another one with --port`, { cause: error });
      await this.begin(0);
    }
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  /** Open pages are loaded again. */
  tell(): void {
    this.version++;
    for (const response of this.open) response.write(`data: ${this.version}\n\n`);
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((settle) => this.server.close(settle));
    this.server.closeAllConnections();
    await closed;
  }

  private begin(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, HOST, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    if (request.url === `${OWN}events`) this.follow(response);
    else if (request.url === `${OWN}reload.js`)
      response
        .writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' })
        .end(SCRIPT);
    else this.pass(request, response);
  }

  private follow(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(`data: ${this.version}\n\n`);
    this.open.add(response);
    response.on('close', () => this.open.delete(response));
  }

  /** Passes a request on. Pages come uncompressed, and are never taken from the cache of the browser. */
  private pass(request: IncomingMessage, response: ServerResponse): void {
    const { version } = this;
    const { 'accept-encoding': _encoding, 'if-none-match': _tag, ...headers } = request.headers;
    const { hostname, port } = this.upstream;
    const passed = sendRequest(
      { hostname, port, method: request.method, path: request.url, headers },
      (answer) => void this.answer(answer, response, version).catch(() => response.destroy()),
    );
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  }

  private async answer(answer: IncomingMessage, response: ServerResponse, version: number): Promise<void> {
    const { statusCode = 502, headers } = answer;
    if (headers['content-type']?.startsWith('text/html') !== true) {
      response.writeHead(statusCode, headers);
      answer.pipe(response);
      return;
    }
    const page = (await buffer(answer)).toString('utf8');
    const { 'content-length': _length, etag: _etag, 'content-security-policy': policy = '', ...others } = headers;
    response.writeHead(statusCode, {
      ...others,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': [policy].flat().join(', ').replace('script-src ', "script-src 'self' "),
    });
    const end = page.lastIndexOf('</body>');
    const script = `<script src="${OWN}reload.js" data-version="${version}"></script>`;
    response.end(end < 0 ? page : page.slice(0, end) + script + page.slice(end));
  }
}
