/** The settings of the jobs of one name. `Payload` is JSON; it only exists for the compiler. */
export interface JobDefinition<Payload extends object = object> {
  /** Attempts after the first before a job becomes a dead letter. */
  readonly retries: number;
  /** Seconds before the first retry; the delay about doubles with each further one. */
  readonly backoffSeconds: number;
  /**
   * Seconds after which another server takes over if this one died, a second later at most; renewed while the job runs.
   */
  readonly leaseSeconds: number;
  /** Seconds after which a running job is aborted and its lease is no longer renewed. */
  readonly timeoutSeconds: number;
  /** Maximum number of concurrent runs on one server. */
  readonly concurrency: number;
  /** Interval of a scheduled job in seconds, on one server at a time. */
  readonly everySeconds?: number;
  readonly payload?: Payload;
}

export type JobTable = Readonly<Record<string, JobDefinition>>;
export type JobName<Table extends JobTable> = keyof Table & string;
export type JobPayload<Definition> = Definition extends JobDefinition<infer Payload> ? Payload : never;

const DEFAULTS = { retries: 5, backoffSeconds: 5, leaseSeconds: 8, timeoutSeconds: 3600, concurrency: 1 } as const;

/** Declares a job in a manifest; `job<{ specId: string }>({ retries: 3 })` sets the type of its payload. */
export function job<Payload extends object = Record<string, never>>(
  options: Partial<Omit<JobDefinition, 'payload'>> = {},
): JobDefinition<Payload> {
  return { ...DEFAULTS, ...options };
}
