import {
  addScaled,
  dot,
  matrix,
  normalizeRows,
  rowOf,
  type Matrix,
} from '../src/insight/conversations/domain/dense.js';
import { Random } from './random.js';

const RUNS = 10;
const ROUNDS = 50;

/** Spherical k-means of rows of length one (Dhillon and Modha 2001), the tightest of several runs: the number of clusters is given. */
export function kMeans(rows: Matrix, count: number): number[] {
  let best: { readonly clusters: number[]; readonly nearness: number } | undefined;
  for (let seed = 1; seed <= RUNS; seed++) {
    const found = oneRun(rows, count, new Random(seed));
    if (!best || found.nearness > best.nearness) best = found;
  }
  return best?.clusters ?? [];
}

function oneRun(rows: Matrix, count: number, random: Random): { clusters: number[]; nearness: number } {
  let centres = matrix(count, rows.columns);
  // k-means++: a centre is drawn by its distance from those before it.
  const far = new Float64Array(rows.rows).fill(1);
  for (let centre = 0; centre < count; centre++) {
    let at = random.next() * far.reduce((sum, each) => sum + each, 0);
    const row = Math.max(
      0,
      far.findIndex((each) => (at -= each) <= 0),
    );
    rowOf(centres, centre).set(rowOf(rows, row));
    for (let other = 0; other < rows.rows; other++)
      far[other] = Math.min(far[other] ?? 1, Math.max(0, 1 - dot(rowOf(rows, other), rowOf(rows, row))));
  }
  const clusters = new Array<number>(rows.rows).fill(-1);
  let nearness = 0;
  for (let round = 0; round < ROUNDS; round++) {
    nearness = 0;
    let moved = 0;
    const next = matrix(count, rows.columns);
    for (let row = 0; row < rows.rows; row++) {
      let [nearest, most] = [0, -Infinity];
      for (let centre = 0; centre < count; centre++) {
        const similarity = dot(rowOf(rows, row), rowOf(centres, centre));
        if (similarity > most) [nearest, most] = [centre, similarity];
      }
      if (clusters[row] !== nearest) moved++;
      clusters[row] = nearest;
      nearness += most;
      addScaled(rowOf(next, nearest), rowOf(rows, row), 1);
    }
    normalizeRows(next);
    centres = next;
    if (moved === 0) break;
  }
  return { clusters, nearness };
}
