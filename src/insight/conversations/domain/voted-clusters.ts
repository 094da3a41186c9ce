import type { Matrix } from './dense.js';
import { nearestOf } from './neighbours.js';

const VOTERS = 7;
/** Minimum cosine similarity of near rows. */
const LEAST_NEARNESS = 0.3;

/**
 * For each row the cluster of most of the nearest members, weighted by similarity; -1 if nothing is near. `clusters`
 * has the number of each member's.
 */
export function votedClusters(rows: Matrix, members: Matrix, clusters: ArrayLike<number>): Int32Array {
  const { indexes, similarities } = nearestOf(rows, members, VOTERS);
  return Int32Array.from({ length: rows.rows }, (_, row) => {
    if ((similarities[row * VOTERS] ?? -1) < LEAST_NEARNESS) return -1;
    const votes = new Map<number, number>();
    let [best, most] = [-1, 0];
    for (let at = row * VOTERS; at < (row + 1) * VOTERS; at++) {
      const member = indexes[at] ?? -1;
      const cluster = member < 0 ? -1 : (clusters[member] ?? -1);
      if (cluster < 0) continue;
      const votesNow = (votes.get(cluster) ?? 0) + Math.max(0, similarities[at] ?? 0);
      votes.set(cluster, votesNow);
      if (votesNow > most) [best, most] = [cluster, votesNow];
    }
    return best;
  });
}
