import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { currentContext, resumed } from '../common/context.js';
import { DomainError } from '../common/errors.js';
import { SessionCookie } from '../platform/http/session-cookie.js';
import { PUBLIC, type Resolved, type ResolvedRequest } from './access.decorators.js';
import { BearerStrategy } from './bearer.strategy.js';

const DEFAULT_CHALLENGE = 'Bearer realm="bindery"';

/** The functions that passport puts into a strategy before it runs. */
interface StrategyCallbacks {
  success: (resolved: Resolved) => void;
  fail: (challenge: unknown) => void;
  error: (error: Error) => void;
}

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
    const request = context.switchToHttp().getRequest<ResolvedRequest>();
    const resolved =
      request.headers.authorization === undefined ? await this.inSession(request) : await this.withToken(request);
    request.access = resolved;
    const ambient = currentContext();
    if (ambient && !resolved.reader) ambient.caller = resolved.caller;
    return true;
  }

  private async withToken(request: ResolvedRequest): Promise<Resolved> {
    const outcome = await authenticate(this.strategy, request);
    resumed();
    if ('challenge' in outcome) throw unauthenticated(outcome.challenge);
    return outcome.resolved;
  }

  private async inSession(request: ResolvedRequest): Promise<Resolved> {
    const secret = this.cookie.read(request);
    const resolved = secret === undefined ? undefined : await this.strategy.session(request, secret);
    resumed();
    if (!resolved) throw unauthenticated(DEFAULT_CHALLENGE);
    this.cookie.requireOwnRequest(request, resolved.caller.tokenId);
    return resolved;
  }
}

/**
 * Runs the strategy as passport does, without the middleware of passport, which prepares requests for sessions and for
 * several strategies. The callbacks belong to a strategy object of the request's own, derived from the application's.
 */
function authenticate(strategy: BearerStrategy, request: ResolvedRequest): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const own = Object.create(strategy) as BearerStrategy & StrategyCallbacks;
    own.success = (resolved: Resolved) => resolve({ resolved });
    own.fail = (challenge: unknown) =>
      resolve({ challenge: typeof challenge === 'string' ? challenge : DEFAULT_CHALLENGE });
    own.error = reject;
    own.authenticate(request);
  });
}

function unauthenticated(challenge: string): DomainError {
  return new DomainError('unauthenticated', 'A valid API token is required: Authorization: Bearer <API_TOKEN>', [], {
    'WWW-Authenticate': challenge,
  });
}
