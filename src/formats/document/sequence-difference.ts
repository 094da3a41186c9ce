import { longestIncreasing } from './longest-increasing.js';

/**
 * Up to this many occurrences of an item can match any occurrence of the other side; further ones only that with the
 * same number.
 */
const MAX_EQUAL = 8;

/** A range of a sequence: from one index up to another, which is excluded. */
export interface SequenceRange {
  readonly from: number;
  readonly to: number;
}

/** A position where two sequences differ; between two positions they are equal. */
export interface SequenceDifference {
  readonly before: SequenceRange;
  readonly after: SequenceRange;
}

/** A match of two sequences: the indexes of one item in both. */
type Match = readonly [before: number, after: number];

/**
 * Finds the differences of two sequences, by a longest common subsequence (Hunt and Szymanski, "A Fast Algorithm for
 * Computing Longest Common Subsequences", 1977) of the parts without equal ends. The algorithm uses the pairs of equal
 * items, of which there are `MAX_EQUAL` for an item at most, so that n items take O(n log n). If an item occurs more
 * often than that, the result may be shorter than the longest common subsequence.
 */
export function differencesOf(before: readonly string[], after: readonly string[]): SequenceDifference[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const [beforeEnd, afterEnd] = [before.length - tail, after.length - tail];
  const differences: SequenceDifference[] = [];
  let [from, to] = [head, head];
  for (const [nextFrom, nextTo] of [
    ...matches(before.slice(head, beforeEnd), after.slice(head, afterEnd)),
    [beforeEnd - head, afterEnd - head] as const,
  ]) {
    const [begin, end] = [
      { from, to: head + nextFrom },
      { from: to, to: head + nextTo },
    ];
    if (begin.from < begin.to || end.from < end.to) differences.push({ before: begin, after: end });
    [from, to] = [begin.to + 1, end.to + 1];
  }
  return differences;
}

function matches(before: readonly string[], after: readonly string[]): Match[] {
  const places = new Map<string, number[]>();
  after.forEach((item, index) => {
    const known = places.get(item);
    if (known) known.push(index);
    else places.set(item, [index]);
  });
  const seen = new Map<string, number>();
  const pairs = before.flatMap((item, index): Match[] => {
    const occurrence = seen.get(item) ?? 0;
    seen.set(item, occurrence + 1);
    const all = places.get(item) ?? [];
    const others = occurrence < MAX_EQUAL ? all.slice(0, MAX_EQUAL) : all.slice(occurrence, occurrence + 1);
    // Backwards, so that an increasing subsequence has no two pairs of one item.
    return others.reverse().map((other): Match => [index, other]);
  });
  return longestIncreasing(pairs.map(([, other]) => other)).flatMap((position): Match[] => {
    const pair = pairs[position];
    return pair ? [pair] : [];
  });
}
