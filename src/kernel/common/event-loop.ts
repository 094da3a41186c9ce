import { setImmediate } from 'node:timers';

/** What somebody had of the event loop without a break, in milliseconds. */
export interface TimeSlice {
  /** By the clock, during which nobody else was served. */
  readonly wall: number;
  /** Of the processor: less than by the clock where the machine has other work. Never more, as other threads of the process count with it. */
  readonly cpu: number;
}

/** Somebody whose work runs on the event loop. */
export interface LoopUser {
  /** Told of each stretch of it. */
  used(stretch: TimeSlice): void;
  /** Told of milliseconds of a processor that another thread has worked for it. */
  charge(milliseconds: number): void;
}

/** Asking for the time of the processor is a tenth of what a short stretch costs, so those that are shorter count by the clock alone. */
const SHORT = 20;

let user: LoopUser | undefined;
let since = 0;
let sample = { at: Number.NEGATIVE_INFINITY, cpu: 0 };
let isEnding = false;

/**
 * Says whose work runs from now on: until it says so for another one, or the event loop turns.
 *
 * Hooks on every promise (`async_hooks`) would know it exactly, for 3 % of a request on Node 20, and 6 to 19 % on Node 24, where they
 * switch off what makes contexts cheap. So whatever is waited for says it where the work goes on: statements, bodies, threads, turns of
 * others. What such work shares a turn of the loop with, and says nothing, counts with it.
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
  // Runs before the loop waits for anything.
  setImmediate(() => {
    isEnding = false;
    attribute(undefined);
  });
}

/** Says that somebody's work is over for now, where it is known before the event loop turns. */
export function release(over: LoopUser): void {
  if (user === over) attribute(undefined);
}

/** Milliseconds of all processors that the process has used. */
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
