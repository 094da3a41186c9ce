/** A call of a task as sent to a thread. */
export interface TaskCall {
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

/** The reply of a thread. */
export interface TaskResult {
  readonly output: unknown;
  /** Milliseconds of processor time that the call took. */
  readonly cpu: number;
}

/** Runs one call; the pool calls it by name. */
export async function runTask({ module, name, input }: TaskCall): Promise<TaskResult> {
  const task = ((await import(module)) as Readonly<Record<string, unknown>>)[name];
  if (typeof task !== 'function') throw new TypeError(`${module} exports no function ${name}`);
  const begin = threadTime();
  const output: unknown = await (task as (input: unknown) => unknown)(input);
  return { output, cpu: threadTime() - begin };
}

/**
 * Milliseconds of processor time of this thread. Before Node 22.19 this cannot be measured, so elapsed time is used
 * there: a thread does one thing at a time.
 */
function threadTime(): number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage === undefined) return performance.now();
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1000;
}
