import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Gauge, Histogram } from 'prom-client';
import { currentContext } from '../../common/context.js';
import { DomainError } from '../../common/errors.js';
import { CONFIG, type Config } from '../../config.js';
import { Metrics } from '../telemetry/metrics.js';
import type { TaskCall, TaskResult } from './worker-thread.js';
import type { WorkerTask } from './worker-task.js';

/** Characters of text that are read where they arrive: their cost is bounded, and a thread would take longer to be asked. */
export const SMALL_TEXT = 4096;
const MEMORY_LIMIT_MB = 512;
/** Milliseconds after which a thread without work gives its memory back. */
const IDLE_MILLISECONDS = 30_000;
/** Steps by which threads stand back behind the one that answers requests. */
const NICE = 5;
/** Calls of one party that may wait for a thread. */
const MOST_WAITING = 1000;
/** The same folder has the thread, as source or compiled as this file is. */
const THREAD = fileURLToPath(new URL(`./worker-thread${extname(import.meta.url)}`, import.meta.url));
/** Work that no request has asked for. */
const NOBODY = 'background';

/** A text that takes more time or memory than one may: 422. The thread that read it is gone, and with it nothing else. */
export class TaskLimitExceeded extends DomainError {
  constructor(readonly reason: string) {
    super('unprocessable', `The text ${reason}`);
  }

  /** The same error as the fault of the field at `path`. */
  at(path: string): DomainError {
    return new DomainError('unprocessable', `${path}: ${this.reason}`, [{ path, message: this.reason }]);
  }
}

/** Rethrows an error; that of a limit becomes the fault of the field at `path`. */
export function limitAt(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof TaskLimitExceeded ? error.at(path) : error;
  };
}

interface Party {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * The threads that read and render texts from outside, with a limit of time and memory for each call, so that none holds up
 * those who wait for the thread that answers requests. Parties take turns, and none has all threads while there are several.
 */
@Injectable()
export class WorkerPool implements OnApplicationShutdown {
  private readonly parties = new Map<string, Party>();
  private readonly perParty: number;
  private pool: Piscina | undefined;
  private running = 0;
  private readonly durations: Histogram<'task' | 'outcome'>;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'workerThreads'>,
    @Inject(Metrics) { registry }: Pick<Metrics, 'registry'>,
  ) {
    this.perParty = Math.max(1, config.workerThreads - 1);
    this.durations = new Histogram({
      name: 'bindery_worker_task_duration_seconds',
      help: 'Time that threads took for texts, without waiting for one',
      labelNames: ['task', 'outcome'],
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
      registers: [registry],
    });
    const waiting = (): number => [...this.parties.values()].reduce((sum, party) => sum + party.waiting.length, 0);
    new Gauge({
      name: 'bindery_worker_tasks_waiting',
      help: 'Texts that wait for a thread',
      registers: [registry],
      collect() {
        this.set(waiting());
      },
    });
  }

  /** Runs a task: a small text here, others in a thread. Throws `TaskLimitExceeded` for what exceeds its limits there. */
  async run<Input, Output>(task: WorkerTask<Input, Output>, input: Input): Promise<Output> {
    if (task.size(input) <= SMALL_TEXT) return task.run(input);
    const leave = await this.enter(currentContext()?.party?.name ?? NOBODY);
    try {
      return await this.inThread(task, input);
    } finally {
      leave();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
  }

  private async inThread<Input, Output>({ module, name, seconds }: WorkerTask<Input, Output>, input: Input): Promise<Output> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), seconds * 1000);
    const end = this.durations.startTimer({ task: name });
    let outcome = 'failed';
    try {
      const { output } = (await this.threads().run({ module, name, input } satisfies TaskCall, { name: 'runTask', signal: limit.signal })) as TaskResult;
      outcome = 'done';
      return output as Output;
    } catch (error) {
      outcome = limit.signal.aborted || isOutOfMemory(error) ? 'refused' : 'failed';
      if (limit.signal.aborted) throw new TaskLimitExceeded(`takes more than ${seconds} seconds to process`);
      if (isOutOfMemory(error)) throw new TaskLimitExceeded(`takes more than ${MEMORY_LIMIT_MB} MB of memory to process`);
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
      minThreads: 0,
      maxThreads: this.config.workerThreads,
      idleTimeout: IDLE_MILLISECONDS,
      niceIncrement: NICE,
      atomics: 'disabled',
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    }));
  }

  /** Waits for a thread; the function that this gives must be called once it is free again. */
  private async enter(name: string): Promise<() => void> {
    const party = this.parties.get(name) ?? { running: 0, waiting: [] };
    this.parties.set(name, party);
    if (party.waiting.length >= MOST_WAITING) throw new DomainError('tooManyRequests', 'Too many texts of this organization wait to be read', [], { 'Retry-After': '5' });
    await new Promise<void>((resolve) => {
      party.waiting.push(resolve);
      this.goOn();
    });
    return () => {
      party.running--;
      this.running--;
      if (party.running === 0 && party.waiting.length === 0) this.parties.delete(name);
      this.goOn();
    };
  }

  /** Starts what may start: the party whose turn was longest ago comes first. */
  private goOn(): void {
    for (const [name, party] of [...this.parties]) {
      if (this.running >= this.config.workerThreads) return;
      const start = party.running < this.perParty ? party.waiting.shift() : undefined;
      if (start === undefined) continue;
      party.running++;
      this.running++;
      this.parties.delete(name);
      this.parties.set(name, party);
      start();
    }
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
