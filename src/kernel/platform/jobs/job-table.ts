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
export type PayloadOf<Definition> = Definition extends JobDefinition<infer Payload> ? Payload : never;

const DEFAULTS = { retries: 5, backoffSeconds: 5, leaseSeconds: 8, timeoutSeconds: 3600, concurrency: 1 } as const;

/** A row of the table of jobs; `job<{ specId: string }>({ retries: 3 })` names what the job is given. */
export function job<Payload extends object = Record<string, never>>(options: Partial<Omit<JobDefinition, 'payload'>> = {}): JobDefinition<Payload> {
  return { ...DEFAULTS, ...options };
}

/** All jobs of the service. A name without a handler stops the boot. */
export const JOBS = {
  'audit.remove-expired': job({ everySeconds: 3600 }),
  'conversations.derive': job<{ organization: string }>({ retries: 8, timeoutSeconds: 1800, concurrency: 2 }),
  'conversations.rebuild': job<{ organization: string }>({ retries: 3, timeoutSeconds: 3600 }),
  'conversations.forget': job<{ source: string }>(),
  'conversations.tend': job({ everySeconds: 600 }),
  'documents.remove-unclaimed': job({ everySeconds: 3600 }),
  'events.remove-past': job({ everySeconds: 3600 }),
  'files.remove-unreferenced': job({ everySeconds: 6 * 3600 }),
  'imports.remove-stale': job({ everySeconds: 3600 }),
  'imports.run': job<{ run: string }>({ retries: 3, timeoutSeconds: 7200, concurrency: 2 }),
  'insights.forget': job<{ site: string }>(),
  'insights.remove-stale': job({ everySeconds: 3600 }),
  'invitations.mail': job<{ invitation: string }>({ retries: 8, concurrency: 4, timeoutSeconds: 120 }),
  'openapi.process': job<{ organization: string }>({ retries: 10, timeoutSeconds: 240, concurrency: 4 }),
  'openapi.refresh': job({ everySeconds: 60 }),
  'pdf.remove-stale': job({ everySeconds: 3600 }),
  // Two are painted at once, one of each organization: others wait for a thread.
  'pdf.render': job<{ rendering: string }>({ retries: 2, backoffSeconds: 2, timeoutSeconds: 3600, concurrency: 4 }),
  'platform.remove-stale': job({ everySeconds: 3600 }),
  'search.forget-superseded': job({ everySeconds: 60 }),
  'secrets.reseal': job({ everySeconds: 300 }),
  'spaces.remove-expired': job({ everySeconds: 3600 }),
  'translations.remove-stale': job({ everySeconds: 3600 }),
  'translations.run': job<{ translation: string }>({ backoffSeconds: 10, timeoutSeconds: 6 * 3600, concurrency: 2 }),
  'webhooks.deliver': job<{ organization: string }>({ retries: 10, timeoutSeconds: 60, concurrency: 16 }),
  'webhooks.tend': job({ everySeconds: 60 }),
} as const satisfies JobTable;
