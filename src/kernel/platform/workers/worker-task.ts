/**
 * The threads of a task: those of texts, those of tasks that may take minutes, or the only one that decodes images, whose
 * pixels need memory outside of the limit of a thread.
 */
export type ThreadGroup = 'texts' | 'minutes' | 'images';

/** A function that can run in a worker thread: its input and output are copied between threads. */
export interface WorkerTask<Input, Output> {
  /** The address of the module that exports the function under `name`. */
  readonly module: string;
  readonly name: string;
  readonly run: (input: Input) => Output | Promise<Output>;
  /** Maximum time of one call in a thread, in seconds. */
  readonly seconds: number;
  /** The number of characters of foreign text in an input, which decides where it runs. */
  readonly size: (input: Input) => number;
  readonly threads: ThreadGroup;
}

export interface WorkerTaskOptions<Input> {
  readonly size: (input: Input) => number;
  readonly seconds?: number;
  readonly threads?: ThreadGroup;
}

const SECONDS = 20;

/**
 * Declares an exported function of the module `import.meta.url` as a task. The module must not need the framework: each
 * thread loads it once.
 */
export function workerTask<Input, Output>(
  module: string,
  run: (input: Input) => Output | Promise<Output>,
  { size, seconds = SECONDS, threads = 'texts' }: WorkerTaskOptions<Input>,
): WorkerTask<Input, Output> {
  return { module, name: run.name, run, seconds, size, threads };
}
