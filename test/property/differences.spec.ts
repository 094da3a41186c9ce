import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { differencesOf } from '../../src/formats/document/sequence-difference.js';
import { rounds, seed } from './content-generators.js';

const RUNS = { numRuns: rounds(500), seed };

const sequence = (most: number) => fc.array(fc.constantFrom(...'abcdef'), { maxLength: most });

/** The length of a longest common subsequence, by the table of all prefixes. */
function common(before: readonly string[], after: readonly string[]): number {
  let row = after.map(() => 0);
  for (const item of before)
    row = after.reduce<number[]>(
      (next, other, index) => [
        ...next,
        item === other ? (row[index - 1] ?? 0) + 1 : Math.max(row[index] ?? 0, next[index - 1] ?? 0),
      ],
      [],
    );
  return row.at(-1) ?? 0;
}

/** The first sequence with what the second one has in the places where they differ. */
const patched = (before: readonly string[], after: readonly string[]) =>
  differencesOf(before, after).reduceRight(
    (list, difference) =>
      list.toSpliced(
        difference.before.from,
        difference.before.to - difference.before.from,
        ...after.slice(difference.after.from, difference.after.to),
      ),
    [...before],
  );

const removed = (before: readonly string[], after: readonly string[]) =>
  differencesOf(before, after).reduce((sum, difference) => sum + difference.before.to - difference.before.from, 0);

describe('differences of sequences', () => {
  it('make one of the other, each place apart from the next', () => {
    fc.assert(
      fc.property(sequence(60), sequence(60), (before, after) => {
        expect(patched(before, after)).toEqual(after);
        const places = differencesOf(before, after);
        for (const [index, { before: old, after: now }] of places.entries()) {
          expect(old.to - old.from + now.to - now.from).toBeGreaterThan(0);
          const next = places[index + 1];
          if (next)
            expect([next.before.from > old.to, next.after.from - now.to]).toEqual([true, next.before.from - old.to]);
        }
      }),
      RUNS,
    );
  });

  it('are as few as can be where no item occurs more than eight times', () => {
    fc.assert(
      fc.property(sequence(8), sequence(8), (before, after) => {
        expect(before.length - removed(before, after)).toBe(common(before, after));
      }),
      RUNS,
    );
  });

  it('keep what surrounds a change among equal items, however many', () => {
    const many = Array.from({ length: 1000 }, () => 'a');
    expect(differencesOf([...many, 'b', ...many], [...many, ...many])).toEqual([
      { before: { from: 1000, to: 1001 }, after: { from: 1000, to: 1000 } },
    ]);
    expect(differencesOf(many, many)).toEqual([]);
  });
});
