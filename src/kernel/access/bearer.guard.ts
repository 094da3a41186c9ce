import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import passport from 'passport';
import { currentContext, resumed } from '../common/context.js';
import { DomainError } from '../common/errors.js';
import { SessionCookie } from '../platform/http/session-cookie.js';
import { PUBLIC, type Resolved, type ResolvedRequest } from './access.decorators.js';
import { BearerStrategy } from './bearer.strategy.js';

type Outcome = { resolved: Resolved } | { challenge: string };

/**
 * Authenticates every request that is not public: by the bearer token in its Authorization header (RFC 6750), and
 * without one by the session of a browser.
 */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly strategy: BearerStrategy,
    private readonly cookie: SessionCookie,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()])) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<ResolvedRequest>();
    const resolved =
      request.headers.authorization === undefined
        ? await this.inSession(request)
        : await this.withToken(request, http.getResponse());
    request.access = resolved;
    const ambient = currentContext();
    if (ambient && !resolved.reader) ambient.caller = resolved.caller;
    return true;
  }

  private async withToken(request: ResolvedRequest, response: unknown): Promise<Resolved> {
    const outcome = await authenticate(this.strategy, request, response);
    resumed();
    if ('challenge' in outcome) throw unauthenticated(outcome.challenge);
    return outcome.resolved;
  }

  private async inSession(request: ResolvedRequest): Promise<Resolved> {
    const secret = this.cookie.read(request);
    const resolved = secret === undefined ? undefined : await this.strategy.session(request, secret);
    resumed();
    if (!resolved) throw unauthenticated('Bearer realm="bindery"');
    this.cookie.requireOwnRequest(request, resolved.caller.tokenId);
    return resolved;
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
