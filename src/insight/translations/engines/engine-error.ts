/**
 * Why an engine has translated nothing: `unavailable` (not there, or broken), `timeout`, `busy` (asks for fewer requests),
 * `quota` (used up), `refused` (the key or the right), `invalid` (it does not take the request), `malformed` (its answers
 * make no sense), `cancelled` (by the signal of the job).
 */
export type EngineFault =
  'unavailable' | 'timeout' | 'busy' | 'quota' | 'refused' | 'invalid' | 'malformed' | 'cancelled';

const TEMPORARY: ReadonlySet<EngineFault> = new Set(['unavailable', 'timeout', 'busy', 'malformed']);

/** The one error of engines. Its message is meant for those who manage translations, and holds neither text nor keys. */
export class EngineError extends Error {
  constructor(
    readonly code: EngineFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EngineError';
  }

  /** Whether the same may go well later without anybody doing anything. */
  get temporary(): boolean {
    return TEMPORARY.has(this.code);
  }
}

/** Throws `cancelled` once a job's signal is aborted. */
export function requireRunning(signal: AbortSignal): void {
  if (signal.aborted) throw new EngineError('cancelled', 'The translation was stopped');
}
