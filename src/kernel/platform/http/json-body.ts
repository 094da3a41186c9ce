import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { resumed } from '../../common/context.js';
import { DomainError } from '../../common/errors.js';
import { CONFIG, type Config } from '../config/config.js';
import { codeOf } from '../operator-error.js';
import { FairQueue } from './fair-queue.middleware.js';
import { WorkerPool } from '../workers/worker-pool.js';
import { FAULT_OF_BODY, parsed } from './json-tasks.js';
import { bytesWithin, rawBody } from './raw-body.js';

/** Maximum size of the body of an operation without a token in bytes, after decompression. */
export const OPEN_BODY_LIMIT = 100 * 1024;

/** Larger bodies are parsed in a worker thread; in bytes. */
const LARGE_BODY = 64 * 1024;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;
/**
 * A body may decompress to a hundred times its size, and to a megabyte in any case. Texts that people write shrink to a
 * fifth, lists of equal records to a fiftieth; input that shrinks further was made to cost the receiver more than the
 * sender (deflate reaches 1,032).
 */
const MAX_RATIO = 100;
const RATIO_FREE_BYTES = 1024 ** 2;

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;
type Encoding = keyof typeof DECODERS;

/** Reads bodies of requests whose callers are already authenticated, or need not be. */
@Injectable()
export class RequestBodies {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'bodyLimit'>,
    private readonly queue: FairQueue,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Returns the value of a JSON body; undefined for an empty one. Throws `invalid`, `tooLarge` or
   * `unsupportedMediaType` for everything that is not well-formed JSON of at most `limit` bytes, after decompression,
   * and never more than `BODY_LIMIT`.
   */
  async json(request: Request, limit = this.config.bodyLimit): Promise<unknown> {
    const encoding = encodingOf(request);
    checkType(request.headers['content-type']);
    const most = Math.min(limit, this.config.bodyLimit);
    const bytes = await this.bytes(request, most, () => tooLarge(most));
    resumed();
    return this.parse(encoding === undefined ? bytes : await decoded(bytes, encoding, most));
  }

  /**
   * A large body is checked in a worker thread, so that only the parsing by the JavaScript engine is left to do here.
   */
  private async parse(bytes: Buffer): Promise<unknown> {
    if (bytes.length <= LARGE_BODY) return parsed(bytes);
    const fault = await this.workers.run(FAULT_OF_BODY, bytes);
    if (fault) throw new DomainError('invalid', fault.message, fault.details);
    return JSON.parse(bytes.toString('utf8'));
  }

  /**
   * Returns the bytes of a body as sent. The request holds no turn while they arrive. Throws the result of `tooLarge`
   * beyond `limit`.
   */
  async bytes(request: Request, limit: number, tooLarge: () => Error): Promise<Buffer> {
    if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
    const read = () => bytesWithin(rawBody(request), limit, tooLarge);
    try {
      // A small body has already arrived.
      return await (request.complete ? read() : this.queue.outside(read));
    } catch (error) {
      throw codeOf(error) === 'ECONNRESET' ? new DomainError('invalid', 'The body was cut off') : error;
    }
  }
}

export function hasBody({ headers }: Pick<Request, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function encodingOf(request: Request): Encoding | undefined {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return undefined;
  if (!isEncoding(encoding))
    throw new DomainError('unsupportedMediaType', 'The Content-Encoding must be gzip, deflate, br or identity', [], {
      'Accept-Encoding': 'gzip, deflate, br',
    });
  return encoding;
}

function isEncoding(encoding: string): encoding is Encoding {
  return Object.hasOwn(DECODERS, encoding);
}

/** Decompresses off the event loop, within limits. */
async function decoded(bytes: Buffer, encoding: Encoding, limit: number): Promise<Buffer> {
  const allowed = Math.max(RATIO_FREE_BYTES, MAX_RATIO * bytes.length);
  try {
    const plain = await DECODERS[encoding](bytes, { maxOutputLength: Math.min(limit, allowed) });
    resumed();
    return plain;
  } catch (error) {
    if (codeOf(error) !== 'ERR_BUFFER_TOO_LARGE')
      throw new DomainError('invalid', 'The body could not be read as its Content-Encoding says');
    throw allowed < limit
      ? new DomainError('tooLarge', `The body becomes more than ${MAX_RATIO} times as large as it was sent`)
      : tooLarge(limit);
  }
}

function checkType(header: string | undefined): void {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((each) => each.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (!JSON_TYPE.test(type)) throw new DomainError('unsupportedMediaType', 'The body must be application/json');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw new DomainError('unsupportedMediaType', 'The body must be in UTF-8');
}

function tooLarge(limit: number): DomainError {
  return new DomainError('tooLarge', `The body is larger than ${limit} bytes`);
}
