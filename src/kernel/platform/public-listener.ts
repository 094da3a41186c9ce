import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Logger as Log } from 'pino';
import { asksForNoChange, runInContext, type RequestContext } from '../common/context.js';
import { errorBody, toDomainError } from '../common/error.filter.js';
import { DomainError, notFound, stackOf } from '../common/errors.js';
import { CONFIG, type Config } from './config/config.js';
import { codeOf, OperatorError } from './operator-error.js';
import type { Connections } from './http/connections.js';
import { Listeners } from './http/listeners.js';
import { OpenListener } from './http/open-listener.js';
import { TrustedProxies } from './http/trusted-proxies.js';
import { addressGroup } from './rate-limit/rate-limit.js';
import { FileEndpoint } from './storage/file-endpoint.js';
import { accessLog, type HttpMiddleware } from './telemetry/access-log.middleware.js';
import { LOG } from './telemetry/logger.js';
import { EventLoopMonitor } from './telemetry/event-loop-monitor.js';

const PORTS_TRIED = 100;
/** One year; subdomains belong to others. */
const HSTS = 'max-age=31536000';
/** For responses without a policy of their own. */
const NO_CONTENT = "default-src 'none'; frame-ancestors 'none'";
/** Stream errors that mean that the other side has disconnected. */
const BROKEN_OFF = /^ERR_STREAM_(PREMATURE_CLOSE|DESTROYED|UNABLE_TO_PIPE)$/;

/** Serves a request or calls `next`; an Express router is one, too. */
export type PublicHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * The second listener, of another origin than the API: files, and handlers that modules mount beside them (published
 * sites). No uploaded or user-written content is ever served from the API's origin.
 */
@Injectable()
export class PublicListener implements BeforeApplicationShutdown {
  private readonly logger = new Logger('PublicListener');
  private readonly handlers: PublicHandler[] = [];
  private readonly logRequest: HttpMiddleware;
  private readonly proxies: TrustedProxies;
  /** Headers of every response. */
  private readonly headers: Readonly<Record<string, string>>;
  private readonly listener = new OpenListener((request, response) => this.receive(request, response));
  private connections: Connections | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(FileEndpoint) private readonly files: Pick<FileEndpoint, 'handle'>,
    @Inject(LOG) log: Log,
    private readonly listeners: Listeners,
    @Inject(EventLoopMonitor) private readonly loopWatch: Pick<EventLoopMonitor, 'follow'>,
  ) {
    this.logRequest = accessLog(log);
    this.proxies = new TrustedProxies(config.trustedProxies);
    this.headers = {
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': NO_CONTENT,
      ...(config.publicUrl?.startsWith('https:') === true && { 'Strict-Transport-Security': HSTS }),
    };
  }

  /** Adds a handler after those mounted before; files come after all of them. */
  mount(handler: PublicHandler): void {
    this.handlers.push(handler);
  }

  /**
   * Listens on PUBLIC_PORT, or else on the first free port above the API's (any free one if that is unknown), and
   * returns the port. Throws `OperatorError` if the port is in use.
   */
  async listen(apiPort = 0): Promise<number> {
    this.connections = this.listeners.adopt(this.listener.connections);
    const { publicPort, host } = this.config;
    if (publicPort !== undefined || apiPort === 0) return await listenOn(this.listener, publicPort ?? 0, host);
    for (let port = apiPort + 1; port <= Math.min(apiPort + PORTS_TRIED, 65_535); port++) {
      try {
        return await listenOn(this.listener, port, host);
      } catch (error) {
        if (codeOf(error) !== 'EADDRINUSE' && !(error instanceof OperatorError)) throw error;
      }
    }
    throw new OperatorError(
      `No port from ${apiPort + 1} to ${apiPort + PORTS_TRIED} is free for files and published sites: set PUBLIC_PORT.`,
    );
  }

  /** Answers from now on what comes to the port of another one, and returns the port. */
  takeOver({ listener }: PublicListener): number {
    listener.answerBy((request, response) => this.receive(request, response));
    this.connections = this.listeners.adopt(listener.connections);
    return listener.port;
  }

  /** Stops listening, lets open requests finish for SHUTDOWN_TIMEOUT seconds, then ends them. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.connections?.close(this.config.shutdownTimeout);
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    const requestId = randomUUID();
    response.setHeader('X-Request-Id', requestId);
    const ip = this.proxies.clientOf(request);
    const context: RequestContext = {
      requestId,
      ip,
      ifMatch: undefined,
      readsOnly: asksForNoChange(request),
      party: { name: addressGroup(ip), isOrganization: false },
    };
    this.loopWatch.follow(request, response, context);
    runInContext(context, () => this.logRequest(request, response, () => void this.answer(request, response)));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      for (const [name, value] of Object.entries(this.headers)) response.setHeader(name, value);
      for (const handler of this.handlers) {
        if (await served(handler, request, response)) return;
      }
      if (!(await this.files.handle(request, response))) throw notFound('Page');
    } catch (error) {
      this.refuse(error, request, response);
    }
  }

  private refuse(thrown: unknown, request: IncomingMessage, response: ServerResponse): void {
    const error = toDomainError(thrown);
    // Readers who disconnect are not an error.
    const isBroken = response.destroyed && BROKEN_OFF.test(codeOf(thrown) ?? '');
    if (!error && !isBroken) this.logger.error(stackOf(thrown));
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    for (const name of response.getHeaderNames()) {
      if (/^(etag|cache-control|content-)/.test(name)) response.removeHeader(name);
    }
    response.setHeader('Content-Security-Policy', NO_CONTENT);
    const body = JSON.stringify(
      error ? errorBody(error) : { error: { code: 500, message: 'The server failed to answer' } },
    );
    response.writeHead(error?.status ?? 500, {
      ...error?.headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}

/** Resolves to true if the handler responded, to false if it passed the request on. */
function served(handler: PublicHandler, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const answered = (): void => resolve(true);
    response.once('close', answered);
    handler(request, response, (error) => {
      response.off('close', answered);
      if (error === undefined || error === null) resolve(false);
      else
        reject(
          typeof error === 'object' ? (error as Error) : new DomainError('invalid', 'The request could not be served'),
        );
    });
  });
}

async function listenOn(listener: OpenListener, port: number, host: string): Promise<number> {
  try {
    return await listener.listen(port, host);
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new OperatorError(`Port ${port} is in use: choose another with PUBLIC_PORT.`, { cause: error });
  }
}
