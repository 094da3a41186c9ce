import { isMainThread } from 'node:worker_threads';
import { workerTask } from '../src/kernel/platform/workers/worker-task.js';

interface Text {
  readonly text: string;
}

const size = ({ text }: Text): number => text.length;

export function repeat({ text }: Text): { text: string; isMainThread: boolean } {
  return { text: text.repeat(2), isMainThread };
}

export function spin({ milliseconds }: Text & { readonly milliseconds: number }): void {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

export function allocate(): number {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => index + kept.length));
}

export function fail(): never {
  throw new Error('this text cannot be read');
}

export const REPEAT = workerTask(import.meta.url, repeat, { size });
export const SPIN = workerTask(import.meta.url, spin, { size, seconds: 1 });
export const ALLOCATE = workerTask(import.meta.url, allocate, { size, seconds: 300 });
export const FAIL = workerTask(import.meta.url, fail, { size });
export const LONG_SPIN = workerTask(import.meta.url, spin, { size, threads: 'minutes' });
export const LONG_TEXT = workerTask(import.meta.url, spin, { size, seconds: 60 });
