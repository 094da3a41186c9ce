import { setImmediate } from 'node:timers';

/** One uninterrupted stretch of the event loop that one user had, in milliseconds. */
export interface TimeSlice {
  /** Wall-clock time, during which no other work ran. */
  readonly wall: number;
  /**
   * Processor time: less than wall-clock time if the machine has other work. It is capped at wall-clock time, since
   * other threads of the process count as well.
   */
  readonly cpu: number;
}

/** A user of the event loop, such as a request. */
export interface LoopUser {
  /** Called for each stretch. */
  used(stretch: TimeSlice): void;
  /** Called with milliseconds of processor time that another thread has worked for the user. */
  charge(milliseconds: number): void;
}

/** Reading the processor time costs a tenth of a short stretch, so shorter stretches use the wall clock alone. */
const SHORT = 20;

let user: LoopUser | undefined;
let since = 0;
let sample = { at: Number.NEGATIVE_INFINITY, cpu: 0 };
let isEnding = false;

/**
 * Attributes the work from now on to a user, until the next call or the next turn of the event loop.
 *
 * Hooks on every promise (`async_hooks`) would measure it exactly, but cost 3 % of a request on Node 20, and 6 to 19 %
 * on Node 24, where they disable the optimization of contexts. So each asynchronous operation calls this when its
 * continuation runs: statements, bodies, threads, turns of other requests. Continuations that share a turn of the loop
 * with it and do not call it are attributed to the same user.
 */
export function attribute(next: LoopUser | undefined): void {
  if (next === user) return;
  const now = performance.now();
  settle(now);
  user = next;
  since = now;
  if (next === undefined) return;
  if (now - sample.at > SHORT) sample = { at: now, cpu: processorTime() };
  if (isEnding) return;
  isEnding = true;
  // Runs before the loop waits for I/O.
  setImmediate(() => {
    isEnding = false;
    attribute(undefined);
  });
}

/** Ends the attribution to a user, if this is known before the next turn of the event loop. */
export function release(over: LoopUser): void {
  if (user === over) attribute(undefined);
}

/** Milliseconds of processor time that the process has used on all cores. */
export function processorTime(): number {
  const { user: own, system } = process.cpuUsage();
  return (own + system) / 1000;
}

function settle(now: number): void {
  if (user === undefined) return;
  const wall = now - since;
  if (wall <= SHORT) return user.used({ wall, cpu: wall });
  const cpu = processorTime();
  const used = cpu - sample.cpu;
  sample = { at: now, cpu };
  user.used({ wall, cpu: Math.min(wall, used) });
}
