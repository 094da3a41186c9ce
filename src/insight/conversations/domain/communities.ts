import { UndirectedGraph } from 'graphology';
import louvain from 'graphology-communities-louvain';
import type { Graph } from './graph.js';
import { randomFrom } from './random.js';

// The types describe an ECMAScript module, but the package is CommonJS: its function is the module itself.
const algorithm = louvain as unknown as typeof louvain.default;

/**
 * Communities of a graph by modularity (Louvain: Blondel et al. 2008; a higher resolution gives smaller ones: Reichardt
 * and Bornholdt 2006), the best result of several seeds. Returns the number of each node's community, counted from 0 in
 * order of first appearance; deterministic for a graph and seeds.
 */
export function communitiesOf(
  { starts, targets, weights }: Graph,
  resolution: number,
  seeds: readonly number[],
): Uint32Array {
  const graph = new UndirectedGraph<Record<string, never>, { weight: number }>();
  const nodes = starts.length - 1;
  for (let node = 0; node < nodes; node++) graph.addNode(node);
  for (let node = 0; node < nodes; node++) {
    for (let at = starts[node] ?? 0; at < (starts[node + 1] ?? 0); at++) {
      const target = targets[at] ?? 0;
      if (target > node) graph.addEdge(node, target, { weight: weights[at] ?? 0 });
    }
  }
  if (graph.size === 0) return Uint32Array.from({ length: nodes }, (_, node) => node);
  const { communities } = seeds
    .map((seed) => algorithm.detailed(graph, { resolution, rng: randomFrom(seed) }))
    .reduce((best, other) => (other.modularity > best.modularity ? other : best));
  return renumbered(Uint32Array.from({ length: nodes }, (_, node) => communities[node] ?? 0));
}

function renumbered(communities: Uint32Array): Uint32Array {
  const numbers = new Map<number, number>();
  return communities.map((community) => {
    const number = numbers.get(community) ?? numbers.size;
    numbers.set(community, number);
    return number;
  });
}
