import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { currentContext } from '../../common/context.js';
import { redactUrl } from './redact.js';

export type HttpMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const MAX_USER_AGENT_LENGTH = 200;

/**
 * Logs each request in one line once its response is sent or aborted: caller, target and outcome. Never bodies or
 * headers.
 */
export function accessLog(logger: Logger): HttpMiddleware {
  // Looking for fields to redact is a third of the cost of a line, and none of these fields is secret.
  const log = logger.child({}, { redact: [] });
  return (request, response, next) => {
    const started = performance.now();
    const context = currentContext();
    response.once('close', () => {
      const status = response.statusCode;
      const facts = {
        requestId: context?.requestId,
        req: {
          method: request.method,
          url: redactUrl(requestUrl(request)),
          userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH),
        },
        ip: context?.ip ?? request.socket.remoteAddress,
        userId: context?.caller?.userId,
        tokenId: context?.caller?.tokenId,
        res: { status, bytes: response.getHeader('content-length') },
        milliseconds: Math.round(performance.now() - started),
        cpuMilliseconds: Math.round((context?.cpuMilliseconds ?? 0) * 10) / 10,
      };
      if (status >= 500) log.error(facts, 'failed');
      else log.info(facts, response.writableFinished ? 'answered' : 'cut off');
    });
    next();
  };
}

/** The URL as requested: routers change `url` on the way. */
export function requestUrl(request: IncomingMessage): string {
  return 'originalUrl' in request && typeof request.originalUrl === 'string'
    ? request.originalUrl
    : (request.url ?? '');
}
