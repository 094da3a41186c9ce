import { ENTRIES } from './entries.js';
import { growthOf, MOST_GROWTH, PLAIN_GROWTH, type Growth, type Limits } from './measure.js';

/** A line of the table: what a shape costs where it comes in. */
export interface Row extends Growth {
  readonly entry: string;
  readonly shape: string;
}

/** Beside other tests short times are told less exactly, so that only what is plainly square counts then; `npm run test:complexity` holds all to the goal. */
export function isTooMuch({ ratio = 0 }: Row): boolean {
  return ratio > (process.env['ROUNDS'] === undefined ? PLAIN_GROWTH : MOST_GROWTH);
}

export async function measured(entry: string, shape: string, limits: Limits): Promise<Row> {
  const { shapes, run, most } = ENTRIES[entry] ?? {};
  const make = shapes?.[shape];
  if (!make || !run) throw new Error(`there is no shape ${shape} of ${entry}`);
  return { entry, shape, ...(await growthOf(run, make, most ?? 0, limits)) };
}

/** A line as it is printed: characters, milliseconds for them, how many times those of half of them, and bytes held for each. */
export function printed({ entry, shape, length, milliseconds, ratio, bytes }: Row): string {
  const growth = ratio === undefined ? '   -' : ratio.toFixed(2).padStart(4);
  return `${String(length).padStart(9)}  ${milliseconds.toFixed(0).padStart(6)} ms  ${growth}  ${bytes.toFixed(0).padStart(6)} B  ${entry}: ${shape}`;
}
