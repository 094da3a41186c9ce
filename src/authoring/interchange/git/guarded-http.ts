import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { LongWork } from '../../../kernel/common/context.js';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import { OutboundError } from '../../../kernel/platform/outbound/outbound-error.js';
import type { Outbound } from '../../../kernel/platform/outbound/outbound.js';

const MAX_ANSWER_BYTES = 256 * 1024 ** 2;
const TIMEOUT_MS = 300_000;
const PIECE_BYTES = 64 * 1024;

export interface GitCredentials {
  readonly username: string;
  readonly password: string;
}

export interface GitHttpLimits {
  /** Maximum size of one response in bytes; a packfile is held in memory. */
  readonly maxBytes?: number;
  /** Milliseconds for the whole fetch. */
  readonly timeout?: number;
  /** False only in tests, whose server has no certificate. */
  readonly httpsOnly?: boolean;
  /** For a repository that is not public. */
  readonly credentials?: GitCredentials;
}

/**
 * The HTTP client of git: guarded requests, by https, without redirects and with no credentials but the caller's for
 * this server. One client serves one fetch, whose requests share the time limit.
 */
export function guardedGitHttp(
  outbound: Outbound,
  { maxBytes = MAX_ANSWER_BYTES, timeout = TIMEOUT_MS, httpsOnly = true, credentials }: GitHttpLimits = {},
): HttpClient {
  const signal = AbortSignal.timeout(timeout);
  return {
    request: async ({ url, method, headers, body }: GitHttpRequest): Promise<GitHttpResponse> => {
      const options = {
        method: method === 'POST' ? 'POST' : 'GET',
        headers: headers ?? {},
        redirects: 0,
        httpsOnly,
        maxBytes,
        timeout,
        signal,
        ...(credentials && { credentials }),
      } as const;
      // Reads the whole response at once: isomorphic-git loses the errors of a stream, and holds the packfile in memory
      // anyway.
      const answer = await outbound
        .fetch(url, { ...options, ...(body && { body: await collected(body) }) })
        .catch(refuse);
      if (answer.status >= 300 && answer.status < 400)
        throw invalid(
          'url',
          `the server redirects to ${answer.headers['location'] ?? 'another address'}: give the address of the repository itself`,
        );
      return {
        url: answer.url,
        statusCode: answer.status,
        statusMessage: answer.statusText,
        headers: { ...answer.headers },
        body: inPieces(answer.body),
      };
    },
  };
}

async function collected(body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

/** A body in pieces, since isomorphic-git copies what it is given at once, and takes it apart without a wait. */
export async function* inPieces(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  const work = new LongWork();
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await work.step();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error;
  throw error.problem === 'tooLarge'
    ? new DomainError('tooLarge', `The repository is too large: ${error.message}`)
    : invalid('url', error.message);
}
