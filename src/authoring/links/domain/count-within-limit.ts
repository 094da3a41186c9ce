/** The number of these sizes, from the first one on, whose sum is at most `limit`: at least one, if there is one. */
export function countWithinLimit(sizes: readonly number[], limit: number): number {
  let left = limit;
  const tooMany = sizes.findIndex((size) => (left -= size) < 0);
  return tooMany < 0 ? sizes.length : Math.max(1, tooMany);
}
