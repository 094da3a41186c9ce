import { createHash } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Page } from './page.js';
import { versionOf } from './versioned.js';

/**
 * JSON that is sent unchanged, with an ETag of its own: for immutable content that is stored as the bytes of the
 * response.
 */
export class Immutable {
  readonly bytes: Buffer;

  constructor(
    json: string | Buffer,
    readonly etag: string,
  ) {
    this.bytes = typeof json === 'string' ? Buffer.from(json) : json;
  }

  get json(): string {
    return this.bytes.toString();
  }
}

/**
 * Gives every success its final form: lists their envelope, objects with a row version their ETag, immutable content
 * its bytes; responds with 304 if the caller already has the current version.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    return next.handle().pipe(map((body: unknown) => finalForm(body, request, response)));
  }
}

/** The final form of a success, whose headers are set: JSON bytes, a value, or nothing where the caller has it already. */
export function finalForm(body: unknown, request: Request, response: Response): unknown {
  if (body === undefined || body === null) return undefined;
  response.setHeader('Vary', 'Authorization, Cookie, Origin, Accept-Encoding');
  if (body instanceof Immutable) return tagged(body.bytes, body.etag, request, response);
  const envelope = body instanceof Page ? listBody(body) : body;
  const location = (envelope as { urls?: { location?: string } }).urls?.location;
  if (response.statusCode === 201 && location !== undefined) response.setHeader('Location', location);
  const version = versionOf(envelope);
  response.setHeader('Cache-Control', cacheControl(request));
  if (version === undefined) return envelope;
  const bytes = Buffer.from(JSON.stringify(envelope));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return tagged(bytes, `"${version}.${hash}"`, request, response);
}

function tagged(bytes: Buffer, etag: string, request: Request, response: Response): Buffer | undefined {
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', cacheControl(request));
  if (request.method === 'GET' && matches(request.headers['if-none-match'], etag)) {
    response.status(304);
    return undefined;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  return bytes;
}

/** Only reads can be revalidated; other responses may contain a token or a key and must not be cached. */
function cacheControl({ method }: Request): string {
  return method === 'GET' || method === 'HEAD' ? 'private, no-cache' : 'no-store';
}

function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((item) => ['*', etag].includes(item.trim().replace(/^W\//, '')));
}

/** The body of an answer with one page of a list. */
export function listBody(page: Page<unknown>) {
  return {
    items: page.items,
    count: page.count,
    ...(page.next !== undefined && { next: { page: page.next } }),
    ...page.extra,
  };
}
