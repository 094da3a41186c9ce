/** Returns the positions of a longest strictly increasing subsequence, in order (patience sorting, O(n log n)). */
export function longestIncreasing(values: readonly number[]): number[] {
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  values.forEach((value, position) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[position] = low > 0 ? tails[low - 1] : undefined;
    tails[low] = position;
  });
  const positions: number[] = [];
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) positions.push(at);
  return positions.reverse();
}
