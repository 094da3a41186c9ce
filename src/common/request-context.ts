import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { runInContext } from './context.js';

const REQUEST_ID = /^[\w.-]{8,100}$/;

/** Opens the context of a request and names the request: the caller's `X-Request-Id`, or a new one. */
export function requestContext(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('x-request-id');
  const requestId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', requestId);
  runInContext({ requestId, ip: request.ip, ifMatch: request.get('if-match') }, next);
}
