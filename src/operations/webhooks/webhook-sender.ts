import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { OutboundError } from '../../kernel/platform/outbound/outbound-error.js';
import { Outbound } from '../../kernel/platform/outbound/outbound.js';
import { SIGNATURE_HEADER, signatureOf } from './domain/signature.js';
import type { AttemptOutcome } from './domain/retry-decision.js';

const TIMEOUT = 10_000;
/** Maximum bytes of a response body that are read, and maximum characters of it that are stored. */
const READ_BYTES = 2048;
const EXCERPT_LENGTH = 500;

/** A due delivery, with the settings of its webhook. */
export interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly type: string;
  readonly body: string;
  readonly attempts: number;
  readonly url: string;
  readonly secret: Buffer;
  readonly previousSecret: Buffer | null;
}

/** The outcome of one attempt; `duration` in milliseconds. */
export interface Attempt {
  readonly delivery: DueDelivery;
  readonly at: Date;
  readonly duration: number;
  readonly answer: AttemptOutcome;
  readonly excerpt: string | null;
  readonly problem: string | null;
}

/** Sends signed events. */
@Injectable()
export class Sender {
  constructor(
    private readonly outbound: Outbound,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Sends one delivery once; every failure is part of its result. */
  async send(delivery: DueDelivery, signal: AbortSignal): Promise<Attempt> {
    const at = this.clock.now();
    const started = performance.now();
    const came = await this.exchange(delivery, at, signal);
    return { delivery, at, duration: Math.round(performance.now() - started), ...came };
  }

  private async exchange(
    delivery: DueDelivery,
    at: Date,
    signal: AbortSignal,
  ): Promise<Pick<Attempt, 'answer' | 'excerpt' | 'problem'>> {
    try {
      const { status, headers, body } = await this.outbound.open(delivery.url, {
        method: 'POST',
        headers: this.headersOf(delivery, at),
        body: Buffer.from(delivery.body),
        redirects: 0,
        httpsOnly: 'in-public',
        timeout: TIMEOUT,
        maxBytes: Number.MAX_SAFE_INTEGER,
        signal,
      });
      const excerpt = await beginningOf(body);
      const wrong = status >= 200 && status < 300 ? null : `the receiver answered ${status}`;
      return { answer: { kind: 'answered', status, retryAfter: headers['retry-after'] }, excerpt, problem: wrong };
    } catch (error) {
      const known =
        error instanceof OutboundError
          ? error
          : new OutboundError('failed', 'this server cannot read the secret with its keys', { cause: error });
      return { answer: { kind: 'silent', final: known.problem === 'refused' }, excerpt: null, problem: known.message };
    }
  }

  private headersOf({ id, type, body, secret, previousSecret }: DueDelivery, at: Date): Record<string, string> {
    const secrets = [secret, ...(previousSecret ? [previousSecret] : [])].map((sealed) => this.secrets.decrypt(sealed));
    return {
      'Content-Type': 'application/json',
      'Accept-Encoding': 'identity',
      [SIGNATURE_HEADER]: signatureOf(body, secrets, Math.floor(at.getTime() / 1000)),
      'X-Bindery-Event': type,
      'X-Bindery-Delivery': id,
    };
  }
}

/** The first characters of a body; a body that ends early or never does not matter, because the status has arrived. */
async function beginningOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= READ_BYTES) break;
    }
  } catch {
    // The text received until then is the excerpt.
  }
  const text = Buffer.concat(chunks).subarray(0, READ_BYTES).toString('utf8');
  return text.replaceAll('\0', '').slice(0, EXCERPT_LENGTH);
}
