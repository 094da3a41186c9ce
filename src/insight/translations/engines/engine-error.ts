/**
 * The reason why an engine has translated nothing: `unavailable` (not reachable, or broken), `timeout`, `busy` (rate
 * limited), `quota` (used up), `refused` (the key or the permission), `invalid` (it does not accept the request),
 * `malformed` (its answers are invalid), `cancelled` (by the signal of the job).
 */
export type EngineFault =
  'unavailable' | 'timeout' | 'busy' | 'quota' | 'refused' | 'invalid' | 'malformed' | 'cancelled';

const TEMPORARY: ReadonlySet<EngineFault> = new Set(['unavailable', 'timeout', 'busy', 'malformed']);

/** The only error of engines. Its message is for people who manage translations, and contains neither text nor keys. */
export class EngineError extends Error {
  constructor(
    readonly code: EngineFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EngineError';
  }

  /** True if the same request may succeed later without any change. */
  get temporary(): boolean {
    return TEMPORARY.has(this.code);
  }
}

/** Throws `cancelled` once a job's signal is aborted. */
export function requireRunning(signal: AbortSignal): void {
  if (signal.aborted) throw new EngineError('cancelled', 'The translation was stopped');
}
