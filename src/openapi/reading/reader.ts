import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { Unreadable, unreadable } from '../domain/problem.js';
import type { FetchedDocument, FromThread, Order, ToThread } from './messages.js';
import type { ReadSpecification } from './read.js';

/** Milliseconds for one specification, without what it waits for. */
const TIME_LIMIT = 60_000;
const MEMORY_LIMIT_MB = 768;
/** The same folder has the thread, as source or compiled as this file is. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

export interface Reading extends Order {
  readonly fetch: (address: string) => Promise<FetchedDocument>;
  readonly signal: AbortSignal;
}

/** Reads specifications beside the event loop, one after the other: each takes a processor for itself. */
@Injectable()
export class SpecificationReader {
  private last: Promise<unknown> = Promise.resolve();

  /** What a text in JSON or YAML says, as OpenAPI 3. Throws `Unreadable`. */
  read(reading: Reading): Promise<ReadSpecification> {
    const turn = this.last.then(() => inThread(reading));
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

async function inThread({ fetch, signal, ...order }: Reading): Promise<ReadSpecification> {
  signal.throwIfAborted();
  const worker = new Worker(THREAD, { workerData: order satisfies Order, resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: 64 } });
  let limit: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ReadSpecification>((resolve, reject) => {
      limit = setTimeout(() => reject(unreadable('too-large', `it takes longer than ${TIME_LIMIT / 1000} seconds to read`)), TIME_LIMIT);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.on('message', (message: FromThread) => {
        if (message.kind === 'read') resolve(message.specification);
        else if (message.kind === 'unreadable') reject(new Unreadable(message.problems));
        else fetch(message.address).then((document) => worker.postMessage({ address: message.address, document } satisfies ToThread), reject);
      });
      worker.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? unreadable('too-large', `it takes more than ${MEMORY_LIMIT_MB} MB of memory to read`) : error));
      worker.once('exit', () => reject(new Error('the thread that reads specifications ended')));
    });
  } finally {
    clearTimeout(limit);
    await worker.terminate();
  }
}
