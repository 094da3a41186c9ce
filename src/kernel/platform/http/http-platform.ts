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
 * interceptor reads bodies later. Must be called once on a new application made with `bodyParser: false`, after the
 * request context is set up.
 */
export function applyHttpPlatform(app: NestExpressApplication, config: Config): void {
  app.get(Listeners).add(app.getHttpServer());
  app.disable('x-powered-by');
  const metrics = app.get(Metrics);
  const operator = app.get(OperatorEndpoints);
  const rateLimit = app.get(RateLimit);
  const queue = app.get(FairQueue);
  app.use(followed(app.get(EventLoopMonitor)));
  app.use(accessLog(app.get<Logger>(LOG)));
  app.use(metrics.observe.bind(metrics));
  app.use(securityHeaders(config));
  // Before CORS: endpoints for this machine are not for pages in a browser on it.
  app.use(operator.handle.bind(operator));
  app.enableCors({
    origin: config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    // OPTIONS continues, to be answered with the methods of the path.
    preflightContinue: true,
  });
  app.use(rateLimit.handle.bind(rateLimit));
  app.use(checkRequestUrl);
  app.use(compressed());
  app.use(queue.handle.bind(queue));
  handleUnrouted(app);
}

function securityHeaders(config: Config): RequestHandler {
  return helmet({
    // Without https the directive would break every page; with https the proxy in front redirects.
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: config.apiUrl?.startsWith('https:') === true ? { includeSubDomains: false } : false,
  });
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
