import { existsSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Make } from './shapes.js';

/** Twice the length may cost so many times the processor time. */
export const MOST_GROWTH = 2.5;
/** What twice the length costs at least where time grows with its square, short of small numbers. */
export const PLAIN_GROWTH = 3;
/** What is measured again. */
const SUSPICIOUS = 2.3;
/** How often a text that looks suspicious is doubled beyond what is long enough. */
const FURTHER = 2;

export interface Limits {
  /** Milliseconds of processor time from which on a ratio tells anything. */
  readonly floor: number;
  /** Milliseconds at which a shape is large enough. */
  readonly enough: number;
  /** How often a length is tried again, once its ratio is suspicious. */
  readonly retries: number;
}

export const QUICK: Limits = { floor: 150, enough: 150, retries: 5 };
export const THOROUGH: Limits = { floor: 150, enough: 500, retries: 8 };

/** What twice the text costs. */
export interface Growth {
  /** Characters of the longer text. */
  readonly length: number;
  /** Milliseconds of processor time for it, the least of several runs. */
  readonly milliseconds: number;
  /** How many times as long as for half of it; undefined where it takes too little to tell. */
  readonly ratio: number | undefined;
  /** Bytes of the heap that the result holds for each character. */
  readonly bytes: number;
}

/** Prepares a text and gives the part of the work whose cost counts. */
export type Run = (text: string) => () => unknown;

/** Of Node 23.9 and later. */
const THREAD_CPU = (process as { threadCpuUsage?: () => NodeJS.CpuUsage }).threadCpuUsage;
const SCHEDSTAT = '/proc/thread-self/schedstat';
const HAS_SCHEDSTAT = existsSync(SCHEDSTAT);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Processor time of this thread in milliseconds, without those that compile and collect garbage beside it; see proc(5), schedstat. */
export function processorTime(): number {
  if (THREAD_CPU) {
    const { user, system } = THREAD_CPU.call(process);
    return (user + system) / 1000;
  }
  if (HAS_SCHEDSTAT) return Number(readFileSync(SCHEDSTAT, 'utf8').split(' ')[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function cost(run: Run, text: string): Promise<number> {
  const work = run(text);
  const begin = processorTime();
  await work();
  return processorTime() - begin;
}

/** A text as parsers get it: whole, and not joined from parts when it is first read. */
function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** A text of one length, and the least that it cost. */
interface Sample {
  readonly text: string;
  milliseconds: number;
}

/**
 * Doubles a shape until it is as long as texts may be or takes long enough, and tells how the cost of the longest grows. It is
 * measured again, in turns with that of a half, a quarter and an eighth, as long as it looks suspicious. A step of the collector of
 * garbage may fall between two lengths, but not between all: the growth is that of the last doubling or the mean of the last two
 * or three, whichever is least. What is still suspicious then may be a step of its own, as where a text becomes too long to be read in one way
 * and is read in another: it counts only if the next lengths grow as much, also those beyond what texts may be, unless they
 * are refused.
 */
export async function growthOf(
  run: Run,
  make: Make,
  most: number,
  { floor, enough, retries }: Limits,
): Promise<Growth> {
  const samples: Sample[] = [];
  let further = 0;
  let isSuspicious = false;
  for (let length = Math.min(1_000, most / 4); length <= (isSuspicious ? most * 2 ** FURTHER : most); length *= 2) {
    const text = flat(make(length));
    const isRefused = length > most && (await cost(run, text).catch(() => 0)) < (samples.at(-1)?.milliseconds ?? 0);
    if (isRefused) break;
    const milliseconds = await cost(run, text);
    samples.push({ text, milliseconds });
    if (samples.length > 4) samples.shift();
    const isLast = length * 2 > most;
    if (milliseconds < (isLast ? floor : enough) || samples.length < 3) continue;
    await settle(run, samples, retries);
    isSuspicious = ratioOf(samples) > SUSPICIOUS;
    if (!isSuspicious || further === FURTHER) break;
    further++;
  }
  const { text, milliseconds } = samples[samples.length - 1] ?? { text: '', milliseconds: 0 };
  return {
    length: text.length,
    milliseconds,
    ratio: milliseconds > floor ? ratioOf(samples) : undefined,
    bytes: await bytesHeld(run, text),
  };
}

/** Measures again as long as what was measured looks suspicious, and once in any case. */
async function settle(run: Run, samples: readonly Sample[], retries: number): Promise<void> {
  for (let again = 0; again < retries && (again < 1 || ratioOf(samples) > SUSPICIOUS); again++) {
    for (const sample of samples) {
      // Garbage of other texts is none of its cost.
      collectGarbage();
      sample.milliseconds = Math.min(sample.milliseconds, await cost(run, sample.text));
    }
  }
}

/** How many times as long a text takes as half of it. */
function ratioOf(samples: readonly Sample[]): number {
  const [whole = 0, ...shorter] = samples.map(({ milliseconds }) => Math.max(1, milliseconds)).reverse();
  return Math.min(...shorter.map((milliseconds, index) => (whole / milliseconds) ** (1 / (index + 1))));
}

/** Bytes of the heap that what is made of a text holds, for each character of it. */
async function bytesHeld(run: Run, text: string): Promise<number> {
  const work = run(text);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const held = [await work()];
  collectGarbage();
  const after = process.memoryUsage().heapUsed;
  return held.length === 0 ? 0 : Math.max(0, after - before) / Math.max(text.length, 1000);
}
