import { setTimeout as pause } from 'node:timers/promises';
import { propertyOf } from '../../../kernel/common/property-of.js';
import { withoutSecrets } from '../../../kernel/common/secrets.js';
import { OutboundError } from '../../../kernel/platform/outbound/outbound-error.js';
import type { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import { EngineError, requireRunning } from './engine-error.js';

/** Statuses that ask the client to retry later. */
const LATER = new Set([429, 500, 502, 503, 504, 529]);
const MOST_ATTEMPTS = 5;
/** Maximum number of timeouts: a request that timed out once mostly does so again. */
const MOST_TIMEOUTS = 2;
/** Seconds: a service that asks for a longer pause counts as busy. */
const LONGEST_PAUSE = 120;
const MAX_ANSWER_BYTES = 20 * 1024 ** 2;
const MOST_WORDS = 200;

/** The connection of a service; the times are for tests. */
export interface HttpEngineSettings {
  /** Its display name, at the beginning of messages. */
  readonly title: string;
  readonly base: string;
  readonly authorization?: string;
  /** A key that is not sent as a header. No message shows it, nor the authorization. */
  readonly key?: string;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Milliseconds of the first pause; each further one is twice as long. */
  readonly firstPause?: number;
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Tells whether a retry is useless after a response, whatever its status. */
  readonly isFinal?: (answer: HttpAnswer) => boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** The JSON of the body; undefined if it is not JSON. */
  readonly body: unknown;
}

/** Requests to a service that the operator has configured, with retries. */
export class EngineHttp {
  constructor(
    private readonly outbound: Outbound,
    private readonly settings: HttpEngineSettings,
  ) {}

  /**
   * Returns a response of any status other than overload. Throws `EngineError` if there is none after several attempts.
   */
  async ask(path: string, request: HttpRequest = {}): Promise<HttpAnswer> {
    let timeouts = 0;
    for (let attempt = 1; ; attempt++) {
      const { signal } = request;
      if (signal) requireRunning(signal);
      const result = await this.attempt(path, request);
      if (!('fault' in result)) return result;
      timeouts += result.fault.code === 'timeout' ? 1 : 0;
      if (
        attempt >= MOST_ATTEMPTS ||
        timeouts >= MOST_TIMEOUTS ||
        !result.fault.temporary ||
        result.wait > LONGEST_PAUSE * 1000
      )
        throw result.fault;
      const doubled = (this.settings.firstPause ?? 1000) * 2 ** (attempt - 1);
      // Randomized, so that not all servers retry at the same moment.
      await pause(Math.max(result.wait, doubled * (1 + Math.random() / 4)), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  /** The meaning of a response without a translation, in words for people. */
  fault({ status, body }: HttpAnswer): EngineError {
    const { title, authorization, key } = this.settings;
    if (status === 401 || status === 403)
      return new EngineError(
        'refused',
        `${title} refuses the requests of this server (${status}): its operator has to check the key`,
      );
    if (status === 456)
      return new EngineError('quota', `The quota of ${title} is used up (456): it has to be raised or renewed`);
    if (status >= 200 && status < 300) return new EngineError('malformed', `${title} has given an invalid answer`);
    const words = withoutSecrets(serviceErrorMessage(body), key, authorization?.replace(/^\S+ /, '')).slice(
      0,
      MOST_WORDS,
    );
    return new EngineError('invalid', `${title} does not accept the request (${status})${words && `: ${words}`}`);
  }

  private async attempt(
    path: string,
    { method = 'POST', body, signal, isFinal }: HttpRequest,
  ): Promise<HttpAnswer | { fault: EngineError; wait: number }> {
    const { title, base, authorization, timeout } = this.settings;
    try {
      const {
        status,
        headers,
        body: bytes,
      } = await this.outbound.fetch(`${base}${path}`, {
        method,
        headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(authorization !== undefined && { credentials: { authorization } }),
        ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
        ...(signal && { signal }),
        setByOperator: true,
        timeout,
        maxBytes: MAX_ANSWER_BYTES,
      });
      const answer = { status, body: parsed(bytes) };
      if (!LATER.has(status) || isFinal?.(answer)) return answer;
      const fault =
        status === 429 || status === 529
          ? new EngineError('busy', `${title} asks for fewer requests (${status})`)
          : new EngineError('unavailable', `${title} has an internal error (${status})`);
      return { fault, wait: patienceOf(headers['retry-after']) };
    } catch (error) {
      if (signal) requireRunning(signal);
      if (!(error instanceof OutboundError)) throw error;
      const code = error.problem === 'timeout' ? 'timeout' : error.problem === 'refused' ? 'invalid' : 'unavailable';
      return {
        fault: new EngineError(code, `${title} cannot be reached: ${error.message}`, { cause: error }),
        wait: 0,
      };
    }
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Milliseconds of a `Retry-After` in seconds or as a date. */
function patienceOf(header: string | undefined): number {
  if (header === undefined) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0;
}

/** The error text of a service: `{error}`, `{message}` or `{error: {message}}`. */
export function serviceErrorMessage(body: unknown): string {
  const error = propertyOf(body, 'error');
  const words = [error, propertyOf(error, 'message'), propertyOf(body, 'message'), propertyOf(body, 'detail')].find(
    (each) => typeof each === 'string',
  );
  return typeof words === 'string' ? words : '';
}
