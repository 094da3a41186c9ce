import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { currentContext } from '../../common/context.js';
import { IGNORED_HEADER } from '../../common/unknown-input.js';
import type { Config } from '../config/config.js';
import { RateLimit } from '../rate-limit/rate-limit.js';
import { accessLog } from '../telemetry/access-log.middleware.js';
import { LOG } from '../telemetry/logger.js';
import { EventLoopMonitor } from '../telemetry/event-loop-monitor.js';
import { Metrics } from '../telemetry/metrics.js';
import { OperatorEndpoints } from '../telemetry/operator-endpoints.js';
import { FairQueue } from './fair-queue.middleware.js';
import { Listeners } from './listeners.js';
import { checkRequestUrl } from './check-request-url.middleware.js';
import { methodNotAllowed } from './method-not-allowed.middleware.js';

const EXPOSED_HEADERS = [
  'ETag',
  'Retry-After',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Idempotency-Replayed',
  'Location',
  'Preference-Applied',
  IGNORED_HEADER,
];

/**
 * Sets up everything that happens to a request before its caller is known, and to requests without a handler. An
 * interceptor reads bodies later. `opening` sets up the context of a request, and `endpoints` serve what is not of the
 * API. Must be called once on a new application made with `bodyParser: false`.
 */
export function applyHttpPlatform(
  app: NestExpressApplication,
  config: Config,
  opening: RequestHandler,
  endpoints: readonly RequestHandler[],
): void {
  app.get(Listeners).add(app.getHttpServer());
  app.disable('x-powered-by');
  const metrics = app.get(Metrics);
  const operator = app.get(OperatorEndpoints);
  const rateLimit = app.get(RateLimit);
  const queue = app.get(FairQueue);
  app.use(
    inTurn([
      opening,
      followed(app.get(EventLoopMonitor)),
      accessLog(app.get<Logger>(LOG)),
      metrics.observe.bind(metrics),
      securityHeaders(config),
      // Before CORS: endpoints for this machine are not for pages in a browser on it.
      operator.handle.bind(operator),
    ]),
  );
  app.enableCors({
    origin: config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    // OPTIONS continues, to be answered with the methods of the path.
    preflightContinue: true,
  });
  app.use(
    inTurn([rateLimit.handle.bind(rateLimit), checkRequestUrl, compressed(), queue.handle.bind(queue), ...endpoints]),
  );
  handleUnrouted(app);
}

/** Runs handlers one after another as the router of Express does, which costs ten times as much for each. */
function inTurn(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    const begin = (index: number): void => {
      const handler = handlers[index];
      if (handler === undefined) return next();
      try {
        void handler(request, response, (error?: unknown) => (error ? next(error) : begin(index + 1)));
      } catch (error) {
        next(error);
      }
    };
    begin(0);
  };
}

/** The headers are the same for every answer, so that they are made once. */
function securityHeaders(config: Config): RequestHandler {
  const headers = new Map<string, string>();
  const make = helmet({
    // Without https the directive would break every page; with https the proxy in front redirects.
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: config.apiUrl?.startsWith('https:') === true ? { includeSubDomains: false } : false,
    xPoweredBy: false,
  });
  const recorder = { setHeader: (name: string, value: string) => headers.set(name, value) };
  make({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Compresses responses for clients that accept it, without cost for the others. */
function compressed(): RequestHandler {
  const compress = compression();
  return (request, response, next) =>
    request.headers['accept-encoding'] === undefined ? next() : compress(request, response, next);
}

function followed(watch: EventLoopMonitor): RequestHandler {
  return (request, response, next) => {
    const context = currentContext();
    if (context) watch.follow(request, response, context);
    next();
  };
}

/** Responds to requests without a route in the common error shape, also outside of the global prefix. */
function handleUnrouted(app: NestExpressApplication): void {
  app.getHttpAdapter().setNotFoundHandler = (notFound: RequestHandler) => {
    app.use(methodNotAllowed);
    app.use(notFound);
  };
}
