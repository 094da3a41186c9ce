import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DomainError } from '../../common/errors.js';
import { faultOf, nameFaultOf, sizeFaultOf } from './json-checks.js';
import { bytesWithin } from './raw-body.js';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;
/** How long, in milliseconds, the rest of a refused body is read, so that the caller sees the answer. */
const DRAIN_MILLISECONDS = 3000;

const DECODERS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;

export interface JsonBodyOptions {
  /** Bytes, after decompression. */
  readonly limit: number;
  /** Requests whose body their handler reads by itself. */
  readonly skip?: (request: Request) => boolean;
}

/**
 * Reads the body of a request into `request.body`, which stays undefined without one. Everything
 * that is not well-formed JSON within the limits is refused: 400, 413 or 415.
 */
export function jsonBody(options: JsonBodyOptions): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!hasBody(request) || ['GET', 'HEAD', 'OPTIONS'].includes(request.method) || options.skip?.(request)) {
      next();
      return;
    }
    read(request, options.limit).then(
      (body) => {
        request.body = body;
        next();
      },
      (error: unknown) => drain(request, () => next(error)),
    );
  };
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

async function read(request: Request, limit: number): Promise<unknown> {
  const stream = decoded(request);
  checkType(request.headers['content-type']);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  // The request itself must stay open when reading ends early: the answer goes over its connection.
  const body = stream.iterator({ destroyOnReturn: stream !== (request as Readable) }) as AsyncIterable<Buffer>;
  const bytes = await bytesWithin(body, limit, () => tooLarge(limit)).catch((error: unknown) => {
    throw error instanceof DomainError ? error : new DomainError('invalid', 'The body could not be read as its Content-Encoding says');
  });
  return parse(bytes);
}

function decoded(request: Request): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return request;
  if (!isDecoder(encoding)) throw new DomainError('unsupportedMediaType', 'The Content-Encoding must be gzip, deflate, br or identity', [], { 'Accept-Encoding': 'gzip, deflate, br' });
  const decoder = DECODERS[encoding]();
  request.on('aborted', () => decoder.destroy());
  return request.pipe(decoder);
}

function isDecoder(encoding: string): encoding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, encoding);
}

function checkType(header: string | undefined): void {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith('charset='))?.slice('charset='.length).replaceAll('"', '');
  if (!JSON_TYPE.test(type)) throw new DomainError('unsupportedMediaType', 'The body must be application/json');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') throw new DomainError('unsupportedMediaType', 'The body must be in UTF-8');
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const tooMuch = sizeFaultOf(bytes);
  if (tooMuch !== undefined) throw new DomainError('invalid', tooMuch);
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new DomainError('invalid', 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null) throw new DomainError('invalid', 'The body must be a JSON object or array');
  const fault = nameFaultOf(text) ?? faultOf(value);
  if (fault) throw fault;
  return value;
}

function tooLarge(limit: number): DomainError {
  return new DomainError('tooLarge', `The body is larger than ${limit} bytes`, [], { Connection: 'close' });
}

/** Reads what is left of the body for a short while, then goes on: many clients do not read an answer while they send. */
function drain(request: Request, then: () => void): void {
  request.unpipe();
  if (request.readableEnded || request.destroyed) {
    then();
    return;
  }
  let done = false;
  const finish = (): void => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    then();
  };
  const timer = setTimeout(finish, DRAIN_MILLISECONDS);
  request.once('end', finish).once('close', finish).resume();
}
