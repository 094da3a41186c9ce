import type { Matrix } from './dense.js';
import { communitiesOf } from './communities.js';
import { sharedNeighbourGraph } from './graph.js';
import { nearestOf, neighboursOf } from './neighbours.js';

/**
 * The order in which nodes are visited determines the boundaries of communities; the best of several orders is used.
 */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const VOTERS = 7;
/** Minimum cosine similarity of near rows. */
const LEAST_NEARNESS = 0.3;

/** Few texts have few similar neighbours. */
function settingsFor(rows: number): { readonly neighbours: number; readonly resolution: number } {
  if (rows < 1_500) return { neighbours: 5, resolution: Math.min(4, Math.max(1, rows / 125)) };
  return { neighbours: 8, resolution: 4 };
}

/**
 * Returns the cluster number of each row; the number of clusters follows from the rows. One fixed configuration for all
 * topics.
 */
export function clustersOf(rows: Matrix): Uint32Array {
  const { neighbours, resolution } = settingsFor(rows.rows);
  const graph = sharedNeighbourGraph(neighboursOf(rows, Math.min(neighbours, Math.max(1, rows.rows - 1))));
  return communitiesOf(graph, resolution, SEEDS);
}

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
