import { dots, type Matrix } from './dense.js';

const BLOCK = 128;

/**
 * The nearest rows of each row, the nearest first: `count` indexes and similarities for each, -1 if there are fewer.
 */
export interface Neighbours {
  readonly count: number;
  readonly indexes: Int32Array;
  readonly similarities: Float32Array;
}

/** The nearest rows by cosine; all rows have length one or zero. Takes quadratic time. */
export function neighboursOf(rows: Matrix, count: number): Neighbours {
  const found: Neighbours = {
    count,
    indexes: new Int32Array(rows.rows * count).fill(-1),
    similarities: new Float32Array(rows.rows * count).fill(-2),
  };
  // Blocks of rows stay in the cache of the processor.
  const similarities = new Float32Array(BLOCK);
  for (let first = 0; first < rows.rows; first += BLOCK) {
    for (let second = first; second < rows.rows; second += BLOCK) {
      const end = Math.min(second + BLOCK, rows.rows);
      for (let row = first; row < Math.min(first + BLOCK, rows.rows); row++) {
        const begin = Math.max(second, row + 1);
        dots(rows, row, rows, begin, end, similarities);
        for (let other = begin; other < end; other++) {
          const similarity = similarities[other - begin] ?? 0;
          keep(found, row, other, similarity);
          keep(found, other, row, similarity);
        }
      }
    }
  }
  return found;
}

/** The rows of `among` that are nearest to each of `rows`. */
export function nearestOf(rows: Matrix, among: Matrix, count: number): Neighbours {
  const found: Neighbours = {
    count,
    indexes: new Int32Array(rows.rows * count).fill(-1),
    similarities: new Float32Array(rows.rows * count).fill(-2),
  };
  const similarities = new Float32Array(among.rows);
  for (let row = 0; row < rows.rows; row++) {
    dots(rows, row, among, 0, among.rows, similarities);
    for (let other = 0; other < among.rows; other++) keep(found, row, other, similarities[other] ?? 0);
  }
  return found;
}

/**
 * Inserts a neighbour at its position among those of a row, if it is near enough. Of two equally near ones, the one
 * with the lower index comes first.
 */
function keep({ count, indexes, similarities }: Neighbours, row: number, neighbour: number, similarity: number): void {
  const start = row * count;
  let at = start + count - 1;
  if (similarity <= (similarities[at] ?? 0)) return;
  while (at > start && (similarities[at - 1] ?? 0) < similarity) {
    similarities[at] = similarities[at - 1] ?? 0;
    indexes[at] = indexes[at - 1] ?? -1;
    at--;
  }
  similarities[at] = similarity;
  indexes[at] = neighbour;
}
