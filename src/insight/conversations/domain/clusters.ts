import type { Matrix } from './dense.js';
import { communitiesOf } from './communities.js';
import { sharedNeighbourGraph } from './graph.js';
import { nearestOf, neighboursOf } from './neighbours.js';

/** The order in which nodes are looked at decides where communities end; the best of several orders is taken. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const VOTERS = 7;
/** Cosine below which a row is not near to anything. */
const LEAST_NEARNESS = 0.3;

/** Few texts have few neighbours that are about the same. */
function settingsFor(rows: number): { readonly neighbours: number; readonly resolution: number } {
  if (rows < 1_500) return { neighbours: 5, resolution: Math.min(4, Math.max(1, rows / 125)) };
  return { neighbours: 8, resolution: 4 };
}

/** The number of each row's cluster, how many there are following from the rows. One fixed configuration for whatever the rows are about. */
export function clustersOf(rows: Matrix): Uint32Array {
  const { neighbours, resolution } = settingsFor(rows.rows);
  const graph = sharedNeighbourGraph(neighboursOf(rows, Math.min(neighbours, Math.max(1, rows.rows - 1))));
  return communitiesOf(graph, resolution, SEEDS);
}

/** For each row the cluster that most of the nearest members have, by similarity; -1 where nothing is near. `clusters` has the number of each member's. */
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
