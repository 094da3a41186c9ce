/** How the jobs of one name are run. `Payload` is JSON; it only exists for the compiler. */
export interface JobDefinition<Payload extends object = object> {
  /** Attempts after the first before a job becomes a dead letter. */
  readonly retries: number;
  /** Seconds before the first retry; each further one waits about twice as long. */
  readonly backoffSeconds: number;
  /** Seconds after which another server takes over when this one died, a second later at most; renewed while the job runs. */
  readonly leaseSeconds: number;
  /** Seconds after which a running job is told to stop and its lease is not renewed any more. */
  readonly timeoutSeconds: number;
  /** How many run at once on one server. */
  readonly concurrency: number;
  /** Runs by the clock, every so many seconds, on one server at a time. */
  readonly everySeconds?: number;
  readonly payload?: Payload;
}

export type JobTable = Readonly<Record<string, JobDefinition>>;
export type JobName<Table extends JobTable> = keyof Table & string;
export type JobPayload<Definition> = Definition extends JobDefinition<infer Payload> ? Payload : never;

const DEFAULTS = { retries: 5, backoffSeconds: 5, leaseSeconds: 8, timeoutSeconds: 3600, concurrency: 1 } as const;

/** A job of a manifest; `job<{ specId: string }>({ retries: 3 })` names what the job is given. */
export function job<Payload extends object = Record<string, never>>(
  options: Partial<Omit<JobDefinition, 'payload'>> = {},
): JobDefinition<Payload> {
  return { ...DEFAULTS, ...options };
}
