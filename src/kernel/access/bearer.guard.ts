import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import passport from 'passport';
import { currentContext, resumed } from '../common/context.js';
import { DomainError } from '../common/errors.js';
import { PUBLIC, type Resolved, type ResolvedRequest } from './access.decorators.js';
import { BearerStrategy } from './bearer.strategy.js';

type Outcome = { resolved: Resolved } | { challenge: string };

/** Authenticates every request that is not public by the bearer token in its Authorization header (RFC 6750). */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: BearerStrategy,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()])) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<ResolvedRequest>();
    if (request.headers.authorization === undefined) throw unauthenticated('Bearer realm="bindery"');
    const outcome = await authenticate(this.strategy, request, http.getResponse());
    resumed();
    if ('challenge' in outcome) throw unauthenticated(outcome.challenge);
    request.access = outcome.resolved;
    const ambient = currentContext();
    if (ambient && !outcome.resolved.reader) ambient.caller = outcome.resolved.caller;
    return true;
  }
}

/**
 * Uses a strategy object of the request's own, derived from the application's: passport writes the callbacks into the
 * strategy object, and a look-up by name would find the strategy of the application that this process created last.
 */
function authenticate(strategy: BearerStrategy, request: ResolvedRequest, response: unknown): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const done = (
      error: Error | null | undefined,
      resolved?: Resolved | false,
      challenge?: string | (string | undefined)[],
    ) => {
      if (error) reject(error);
      else if (resolved) resolve({ resolved });
      else
        resolve({ challenge: [challenge].flat().find((text) => typeof text === 'string') ?? 'Bearer realm="bindery"' });
    };
    const run = passport.authenticate(Object.create(strategy) as BearerStrategy, { session: false }, done) as (
      request: unknown,
      response: unknown,
      next: (error: Error) => void,
    ) => void;
    run(request, response, reject);
  });
}

function unauthenticated(challenge: string): DomainError {
  return new DomainError('unauthenticated', 'A valid API token is required: Authorization: Bearer <API_TOKEN>', [], {
    'WWW-Authenticate': challenge,
  });
}
