import { Inject, Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../common/clock.js';
import { currentContext, resumed, type RequestContext } from '../../common/context.js';
import { DomainError, notFound } from '../../common/errors.js';
import { hashSecret } from '../../common/secrets.js';
import { SessionCookie } from '../http/session-cookie.js';
import { CONFIG, type Config } from '../config/config.js';
import { Budgets, type Standing } from './budget.js';
import { CpuBudgets } from './cpu-budget.js';

/** Failed secrets per minute and address, as a fraction of the limit of requests without a token. */
const FAILURES_DIVISOR = 20;
/** Requests of readers that read a whole site, as a fraction of their usual limit. */
const HEAVY_DIVISOR = 20;
/** Requests for mail to one address per minute, whoever asks. */
const LETTERS_PER_MINUTE = 3;
const KNOWN_TOKENS = 50_000;
const KNOWN_MILLISECONDS = 10 * 60_000;

/**
 * Limits requests per token, and by address those without a token and those with one that is not yet known to be valid; addresses
 * that try wrong secrets are stopped much earlier. Every response shows the state of the budget.
 */
@Injectable()
export class RateLimit {
  /**
   * Hashes of tokens that this server has authenticated, with the organization that each was last used in, or the hash
   * again.
   */
  private readonly known = new LRUCache<string, string>({
    maxSize: KNOWN_TOKENS,
    sizeCalculation: () => 1,
    ttl: KNOWN_MILLISECONDS,
    updateAgeOnGet: true,
    // Else the cache sets a timer in each millisecond in which it is asked.
    ttlResolution: 1000,
  });

  constructor(
    private readonly budgets: Budgets,
    private readonly clock: Clock,
    private readonly cpuBudgets: CpuBudgets,
    private readonly cookie: SessionCookie,
    @Inject(CONFIG) private readonly config: Pick<Config, 'rateLimitPerMinute' | 'rateLimitAnonymousPerMinute'>,
  ) {}

  /** The middleware; it runs within the request context and before authentication. */
  handle(request: Request, response: Response, next: NextFunction): void {
    const context = currentContext();
    const bearer = tokenOf(request);
    const token = bearer ?? this.sessionOf(request);
    if (context) context.party = this.partyOf(token, context.ip);
    if (token !== undefined) this.learnFrom(response, token, context, bearer !== undefined);
    this.admit(token, context?.ip).then(
      (standing) => {
        resumed();
        if (standing) response.set(headersOf(standing));
        next(standing && !standing.allowed ? this.refusal(standing) : undefined);
      },
      (error: unknown) => next(error),
    );
  }

  /**
   * Charges one request of a reader of published sites that no cache answers, to budgets by address that are separate
   * from those of the API. Throws `tooManyRequests` if the budget or the processor time is exhausted.
   */
  async admitReader(ip: string | undefined, work: 'usual' | 'heavy' = 'usual'): Promise<void> {
    const limit = this.config.rateLimitAnonymousPerMinute;
    const address = addressGroup(ip);
    const refusal = this.cpuBudgets.refusalOf(address);
    if (refusal) throw refusal;
    if (limit === 0) return;
    const standing =
      work === 'usual'
        ? await this.budgets.spend(`reader:${address}`, limit)
        : await this.budgets.spend(`reader-heavy:${address}`, Math.ceil(limit / HEAVY_DIVISOR));
    if (!standing.allowed) throw this.refusal(standing);
  }

  /** Charges a wrong secret of any kind (share key, invitation) to an address. */
  failedSecret(ip: string | undefined): void {
    this.countFailure(addressGroup(ip));
  }

  /** Throws `tooManyRequests` if an address has tried too many wrong secrets in this minute. */
  checkSecretAttempts(ip: string | undefined): void {
    const standing = this.failures(addressGroup(ip));
    if (standing && !standing.allowed) throw this.refusal(standing);
  }

  /**
   * Runs an attempt with a secret. Throws `notFound` where it gives nothing, which counts against the address, and
   * `tooManyRequests` after many such.
   */
  async guardSecret<T>(name: string, attempt: () => Promise<T | undefined>): Promise<T> {
    const ip = currentContext()?.ip;
    this.checkSecretAttempts(ip);
    const result = await attempt();
    if (result !== undefined) return result;
    this.failedSecret(ip);
    throw notFound(name);
  }

  /**
   * Charges a request that sends mail to an address, which is limited more strictly than others. Throws
   * `tooManyRequests` if there were too many in this minute.
   */
  async admitMail(ip: string | undefined, email: string): Promise<void> {
    const recipient = `mail-to:${hashSecret(email.toLowerCase()).toString('base64url')}`;
    const standings = [
      ...(this.failureLimit > 0 ? [await this.budgets.spend(`mail-by:${addressGroup(ip)}`, this.failureLimit)] : []),
      await this.budgets.spend(recipient, LETTERS_PER_MINUTE),
    ];
    const exhausted = standings.find(({ allowed }) => !allowed);
    if (exhausted) throw this.refusal(exhausted);
  }

  /**
   * A token has a budget of its own from its first request on. Until it is known to be valid, the address that shows it pays as
   * well: a caller can invent any number of them.
   */
  private async admit(token: string | undefined, ip: string | undefined): Promise<Standing | undefined> {
    const { rateLimitPerMinute, rateLimitAnonymousPerMinute } = this.config;
    const address = addressGroup(ip);
    if (token === undefined)
      return rateLimitAnonymousPerMinute > 0
        ? this.budgets.spend(`address:${address}`, rateLimitAnonymousPerMinute)
        : undefined;
    if (!this.known.has(token)) {
      const failures = this.failures(address);
      if (failures && !failures.allowed) return failures;
      const unproven =
        rateLimitAnonymousPerMinute > 0
          ? await this.budgets.spend(`unproven:${address}`, rateLimitAnonymousPerMinute)
          : undefined;
      if (unproven && !unproven.allowed) return unproven;
    }
    return rateLimitPerMinute > 0 ? this.budgets.spend(`token:${token}`, rateLimitPerMinute) : undefined;
  }

  private countFailure(address: string): void {
    if (this.failureLimit > 0) this.budgets.charge(`failed:${address}`, this.failureLimit);
  }

  private failures(address: string): Standing | undefined {
    return this.failureLimit > 0 ? this.budgets.look(`failed:${address}`, this.failureLimit) : undefined;
  }

  private get failureLimit(): number {
    return Math.ceil(this.config.rateLimitAnonymousPerMinute / FAILURES_DIVISOR);
  }

  /** Tokens that are not known to be valid count with their address: a caller can invent any number of them. */
  private partyOf(token: string | undefined, ip: string | undefined): NonNullable<RequestContext['party']> {
    const name = token === undefined ? undefined : this.known.get(token);
    if (name === undefined) return { name: addressGroup(ip), isOrganization: false };
    return { name, isOrganization: name !== token };
  }

  /**
   * Learns from the status of the response whether the token is valid. The cookies of sessions are signed: one that is
   * over was never guessed.
   */
  private learnFrom(
    response: Response,
    token: string,
    context: RequestContext | undefined,
    isGuessable: boolean,
  ): void {
    response.once('finish', () => {
      if (context?.caller) this.learn(token, context.organizationId);
      else if (response.statusCode === 401) {
        this.known.delete(token);
        if (isGuessable) this.countFailure(addressGroup(context?.ip));
      }
    });
  }

  private learn(token: string, organizationId: string | undefined): void {
    const known = this.known.peek(token);
    const name = organizationId ?? known ?? token;
    if (name !== known) this.known.set(token, name);
  }

  /** The hash of the session of a request. Cookies that this service has not signed count for nothing. */
  private sessionOf(request: Request): string | undefined {
    if (request.headers.authorization !== undefined) return undefined;
    const secret = this.cookie.read(request);
    return secret === undefined ? undefined : hashSecret(secret).toString('base64url');
  }

  private refusal(standing: Standing): DomainError {
    const seconds = Math.max(1, standing.reset - Math.floor(this.clock.now().getTime() / 1000));
    return new DomainError('tooManyRequests', `Too many requests: at most ${standing.limit} per minute`, [], {
      'Retry-After': String(seconds),
    });
  }
}

function headersOf(standing: Standing): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(standing.limit),
    'X-RateLimit-Remaining': String(standing.allowed ? standing.remaining : 0),
    'X-RateLimit-Reset': String(standing.reset),
  };
}

/** The hash of the bearer token of a request, if it has one. */
function tokenOf(request: Request): string | undefined {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization?.trim() ?? '')?.[1];
  return token === undefined ? undefined : hashSecret(token).toString('base64url');
}

/** The group that shares a budget: one IPv4 address, or the IPv6 network of 64 bits that one customer has. */
export function addressGroup(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}
