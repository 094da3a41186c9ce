import { graphOf, type Graph } from './graph.js';
import { randomFrom, shuffled } from './random.js';

const MAX_LEVELS = 20;
const MAX_PASSES = 30;

/**
 * Communities of a graph by modularity (Louvain: Blondel et al. 2008; the higher the resolution, the smaller they are: Reichardt and Bornholdt 2006). The
 * number of each node's community, counted from 0 in the order in which they first appear; the same for the same graph and seed.
 */
export function communitiesOf(graph: Graph, resolution: number, seed: number): Uint32Array {
  const random = randomFrom(seed);
  const nodes = graph.starts.length - 1;
  let communities = Uint32Array.from({ length: nodes }, (_, node) => node);
  let level = graph;
  for (let round = 0; round < MAX_LEVELS; round++) {
    const moved = renumbered(moveNodes(level, resolution, random));
    communities = communities.map((community) => moved.communities[community] ?? 0);
    if (moved.count === level.starts.length - 1) break;
    level = merged(level, moved.communities, moved.count);
  }
  return renumbered(communities).communities;
}

/** How much more of the edges lies within communities than would by chance, at a resolution: what communities are looked for by. */
export function modularityOf(
  { starts, targets, weights }: Graph,
  communities: Uint32Array,
  resolution: number,
): number {
  const totals = new Float64Array(communities.length);
  let [within, sum] = [0, 0];
  for (let node = 0; node < communities.length; node++) {
    const own = communities[node] ?? 0;
    for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at++) {
      const weight = weights[at] ?? 0;
      sum += weight;
      totals[own] = (totals[own] ?? 0) + weight;
      if (communities[targets[at] ?? 0] === own) within += weight;
    }
  }
  return sum === 0 ? 0 : within / sum - resolution * totals.reduce((all, total) => all + (total / sum) ** 2, 0);
}

/** Moves nodes one by one to the neighbouring community that raises modularity most, until none moves. */
function moveNodes({ starts, targets, weights }: Graph, resolution: number, random: () => number): Uint32Array {
  const nodes = starts.length - 1;
  const communities = Uint32Array.from({ length: nodes }, (_, node) => node);
  const degrees = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++)
    for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at++)
      degrees[node] = (degrees[node] ?? 0) + (weights[at] ?? 0);
  const totals = degrees.slice();
  const sum = degrees.reduce((all, degree) => all + degree, 0);
  if (sum === 0) return communities;
  const joined = new Float64Array(nodes);
  const order = shuffled(nodes, random);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    let moves = 0;
    for (const node of order) {
      const [start, end, own, degree] = [
        starts[node] ?? 0,
        starts[node + 1] ?? 0,
        communities[node] ?? 0,
        degrees[node] ?? 0,
      ];
      for (let at = start; at < end; at++) {
        const target = targets[at] ?? 0;
        if (target !== node)
          joined[communities[target] ?? 0] = (joined[communities[target] ?? 0] ?? 0) + (weights[at] ?? 0);
      }
      totals[own] = (totals[own] ?? 0) - degree;
      const gain = (community: number): number =>
        (joined[community] ?? 0) - (resolution * degree * (totals[community] ?? 0)) / sum;
      let [best, most] = [own, gain(own)];
      for (let at = start; at < end; at++) {
        const community = communities[targets[at] ?? 0] ?? 0;
        const gained = gain(community);
        if (gained > most + 1e-12) [best, most] = [community, gained];
      }
      for (let at = start; at < end; at++) joined[communities[targets[at] ?? 0] ?? 0] = 0;
      totals[best] = (totals[best] ?? 0) + degree;
      if (best !== own) {
        communities[node] = best;
        moves++;
      }
    }
    if (moves === 0) break;
  }
  return communities;
}

/** Communities as the nodes of a smaller graph; edges within one become an edge to itself. */
function merged({ starts, targets, weights }: Graph, communities: Uint32Array, count: number): Graph {
  const edges: Map<number, number>[] = Array.from({ length: count }, () => new Map<number, number>());
  for (let node = 0; node < communities.length; node++) {
    const own = edges[communities[node] ?? 0];
    for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at++) {
      const other = communities[targets[at] ?? 0] ?? 0;
      own?.set(other, (own.get(other) ?? 0) + (weights[at] ?? 0));
    }
  }
  return graphOf(edges);
}

function renumbered(communities: Uint32Array): { communities: Uint32Array; count: number } {
  const numbers = new Map<number, number>();
  const own = communities.map((community) => {
    const number = numbers.get(community) ?? numbers.size;
    numbers.set(community, number);
    return number;
  });
  return { communities: own, count: numbers.size };
}
