import { dot, type Matrix } from './dense.js';

/** The nearest rows of each row, the nearest first: `count` indexes and similarities for each, -1 where there are fewer. */
export interface Neighbours {
  readonly count: number;
  readonly indexes: Int32Array;
  readonly similarities: Float32Array;
}

/** The rows nearest to each other by cosine; all rows have a length of one, or of nothing. Takes the square of their number. */
export function neighboursOf(rows: Matrix, count: number): Neighbours {
  const found: Neighbours = { count, indexes: new Int32Array(rows.rows * count).fill(-1), similarities: new Float32Array(rows.rows * count).fill(-2) };
  const { columns, data } = rows;
  // Blocks of rows that stay in the cache of the processor.
  const block = 128;
  for (let first = 0; first < rows.rows; first += block) {
    for (let second = first; second < rows.rows; second += block) {
      for (let a = first; a < Math.min(first + block, rows.rows); a++) {
        for (let b = Math.max(second, a + 1); b < Math.min(second + block, rows.rows); b++) {
          const similarity = dot(data, data, a * columns, b * columns, columns);
          keep(found, a, b, similarity);
          keep(found, b, a, similarity);
        }
      }
    }
  }
  return found;
}

/** The rows of `among` that are nearest to each of `rows`. */
export function nearestOf(rows: Matrix, among: Matrix, count: number): Neighbours {
  const found: Neighbours = { count, indexes: new Int32Array(rows.rows * count).fill(-1), similarities: new Float32Array(rows.rows * count).fill(-2) };
  for (let row = 0; row < rows.rows; row++) {
    for (let other = 0; other < among.rows; other++) keep(found, row, other, dot(rows.data, among.data, row * rows.columns, other * rows.columns, rows.columns));
  }
  return found;
}

/** Puts a neighbour where it belongs among those of a row, if it is near enough. Of two as near, the one with the lower index comes first. */
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
