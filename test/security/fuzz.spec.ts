import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from '../app.js';
import { rounds, seed } from '../property/content-generators.js';
import { Fuzz } from './fuzz/fuzz.js';
import { Target } from './fuzz/target.js';

/*
 * Requests to every operation of the served document, valid ones and hostile ones, of callers of two organizations: no
 * answer of 5xx, none that takes longer than two seconds, no error of another shape, nothing of the other organization.
 * `npm run fuzz` sends 300 for each.
 */

const ROUNDS = rounds(1);
const IS_LONG = ROUNDS >= 50;
const ONLY = (process.env['FUZZ_ONLY'] ?? '').split(' ').filter((part) => part !== '');
/** Megabytes that the heap may grow from the middle to the end of a long run: what caches and pools still take. */
const GROWTH = 60;

describe(`hostile requests (SEED=${seed}, ${ROUNDS} for each operation)`, () => {
  let app: TestApp;
  let target: Target;

  beforeAll(async () => {
    app = await TestApp.start();
    target = await Target.start(app);
  }, 120_000);

  afterAll(async () => {
    await target.close();
    await app.close();
  });

  it(
    'are answered soon, in the shape of errors, without a fault of the server and without anything of others',
    async () => {
      const fuzz = await Fuzz.prepare(app, target, {
        rounds: ROUNDS,
        seed,
        only: ONLY,
        tell: (report) => process.stdout.write(`${report}\n\n`),
      });
      const faults = await fuzz.run();
      const { memory } = fuzz.figures;
      const [middle, end] = [memory[memory.length >> 1], memory.at(-1)];
      if (IS_LONG) process.stdout.write(`${fuzz.figures.table()}\n`);
      process.stdout.write(`fuzzing with seed ${seed}: ${fuzz.figures.summary()}\n`);
      expect(faults).toEqual([]);
      if (IS_LONG) expect(fuzz.figures.blind).toEqual([]);
      expect((end?.heap ?? 0) - (middle?.heap ?? 0)).toBeLessThan(GROWTH);
    },
    120_000 + ROUNDS * 60_000,
  );
});
