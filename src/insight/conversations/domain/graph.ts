import type { Neighbours } from './neighbours.js';

/** An undirected graph: the edges of a node are stored consecutively, each edge at both of its ends. */
export interface Graph {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
}

/** Less similar rows are never neighbours, even if nothing is nearer. */
const LEAST_SIMILARITY = 0.15;

/**
 * Connects rows with their neighbours, weighted by shared neighbours (Jarvis and Patrick 1973): the share of common
 * ones among all of both, each being its own neighbour, times their cosine.
 */
export function sharedNeighbourGraph({ count, indexes, similarities }: Neighbours): Graph {
  const rows = indexes.length / Math.max(1, count);
  const edges: Map<number, number>[] = Array.from({ length: rows }, () => new Map<number, number>());
  const around = new Int32Array(rows).fill(-1);
  for (let row = 0; row < rows; row++) {
    around[row] = row;
    let own = 1;
    for (let at = row * count; at < (row + 1) * count; at++) {
      const other = indexes[at] ?? -1;
      if (other < 0) continue;
      around[other] = row;
      own++;
    }
    for (let at = row * count; at < (row + 1) * count; at++) {
      const [other, similarity] = [indexes[at] ?? -1, similarities[at] ?? 0];
      if (other < 0 || similarity < LEAST_SIMILARITY) continue;
      let [shared, size] = [around[other] === row && around[row] === row ? 1 : 0, own + 1];
      for (let beyond = other * count; beyond < (other + 1) * count; beyond++) {
        const third = indexes[beyond] ?? -1;
        if (third < 0) continue;
        if (around[third] === row) shared++;
        size++;
      }
      const weight = (shared / (size - shared)) * similarity;
      edges[row]?.set(other, weight);
      edges[other]?.set(row, weight);
    }
  }
  return graphOf(edges);
}

export function graphOf(edges: readonly ReadonlyMap<number, number>[]): Graph {
  const starts = new Uint32Array(edges.length + 1);
  edges.forEach((own, node) => (starts[node + 1] = (starts[node] ?? 0) + own.size));
  const total = starts[edges.length] ?? 0;
  const [targets, weights] = [new Uint32Array(total), new Float64Array(total)];
  let at = 0;
  for (const own of edges) {
    for (const [other, weight] of own) {
      targets[at] = other;
      weights[at++] = weight;
    }
  }
  return { starts, targets, weights };
}
