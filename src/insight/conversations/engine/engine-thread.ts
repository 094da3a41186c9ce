import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageFolder } from '../../../kernel/platform/package-folder.js';
import type { Task } from './tasks.js';

/**
 * Limit of the JavaScript heap; matrices and the sentence model are outside of it, and stay under 300 MB for 10,000
 * issues.
 */
const MEMORY_LIMIT_MB = 256;
const TIME_LIMIT = 20 * 60_000;
const IDLE = 3 * 60_000;

interface Answer {
  readonly number: number;
  readonly result?: unknown;
  readonly error?: string;
}

interface Open {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly limit: NodeJS.Timeout;
}

/**
 * A separate thread for slow tasks with much memory: it starts with the first task and ends after an idle time. If it
 * fails, or a task takes too long, its tasks fail, and the next one gets another thread.
 */
export class EngineThread {
  private worker: Worker | undefined;
  private readonly open = new Map<number, Open>();
  private last = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly idleAfter: number = IDLE) {}

  /** Returns the result of a task; rejects if the task fails. */
  run<Result>(task: Task): Promise<Result> {
    clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    const number = ++this.last;
    return new Promise<Result>((resolve, reject) => {
      const limit = setTimeout(() => void worker.terminate(), TIME_LIMIT).unref();
      this.open.set(number, { resolve: (result) => resolve(result as Result), reject, limit });
      worker.ref();
      worker.postMessage({ number, task });
    });
  }

  /** Ends the thread; its current tasks fail. */
  async end(): Promise<void> {
    clearTimeout(this.idle);
    await this.worker?.terminate();
  }

  private start(): Worker {
    const assets = packageFolder('assets');
    // The program is beside this file, as source if this file is.
    const program = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(program, {
      workerData: { wordVectors: assets && join(assets, 'word-vectors', 'glove-6b-100d.bin') },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    });
    let problem = 'the thread of the engine has ended';
    worker.on('error', (error: Error) => (problem = `the engine has failed: ${error.message}`));
    worker.on('message', (answer: Answer) => this.settle(worker, answer));
    worker.once('exit', () => this.gone(worker, problem));
    return worker;
  }

  private settle(worker: Worker, { number, result, error }: Answer): void {
    const open = this.open.get(number);
    if (!open) return;
    this.open.delete(number);
    clearTimeout(open.limit);
    if (error === undefined) open.resolve(result);
    else open.reject(new Error(error));
    if (this.open.size > 0) return;
    worker.unref();
    this.idle = setTimeout(() => void worker.terminate(), this.idleAfter).unref();
  }

  private gone(worker: Worker, problem: string): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const failed = [...this.open.values()];
    this.open.clear();
    for (const { reject, limit } of failed) {
      clearTimeout(limit);
      reject(new Error(problem));
    }
  }
}
