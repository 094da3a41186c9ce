import { Injectable } from '@nestjs/common';
import { OutboundError } from '../../kernel/platform/outbound/outbound-error.js';
import { Outbound, type OutboundAnswer } from '../../kernel/platform/outbound/outbound.js';
import type { FetchedDocument } from '../../formats/openapi/reading/read-specification.js';

/** Milliseconds for everything, including redirects and other documents. */
const TIME_LIMIT = 30_000;
const REDIRECTS = 3;
const ACCEPTED =
  'application/vnd.oai.openapi+json, application/vnd.oai.openapi, application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5';

/** Cache validators of the last response of an address. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface FetchedSource extends Validators {
  readonly text: string;
  /** The address that answered, after redirects. */
  readonly url: string;
}

/** The reason why a source could not be fetched; the message is for the person who gave its address. */
export class FetchFailure extends Error {
  constructor(
    readonly code: 'FETCH_TIMEOUT' | 'FETCH_ERROR',
    message: string,
  ) {
    super(message);
  }
}

/** Fetches one specification with all its documents, with limits of time and size for all of them together. */
@Injectable()
export class SourceFetcher {
  constructor(private readonly outbound: Outbound) {}

  begin(maxBytes: number, signal: AbortSignal): SourceFetch {
    return new SourceFetch(this.outbound, maxBytes, signal);
  }
}

export class SourceFetch {
  private left: number;
  private timeLeft = TIME_LIMIT;

  constructor(
    private readonly outbound: Outbound,
    private readonly maxBytes: number,
    private readonly signal: AbortSignal,
  ) {
    this.left = maxBytes;
  }

  /** The specification; null if it is unchanged compared with `known`. Throws `FetchFailure`. */
  async source(address: string, known: Validators): Promise<FetchedSource | null> {
    const asked = {
      ...(known.etag !== null && { 'If-None-Match': known.etag }),
      ...(known.lastModified !== null && { 'If-Modified-Since': known.lastModified }),
    };
    const answer = await this.get(address, asked);
    if (answer.status === 304 && Object.keys(asked).length > 0) return null;
    this.requireGiven(answer);
    return {
      text: textOf(answer.body),
      url: answer.url,
      etag: shortHeader(answer, 'etag'),
      lastModified: shortHeader(answer, 'last-modified'),
    };
  }

  /** The text of another document, or the reason why it is not available. */
  async document(address: string): Promise<FetchedDocument> {
    try {
      const answer = await this.get(address, {});
      this.requireGiven(answer);
      return { text: textOf(answer.body) };
    } catch (error) {
      if (!(error instanceof FetchFailure)) throw error;
      return { problem: error.message };
    }
  }

  private requireGiven({ status, statusText }: OutboundAnswer): void {
    if (status !== 200)
      throw new FetchFailure(
        'FETCH_ERROR',
        `the address answered with status ${status}${statusText === '' ? '' : ` (${statusText.slice(0, 100)})`}`,
      );
  }

  private async get(
    address: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<OutboundAnswer & { body: Buffer }> {
    const started = performance.now();
    try {
      if (this.timeLeft <= 0) throw new OutboundError('timeout', 'the address did not answer in time');
      const answer = await this.outbound.fetch(address, {
        headers: { Accept: ACCEPTED, ...headers },
        redirects: REDIRECTS,
        timeout: Math.ceil(this.timeLeft),
        maxBytes: Math.max(this.left, 1),
        signal: this.signal,
      });
      this.left -= answer.body.length;
      return answer;
    } catch (error) {
      this.signal.throwIfAborted();
      if (!(error instanceof OutboundError)) throw error;
      const message =
        error.problem === 'tooLarge'
          ? `it is larger than ${this.maxBytes} bytes`
          : error.problem === 'timeout'
            ? `the address did not answer within ${TIME_LIMIT / 1000} seconds`
            : error.message;
      throw new FetchFailure(error.problem === 'timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR', message);
    } finally {
      this.timeLeft -= performance.now() - started;
    }
  }
}

/** A validator of a response; one that is too long to be genuine is left out. */
function shortHeader({ headers }: OutboundAnswer, name: string): string | null {
  const value = headers[name];
  return value !== undefined && value.length <= 500 ? value : null;
}

function textOf(body: Buffer): string {
  const isUtf16 =
    body.length >= 2 && ((body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff));
  return new TextDecoder(isUtf16 ? (body[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(body);
}
