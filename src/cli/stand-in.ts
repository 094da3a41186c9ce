import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Addresses } from '../kernel/common/addresses.js';
import { errorBody } from '../kernel/common/error.filter.js';
import { DomainError } from '../kernel/common/errors.js';
import { DATABASE_AWAY } from '../kernel/common/infrastructure-fault.js';
import { secretsOf, type Config } from '../kernel/platform/config/config.js';
import { describeSettings } from '../config.js';
import { Listeners } from '../kernel/platform/http/listeners.js';
import { OpenListener } from '../kernel/platform/http/open-listener.js';
import type { Manifest } from '../kernel/platform/manifest/manifest.js';
import { PublicListener } from '../kernel/platform/public-listener.js';
import { createLog } from '../kernel/platform/telemetry/logger.js';
import { MANIFESTS } from '../manifests.js';
import { StandInPages } from '../publishing/published-sites/pages/stand-in-pages.js';
import { addressOf } from './addresses.js';
import { listenFault } from './listen-fault.js';

const NOT_READY = new DomainError('unavailable', 'Not ready: the database cannot be reached', [], {
  'Retry-After': '5',
});

/**
 * Both listeners of a server that waits for its database: stored pages of public sites are sent, and all else is told to
 * come again. The application takes the ports over while they are open.
 */
export class StandIn {
  private readonly listeners = new Listeners();

  private constructor(
    private readonly config: Config,
    readonly api: OpenListener,
    readonly published: PublicListener,
  ) {
    this.listeners.adopt(api.connections);
  }

  /** @throws OperatorError if a port cannot be used. */
  static async open(config: Config, manifests: readonly Manifest[]): Promise<StandIn> {
    const api = new OpenListener(answerApi);
    const listeners = new Listeners();
    const published = new PublicListener(
      config,
      { handle: () => Promise.reject(DATABASE_AWAY) },
      createLog(config, secretsOf(config, describeSettings(manifests))),
      listeners,
      { follow: () => undefined },
    );
    const addresses = new Addresses();
    const modules = [...MANIFESTS, ...manifests].map(({ name }) => name);
    published.mount(new StandInPages(config, modules, addresses).handle);
    const port = await api.listen(config.port, config.host).catch((error: unknown) => {
      throw listenFault(error, config);
    });
    const publicPort = await published.listen(port);
    addresses.announce(
      config.apiUrl ?? addressOf(config.host, port),
      config.publicUrl ?? addressOf(config.host, publicPort),
      config.appUrl,
    );
    return new StandIn(config, api, published);
  }

  /** Lets open requests finish, and gives the ports back. */
  async close(): Promise<void> {
    const { shutdownTimeout } = this.config;
    await Promise.all([this.published.beforeApplicationShutdown(), this.listeners.close(shutdownTimeout, 0)]);
  }
}

/** Answers at the address of the API. */
function answerApi(request: IncomingMessage, response: ServerResponse): void {
  const [path] = (request.url ?? '').split('?', 1);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (path === '/healthz' && isRead) return send(request, response, 200, { status: 'ok' });
  const error = path === '/readyz' ? NOT_READY : DATABASE_AWAY;
  send(request, response, error.status, errorBody(error), error.headers);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'X-Request-Id': randomUUID(),
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
