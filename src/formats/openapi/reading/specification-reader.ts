import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../../kernel/common/semaphore.js';
import { Unreadable, unreadable } from '../domain/specification-problem.js';
import type { FromThread, Order, ToThread } from './messages.js';
import type { FetchedDocument, ReadSpecification } from './read-specification.js';

/** Milliseconds for one specification, without waiting time. */
const TIME_LIMIT = 60_000;
const MEMORY_LIMIT_MB = 768;
/** Maximum number of concurrent threads: a waiting one keeps its memory. */
const MAX_THREADS = 2;
/** The worker's file is in the same folder, as source or compiled like this file. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

export interface SpecificationReading extends Order {
  readonly fetch: (address: string) => Promise<FetchedDocument>;
  readonly signal: AbortSignal;
}

/**
 * Reads specifications off the event loop, one after another: each uses a processor of its own. While one waits for
 * other documents, another one may run.
 */
@Injectable()
export class SpecificationReader {
  private readonly threads = new Semaphore(MAX_THREADS);
  private readonly processor = new Semaphore(1);

  /** Reads a text in JSON or YAML as OpenAPI 3. Throws `Unreadable`. */
  async read(reading: SpecificationReading): Promise<ReadSpecification> {
    const end = await this.threads.acquire();
    let leave = await this.processor.acquire();
    let isOver = false;
    const fetch = async (address: string): Promise<FetchedDocument> => {
      leave();
      const document = await reading.fetch(address);
      leave = await this.processor.acquire();
      if (isOver) leave();
      return document;
    };
    try {
      return await inThread({ ...reading, fetch });
    } finally {
      isOver = true;
      leave();
      end();
    }
  }
}

async function inThread({ fetch, signal, ...order }: SpecificationReading): Promise<ReadSpecification> {
  signal.throwIfAborted();
  const worker = new Worker(THREAD, {
    workerData: order satisfies Order,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: 64 },
  });
  const limit = new TimeLimit(TIME_LIMIT);
  const give = async (address: string): Promise<void> => {
    limit.pause();
    const document = await fetch(address);
    limit.go();
    worker.postMessage({ address, document } satisfies ToThread);
  };
  try {
    return await new Promise<ReadSpecification>((resolve, reject) => {
      limit.onEnd = () => reject(unreadable('too-large', `it takes longer than ${TIME_LIMIT / 1000} seconds to read`));
      limit.go();
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.on('message', (message: FromThread) => {
        if (message.kind === 'read') resolve(message.specification);
        else if (message.kind === 'unreadable') reject(new Unreadable(message.problems, message.total));
        else give(message.address).catch(reject);
      });
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? unreadable('too-large', `it takes more than ${MEMORY_LIMIT_MB} MB of memory to read`)
            : error,
        ),
      );
      worker.once('exit', () => reject(new Error('the thread that reads specifications ended')));
    });
  } finally {
    limit.end();
    await worker.terminate();
  }
}

/** A time limit that counts only while it is running. */
class TimeLimit {
  onEnd = (): void => undefined;
  private timer: NodeJS.Timeout | undefined;
  private since = 0;
  private hasEnded = false;

  constructor(private left: number) {}

  go(): void {
    this.since = performance.now();
    if (!this.hasEnded) this.timer = setTimeout(() => this.onEnd(), Math.max(0, this.left));
  }

  pause(): void {
    clearTimeout(this.timer);
    this.left -= performance.now() - this.since;
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.timer);
  }
}
