import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Gauge, Histogram } from 'prom-client';
import { chargeCpu, currentContext } from '../../common/context.js';
import { DomainError } from '../../common/errors.js';
import { CONFIG, type Config } from '../config/config.js';
import { PROCESSES } from '../processes.js';
import type { Metrics } from '../telemetry/metrics.js';
import { METRICS } from '../telemetry/metrics-token.js';
import { FairThreadScheduler } from './fair-thread-scheduler.js';
import type { TaskCall, TaskResult } from './worker-thread.js';
import type { ThreadGroup, WorkerTask } from './worker-task.js';

/**
 * Maximum length in characters of a text that is parsed in the calling thread: its cost is bounded, and a call to a
 * thread would take longer.
 */
export const SMALL_TEXT = 4096;
const MEMORY_LIMIT_MB = 512;
/** Megabytes of new objects of a thread: V8 would take three times as many, which stay taken. */
const YOUNG_MB = 16;
/** Milliseconds after which an idle thread ends to free its memory, if others remain. */
const IDLE_MILLISECONDS = 30_000;
/** The niceness by which threads yield to the main thread, which answers requests. */
const NICE = 5;
/** Separate threads for tasks that take minutes: as many as PDFs are made at once, one for each of several processes. No organization has both. */
const LONG_THREADS = PROCESSES === 1 ? 2 : 1;
const IMAGE_THREADS = 1;
/** The worker's file is in the same folder, as source or compiled like this file. */
const THREAD = fileURLToPath(new URL(`./worker-thread${extname(import.meta.url)}`, import.meta.url));
/** The party of work that no request has asked for. */
const NOBODY = 'background';

/** A text that takes more time or memory than allowed: 422. Only the thread that parsed it is lost. */
export class TaskLimitExceeded extends DomainError {
  constructor(readonly reason: string) {
    super('unprocessable', `The text ${reason}`);
  }

  /** The same error as the fault of the field at `path`. */
  at(path: string): DomainError {
    return new DomainError('unprocessable', `${path}: ${this.reason}`, [{ path, message: this.reason }]);
  }
}

/** Rethrows an error; that of a limit becomes a fault of the field at `path`. */
export function limitAt(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof TaskLimitExceeded ? error.at(path) : error;
  };
}

export interface RunOptions {
  /** The party that the call counts for; by default that of the request. */
  readonly party?: string | undefined;
  /** Aborts the call, in a thread too. It then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** The parts of the input that are transferred instead of copied. */
  readonly transfer?: readonly MessagePort[];
}

/**
 * Threads that parse and render foreign texts, with a limit of time and memory for each call, so that none delays
 * requests on the main thread. Parties take turns, and none has all threads while there are several. Tasks of minutes
 * and images have threads of their own, so that they never delay the others.
 */
@Injectable()
export class WorkerPool implements OnApplicationShutdown {
  private readonly turns: Readonly<Record<ThreadGroup, FairThreadScheduler>>;
  private pool: Piscina | undefined;
  private readonly durations: Histogram<'task' | 'outcome'>;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'workerThreads'>,
    @Inject(METRICS) { registry }: Pick<Metrics, 'registry'>,
  ) {
    const texts = new FairThreadScheduler(config.workerThreads, Math.max(1, config.workerThreads - 1));
    this.turns = {
      texts,
      minutes: new FairThreadScheduler(LONG_THREADS, 1),
      images: new FairThreadScheduler(IMAGE_THREADS, IMAGE_THREADS),
    };
    this.durations = new Histogram({
      name: 'bindery_worker_task_duration_seconds',
      help: 'Time that threads took for texts, without waiting for one',
      labelNames: ['task', 'outcome'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60, 600],
      registers: [registry],
    });
    new Gauge({
      name: 'bindery_worker_tasks_waiting',
      help: 'Texts that wait for a thread',
      registers: [registry],
      collect() {
        this.set(texts.waiting);
      },
    });
  }

  /**
   * Runs a task: a small text in the calling thread, others in a worker thread. Throws `TaskLimitExceeded` if the call
   * exceeds its limits there.
   */
  async run<Input, Output>(task: WorkerTask<Input, Output>, input: Input, options: RunOptions = {}): Promise<Output> {
    if (task.size(input) <= SMALL_TEXT) return task.run(input);
    return this.runPrepared(task, () => Promise.resolve(input), options);
  }

  /** Runs a task in a thread with an input that takes memory, and is therefore made when a thread is free. */
  async runPrepared<Input, Output>(
    task: WorkerTask<Input, Output>,
    prepare: () => Promise<Input>,
    options: RunOptions = {},
  ): Promise<Output> {
    const leave = await this.turns[task.threads].enter(
      options.party ?? currentContext()?.party?.name ?? NOBODY,
      options.signal,
    );
    try {
      return await this.inThread(task, await prepare(), options);
    } finally {
      leave();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }

  private async inThread<Input, Output>(
    { module, name, seconds }: WorkerTask<Input, Output>,
    input: Input,
    { signal, transfer = [] }: RunOptions,
  ): Promise<Output> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), seconds * 1000);
    const end = this.durations.startTimer({ task: name });
    let outcome = 'failed';
    try {
      const call: TaskCall = { module, name, input };
      const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
      const { output, cpu } = (await this.threads().run(call, {
        name: 'runTask',
        signal: either,
        transferList: [...transfer],
      })) as TaskResult;
      outcome = 'done';
      chargeCpu(cpu);
      return output as Output;
    } catch (error) {
      signal?.throwIfAborted();
      outcome = limit.signal.aborted || isOutOfMemory(error) ? 'refused' : 'failed';
      if (limit.signal.aborted) chargeCpu(seconds * 1000);
      if (limit.signal.aborted) throw new TaskLimitExceeded(`takes more than ${seconds} seconds to process`);
      if (isOutOfMemory(error))
        throw new TaskLimitExceeded(`takes more than ${MEMORY_LIMIT_MB} MB of memory to process`);
      throw error;
    } finally {
      clearTimeout(timer);
      end({ outcome });
    }
  }

  /** Started when the first text needs them. */
  private threads(): Piscina {
    return (this.pool ??= new Piscina({
      filename: THREAD,
      name: 'runTask',
      // One thread stays, from the first text on: a new one takes up to half a second to load its modules.
      minThreads: 1,
      maxThreads: this.config.workerThreads + LONG_THREADS + IMAGE_THREADS,
      idleTimeout: IDLE_MILLISECONDS,
      niceIncrement: NICE,
      atomics: 'disabled',
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    }));
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
