/** The adjusted Rand index of two clusterings (Hubert and Arabie 1985): 1 if they are the same, 0 by chance. */
export function adjustedRandIndex(first: ArrayLike<number>, second: ArrayLike<number>): number {
  const together = new Map<string, number>();
  const [rows, columns] = [new Map<number, number>(), new Map<number, number>()];
  const count = <Key>(counts: Map<Key, number>, key: Key): unknown => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (let at = 0; at < first.length; at++) {
    const [a, b] = [first[at] ?? 0, second[at] ?? 0];
    count(together, `${a} ${b}`);
    count(rows, a);
    count(columns, b);
  }
  const [shared, inRows, inColumns] = [together, rows, columns].map((counts) => pairsIn(counts.values())) as [
    number,
    number,
    number,
  ];
  const expected = (inRows * inColumns) / Math.max(1, pairs(first.length));
  const most = (inRows + inColumns) / 2;
  return most === expected ? 1 : (shared - expected) / (most - expected);
}

function pairsIn(counts: Iterable<number>): number {
  let sum = 0;
  for (const count of counts) sum += pairs(count);
  return sum;
}

function pairs(count: number): number {
  return (count * (count - 1)) / 2;
}
