import type { NestExpressApplication } from '@nestjs/platform-express';
import compression from 'compression';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { RateLimit } from '../rate-limit/rate-limit.js';
import { accessLog } from '../telemetry/access-log.js';
import { LOG } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { OperatorEndpoints } from '../telemetry/operator-endpoints.js';
import { jsonBody } from './json-body.js';
import { Listeners } from './listeners.js';
import { checkAddress } from './request-address.js';
import { Turns } from './turns.js';
import { refuseWrongMethod } from './wrong-method.js';

const EXPOSED_HEADERS = ['ETag', 'Retry-After', 'X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Idempotency-Replayed', 'Location'];

export interface HttpPlatformOptions {
  /** Requests whose body their handler reads by itself. */
  readonly rawBody?: (request: Request) => boolean;
}

/**
 * Everything that happens to a request before its handler, and to requests that have none. To be
 * called once on a new application made with `bodyParser: false`, after the request context is set up.
 */
export function applyHttpPlatform(app: NestExpressApplication, config: Config, { rawBody }: HttpPlatformOptions = {}): void {
  app.get(Listeners).add(app.getHttpServer());
  app.disable('x-powered-by');
  const metrics = app.get(Metrics);
  const operator = app.get(OperatorEndpoints);
  const rateLimit = app.get(RateLimit);
  app.use(accessLog(app.get<Logger>(LOG)));
  app.use(metrics.observe.bind(metrics));
  app.use(securityHeaders(config));
  // Before CORS: what is for this machine is not for pages that a browser on it shows.
  app.use(operator.handle.bind(operator));
  app.enableCors({
    origin: config.corsOrigins.includes('*') ? '*' : [...config.corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    // OPTIONS goes on to be answered with what the path allows.
    preflightContinue: true,
  });
  app.use(rateLimit.handle.bind(rateLimit));
  app.use(checkAddress);
  app.use(compressed());
  app.use(jsonBody({ limit: config.bodyLimit, ...(rawBody && { skip: rawBody }) }));
  app.use(takeTurns(app.get(Turns), rawBody));
  handleUnrouted(app);
}

function securityHeaders(config: Config): RequestHandler {
  return helmet({
    // Without https the directive would break every page; with it the proxy in front redirects.
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: config.apiUrl?.startsWith('https:') === true ? { includeSubDomains: false } : false,
  });
}

/** Compresses for those who take it; the others need not pay for being asked. */
function compressed(): RequestHandler {
  const compress = compression();
  return (request, response, next) => (request.headers['accept-encoding'] === undefined ? next() : compress(request, response, next));
}

/** A body that the handler reads may take as long as its sender likes. */
function takeTurns(turns: Turns, rawBody: HttpPlatformOptions['rawBody']): RequestHandler {
  return (request, response, next) => (rawBody?.(request) ? next() : turns.handle(request, response, next));
}

/** Takes care that what no route took is answered in the one error shape, also outside of the global prefix. */
function handleUnrouted(app: NestExpressApplication): void {
  app.getHttpAdapter().setNotFoundHandler = (notFound: RequestHandler) => {
    app.use(refuseWrongMethod);
    app.use(notFound);
  };
}
