import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { currentContext, type RequestContext } from '../../common/context.js';
import { redactUrl } from './redact.js';

export type HttpMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Logs each answered request in one line: who asked for what, and how it went. Bodies and headers never. */
export function accessLog(logger: Logger): HttpMiddleware {
  const contexts = new WeakMap<IncomingMessage, RequestContext>();
  const callerOf = (request: IncomingMessage) => {
    const context = contexts.get(request);
    return { ip: context?.ip ?? request.socket.remoteAddress, userId: context?.caller?.userId, tokenId: context?.caller?.tokenId };
  };
  const log = pinoHttp({
    logger,
    genReqId: () => currentContext()?.requestId ?? '',
    quietReqLogger: true,
    customAttributeKeys: { reqId: 'requestId', responseTime: 'milliseconds' },
    wrapSerializers: false,
    serializers: {
      req: (request: IncomingMessage) => ({
        method: request.method,
        url: redactUrl('originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '')),
        userAgent: request.headers['user-agent']?.slice(0, 200),
      }),
      res: (response: ServerResponse) => ({ status: response.statusCode, bytes: response.getHeader('content-length') }),
      err: () => undefined,
    },
    customLogLevel: (_, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: () => 'answered',
    customErrorMessage: () => 'failed',
    customSuccessObject: (request: IncomingMessage, response: ServerResponse, value: object) => ({ ...value, ...callerOf(request), res: response }),
    customErrorObject: (request: IncomingMessage, response: ServerResponse, _error: Error, value: object) => ({ ...value, ...callerOf(request), res: response, err: undefined }),
  });
  return (request, response, next) => {
    const context = currentContext();
    if (context) contexts.set(request, context);
    log(request, response, next);
  };
}
