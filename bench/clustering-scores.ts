/** The agreement of clusters with labels, in percent. */
export interface Scores {
  readonly clusters: number;
  /** Normalized mutual information, by the arithmetic mean of both entropies. */
  readonly nmi: number;
  /** Adjusted Rand index (Hubert and Arabie 1985). */
  readonly ari: number;
  /** Share of those in the best assignment of clusters to labels, one to one. */
  readonly acc: number;
}

export function scoresOf(clusters: readonly number[], labels: readonly string[]): Scores {
  const names = new Map([...new Set(labels)].map((label, index) => [label, index]));
  const size = clusters.length;
  const table = Array.from({ length: Math.max(...clusters) + 1 }, () => new Float64Array(names.size));
  clusters.forEach((cluster, index) => {
    const row = table[cluster];
    const column = names.get(labels[index] ?? '') ?? 0;
    if (row) row[column] = (row[column] ?? 0) + 1;
  });
  const rows = table.map((row) => total(row));
  const columns = Array.from({ length: names.size }, (_, column) => total(table.map((row) => row[column] ?? 0)));
  const shared = total(
    table.map((row, at) =>
      total(
        row.map((count, column) =>
          count === 0 ? 0 : (count / size) * Math.log((count * size) / ((rows[at] ?? 1) * (columns[column] ?? 1))),
        ),
      ),
    ),
  );
  const entropy = (counts: readonly number[]): number =>
    -total(counts.map((count) => (count === 0 ? 0 : (count / size) * Math.log(count / size))));
  const [together, inRows, inColumns] = [
    total(table.map((row) => total(row.map(pairs)))),
    total(rows.map(pairs)),
    total(columns.map(pairs)),
  ];
  const expected = (inRows * inColumns) / pairs(size);
  return {
    clusters: rows.filter((count) => count > 0).length,
    nmi: (200 * shared) / (entropy(rows) + entropy(columns)),
    ari: (100 * (together - expected)) / ((inRows + inColumns) / 2 - expected),
    acc: (100 * bestAssignment(table, names.size)) / size,
  };
}

function total(numbers: ArrayLike<number>): number {
  return Array.from(numbers).reduce((sum, number) => sum + number, 0);
}

function pairs(count: number): number {
  return (count * (count - 1)) / 2;
}

/** The largest sum of one number of each row in different columns (Kuhn and Munkres, by shortest augmenting paths). */
function bestAssignment(table: readonly Float64Array[], width: number): number {
  const size = Math.max(table.length, width);
  const cost = (row: number, column: number): number => -(table[row - 1]?.[column - 1] ?? 0);
  const [rowPrice, columnPrice] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  const [rowOf, before] = [new Int32Array(size + 1), new Int32Array(size + 1)];
  for (let row = 1; row <= size; row++) {
    rowOf[0] = row;
    let column = 0;
    const least = new Float64Array(size + 1).fill(Infinity);
    const used = new Uint8Array(size + 1);
    do {
      used[column] = 1;
      const from = rowOf[column] ?? 0;
      let [step, next] = [Infinity, 0];
      for (let other = 1; other <= size; other++) {
        if (used[other]) continue;
        const reduced = cost(from, other) - (rowPrice[from] ?? 0) - (columnPrice[other] ?? 0);
        if (reduced < (least[other] ?? 0)) {
          least[other] = reduced;
          before[other] = column;
        }
        if ((least[other] ?? 0) < step) [step, next] = [least[other] ?? 0, other];
      }
      for (let other = 0; other <= size; other++) {
        if (used[other]) {
          const owner = rowOf[other] ?? 0;
          rowPrice[owner] = (rowPrice[owner] ?? 0) + step;
          columnPrice[other] = (columnPrice[other] ?? 0) - step;
        } else least[other] = (least[other] ?? 0) - step;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const previous = before[column] ?? 0;
      rowOf[column] = rowOf[previous] ?? 0;
      column = previous;
    }
  }
  return Array.from({ length: size }, (_, at) => -cost(rowOf[at + 1] ?? 0, at + 1)).reduce(
    (sum, number) => sum + number,
    0,
  );
}
