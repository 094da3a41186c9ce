/**
 * The number of insertions, deletions, substitutions and transpositions of adjacent letters between two words (optimal
 * string alignment); `limit` + 1 for anything above the limit.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, at(before, j - 2) + 1);
      row.push(least);
    }
    if (Math.min(...row) > limit && Math.min(...last) > limit) return limit + 1;
    [before, last] = [last, row];
  }
  return Math.min(at(last, other.length), limit + 1);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.MAX_SAFE_INTEGER;
