/** The longest subsequence of `ids` whose `order` increases (patience sorting). */
export function longestRun(ids: readonly string[], order: ReadonlyMap<string, number>): Set<string> {
  const rank = (id: string | undefined): number => (id === undefined ? -1 : (order.get(id) ?? -1));
  const ends: string[] = [];
  const before = new Map<string, string | undefined>();
  for (const id of ids) {
    let low = 0;
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1;
      if (rank(ends[middle]) < rank(id)) low = middle + 1;
      else high = middle;
    }
    before.set(id, ends[low - 1]);
    ends[low] = id;
  }
  const run = new Set<string>();
  for (let id = ends.at(-1); id !== undefined; id = before.get(id)) run.add(id);
  return run;
}
