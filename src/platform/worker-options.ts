/** Injection token of `WorkerOptions`. */
export const WORKERS = Symbol('WORKERS');

/** Whether this process works in the background; commands and most tests switch it off. */
export interface WorkerOptions {
  readonly enabled: boolean;
}
