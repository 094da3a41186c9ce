import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { asksForNoChange, runInContext } from './context.js';
import { prefersStrict } from './unknown-input.js';

const REQUEST_ID = /^[\w.-]{8,100}$/;
const MAX_USER_AGENT_LENGTH = 200;

/** Opens the context of a request and sets its request id: the caller's `X-Request-Id`, or a new one. */
export function requestContext(clientOf: (request: Request) => string | undefined) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.get('x-request-id');
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', requestId);
    runInContext(
      {
        requestId,
        ip: clientOf(request),
        ifMatch: request.get('if-match'),
        isStrict: prefersStrict(request.get('prefer')),
        readsOnly: asksForNoChange(request),
        userAgent: request.get('user-agent')?.slice(0, MAX_USER_AGENT_LENGTH),
      },
      next,
    );
  };
}
