import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { RunOptions, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { WorkerTask } from '../../kernel/platform/workers/worker-task.js';
import type { FindTargets } from './domain/plan-pages.js';
import type { FoundTarget } from './domain/targets.js';

/** The input of a task that asks for the meanings of targets. */
export interface Resolving {
  /** Lists of targets are sent, lists of `FoundTarget` are returned. */
  readonly port: MessagePort;
}

/** Within a task: asks the thread that has ordered it. */
export function finderAt(port: MessagePort): FindTargets {
  return (targets) =>
    new Promise<readonly FoundTarget[]>((resolve) => {
      port.once('message', resolve);
      port.postMessage(targets);
    });
}

/** Runs a task, and answers the targets that it asks for with `find`. */
export async function runResolving<Input, Output>(
  workers: WorkerPool,
  task: WorkerTask<Input & Resolving, Output>,
  input: Input,
  find: FindTargets,
  options: RunOptions = {},
): Promise<Output> {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (targets: readonly string[]) => {
    Promise.resolve(find(targets)).then(
      (found) => port1.postMessage(found),
      () => port1.close(),
    );
  });
  try {
    return await workers.run(task, { ...input, port: port2 }, { ...options, transfer: [port2] });
  } finally {
    port1.close();
  }
}
