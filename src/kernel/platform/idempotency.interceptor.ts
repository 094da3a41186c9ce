import { createHash } from 'node:crypto';
import { Injectable, SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { Clock } from '../common/clock.js';
import { currentContext, type Caller } from '../common/context.js';
import { Database } from '../common/database.js';
import { DomainError, invalid } from '../common/errors.js';
import { isId } from '../common/ids.js';
import { Secrets } from '../common/secrets.js';

export const IDEMPOTENCY_HOURS = 24;
const MAX_KEY_LENGTH = 255;
const SHOWS_SECRET = Symbol('shows a secret');
/** Headers that are stored with the body of the response. */
const KEPT_HEADERS = ['content-type', 'etag', 'location'] as const;

/** Marks operations whose response contains a secret: it is never stored, and a repeat with the same key is refused. */
export const ShowsSecret = () => SetMetadata(SHOWS_SECRET, true);

/** The unique key of table idempotency, in the order of its primary key. */
type Identity = readonly [userId: string, organizationId: string, method: string, path: string, key: string];

interface StoredRow {
  readonly requestHash: Buffer;
  readonly status: number;
  readonly response: Buffer | null;
  readonly createdId: string | null;
  readonly createdAt: Date;
}

/** Another request with the key was completed after this one arrived. */
class AnsweredMeanwhile extends Error {
  constructor(readonly stored: StoredRow) {
    super('a request with this Idempotency-Key was answered meanwhile');
  }
}

interface StoredAnswer {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes POST with an `Idempotency-Key` safe to repeat: the response is stored in the transaction of the change and sent
 * again for 24 hours. Errors are not stored. It must be the outermost interceptor, so that it sees responses in their
 * final form.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const key = request.get('idempotency-key');
    const caller = currentContext()?.caller;
    if (request.method !== 'POST' || key === undefined || !caller) return next.handle();
    if (key === '' || key.length > MAX_KEY_LENGTH)
      throw invalid('Idempotency-Key', `must have 1 to ${MAX_KEY_LENGTH} characters`);
    const secret =
      this.reflector.getAllAndOverride<boolean | undefined>(SHOWS_SECRET, [context.getHandler(), context.getClass()]) ??
      false;
    return from(this.answer(identityOf(request, caller, key), request, http.getResponse<Response>(), secret, next));
  }

  /**
   * Returns the stored response, or that of the handler. Work of the handler before its first transaction runs outside
   * of one.
   */
  private async answer(
    identity: Identity,
    request: Request,
    response: Response,
    secret: boolean,
    next: CallHandler,
  ): Promise<unknown> {
    const requestHash = hashOf(request);
    const before = await this.find(identity);
    if (before) return this.repeat(before, requestHash, response);
    try {
      return await this.database.deferredTransaction(
        () => this.claim(identity),
        () => lastValueFrom<unknown, unknown>(next.handle(), { defaultValue: undefined }),
        (body) => this.store(identity, requestHash, response, Buffer.isBuffer(body) ? body.toString() : body, secret),
      );
    } catch (error) {
      if (error instanceof AnsweredMeanwhile) return this.repeat(error.stored, requestHash, response);
      throw error;
    }
  }

  /**
   * Claims the key for the transaction, until its end. Throws `AnsweredMeanwhile`, or `conflict` while another request
   * works with the key.
   */
  private async claim(identity: Identity): Promise<void> {
    await this.lock(identity);
    const stored = await this.find(identity);
    if (stored) throw new AnsweredMeanwhile(stored);
  }

  /** Held until the end of the transaction; a second request with the key does not wait but gets a conflict. */
  private async lock(identity: Identity): Promise<void> {
    const row = await this.database.one<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
      [`idempotency ${JSON.stringify(identity)}`],
    );
    if (!row?.locked)
      throw new DomainError('conflict', 'A request with this Idempotency-Key is being worked on', [], {
        'Retry-After': '1',
      });
  }

  private async find(identity: Identity): Promise<StoredRow | undefined> {
    const row = await this.database.one<StoredRow & Record<string, unknown>>(
      `SELECT request_hash AS "requestHash", status, response, created_id AS "createdId", created_at AS "createdAt" FROM idempotency
        WHERE user_id = $1 AND organization_id = $2 AND method = $3 AND path = $4 AND key = $5`,
      identity,
    );
    const age = row && this.clock.now().getTime() - row.createdAt.getTime();
    return age !== undefined && age < IDEMPOTENCY_HOURS * 3600 * 1000 ? row : undefined;
  }

  private repeat(stored: StoredRow, requestHash: Buffer, response: Response): unknown {
    if (!stored.requestHash.equals(requestHash))
      throw new DomainError('unprocessable', 'This Idempotency-Key was used with another request');
    const plain = stored.response === null ? undefined : this.secrets.tryDecrypt(stored.response);
    if (plain === undefined) {
      const made = stored.createdId === null ? '' : ` and made ${stored.createdId}`;
      const why =
        stored.response === null
          ? 'its answer held a secret and'
          : 'its answer was encrypted with a key that is gone and';
      throw new DomainError(
        'conflict',
        `The request with this Idempotency-Key was answered with ${stored.status}${made}; ${why} cannot be shown again`,
      );
    }
    const answer = JSON.parse(plain) as StoredAnswer;
    response.status(stored.status).set({ ...answer.headers, 'Idempotency-Replayed': 'true' });
    return answer.body;
  }

  private async store(
    identity: Identity,
    requestHash: Buffer,
    response: Response,
    body: unknown,
    secret: boolean,
  ): Promise<void> {
    const headers = Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => (response.hasHeader(name) ? [[name, String(response.getHeader(name))]] : [])),
    );
    const sealed = secret ? null : this.secrets.encrypt(JSON.stringify({ body, headers } satisfies StoredAnswer));
    await this.database.execute(
      `INSERT INTO idempotency (user_id, organization_id, method, path, key, request_hash, status, response, created_id, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (user_id, organization_id, method, path, key) DO UPDATE SET request_hash = excluded.request_hash, status = excluded.status,
         response = excluded.response, created_id = excluded.created_id, created_at = excluded.created_at`,
      [...identity, requestHash, response.statusCode, sealed, idOf(body), this.clock.now()],
    );
  }
}

function identityOf(request: Request, caller: Caller, key: string): Identity {
  return [caller.userId, caller.organizationId ?? '', request.method, request.path.replace(/\/+$/, ''), key];
}

/** Two requests are the same when query and body are. */
function hashOf(request: Request): Buffer {
  const query = request.originalUrl.split('?')[1] ?? '';
  return createHash('sha256')
    .update(JSON.stringify([query, request.body ?? null]))
    .digest();
}

/**
 * The id in a response, which the envelope may already have serialized; not the secret that invite links have instead.
 */
function idOf(body: unknown): string | null {
  const text = typeof body === 'string' ? /"id":"(\w+)"/.exec(body)?.[1] : undefined;
  const id: unknown = typeof body === 'object' && body !== null && 'id' in body ? body.id : text;
  return isId(id) ? id : null;
}
