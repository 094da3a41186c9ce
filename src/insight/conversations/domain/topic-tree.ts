import { centresOf, compacted, countOf, cutAt, dendrogramOf, type Dendrogram } from './average-linkage.js';
import { communitiesOf } from './communities.js';
import { dots, matrix, rowOf, type Matrix } from './dense.js';
import { sharedNeighbourGraph } from './graph.js';
import { neighboursOf } from './neighbours.js';
import { adjustedRandIndex } from './rand-index.js';
import { randomFrom, shuffled } from './random.js';

/** Themes, each of which has topics. */
export interface TopicTree {
  /** The number of each row's topic. */
  readonly topics: Uint32Array;
  /** The number of each topic's theme. */
  readonly themes: Uint32Array;
}

/** The order in which nodes are visited determines the boundaries of communities; the best of several orders is used. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const NEIGHBOURS = 8;
/** The resolution of the finest communities; the dendrogram above them is cut where they are stable. */
const RESOLUTION = 4;
/** Mean similarities at which the dendrogram may be cut, the finest first. */
const SCALES = [0.8, 0.6, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.175, 0.15, 0.125, 0.1, 0.075, 0.05];
/** Samples for measuring stability: their number, the share of the rows in each, and the most rows that are drawn from. */
const SAMPLES = 6;
const SHARE = 0.6;
const MAX_ROWS = 5_000;
/** The finest cut that is almost as stable as the most stable one is taken: it misses a small share of its agreement, and of what that misses itself. */
const MISSED_OF_AGREEMENT = 0.08;
const MISSED_OF_DISAGREEMENT = 0.3;
/** Coarser cuts are few large parts, which are stable in any data: they are no topics. */
const COARSEST_OF_TOPICS = 0.1;
/** Topics with fewer different texts join the nearest one, if it is near enough. */
const LEAST_TEXTS = 3;
const LEAST_NEARNESS = 0.1;

/**
 * The topics and themes of rows of length one. `texts` tells which rows say the same: each text counts once, or frequent
 * ones would be topics by themselves. The number of topics follows from the rows: communities of a graph of neighbours
 * are joined by average linkage, and the dendrogram is cut at the finest scale at which samples of the rows give the
 * same topics (stability: Ben-Hur, Elisseeff and Guyon 2002). Themes are the most stable coarser cut.
 */
export function topicTreeOf(rows: Matrix, texts: readonly string[]): TopicTree {
  const { unique, textOf } = uniqueOf(rows, texts);
  const { groupOf, dendrogram } = grown(unique);
  const stabilities = stabilitiesOf(unique);
  const best = Math.max(...stabilities.filter((_, at) => (SCALES[at] ?? 0) >= COARSEST_OF_TOPICS));
  const missed = Math.min(best * MISSED_OF_AGREEMENT, (1 - best) * MISSED_OF_DISAGREEMENT);
  const finest = stabilities.findIndex((stability) => stability >= best - missed);
  const branches = cutAt(dendrogram, SCALES[finest] ?? 0);
  const topicOf = withoutTiny(
    unique,
    groupOf.map((group) => branches[group] ?? 0),
  );
  const above = themesOf(dendrogram, stabilities, finest, countOf(branches));
  // The theme of a topic is that of most of its texts: tiny topics may have come from another one.
  const themes = majorities(
    topicOf,
    groupOf.map((group) => above[group] ?? 0),
  );
  return { topics: Uint32Array.from(textOf, (text) => topicOf[text] ?? 0), themes };
}

function uniqueOf(rows: Matrix, texts: readonly string[]): { readonly unique: Matrix; readonly textOf: Uint32Array } {
  const numbers = new Map<string, number>();
  const firsts: number[] = [];
  const textOf = Uint32Array.from({ length: rows.rows }, (_, row) => {
    const text = texts[row] ?? '';
    const number = numbers.get(text) ?? numbers.size;
    if (number === numbers.size) {
      numbers.set(text, number);
      firsts.push(row);
    }
    return number;
  });
  return { unique: picked(rows, firsts), textOf };
}

function picked(rows: Matrix, numbers: ArrayLike<number>): Matrix {
  const all = matrix(numbers.length, rows.columns);
  for (let at = 0; at < numbers.length; at++) rowOf(all, at).set(rowOf(rows, numbers[at] ?? 0));
  return all;
}

/** The finest communities of rows, and the dendrogram above them. */
function grown(
  rows: Matrix,
  seeds: readonly number[] = SEEDS,
): { readonly groupOf: Uint32Array; readonly dendrogram: Dendrogram } {
  const graph = sharedNeighbourGraph(neighboursOf(rows, Math.min(NEIGHBOURS, Math.max(1, rows.rows - 1))));
  const groupOf = communitiesOf(graph, RESOLUTION, seeds);
  return { groupOf, dendrogram: dendrogramOf(rows, groupOf, countOf(groupOf)) };
}

/** The mean agreement, at each scale, of the topics that samples of the rows give. */
function stabilitiesOf(rows: Matrix): number[] {
  const considered = picked(rows, shuffled(rows.rows, randomFrom(1)).subarray(0, MAX_ROWS));
  const samples = Array.from({ length: SAMPLES }, (_, sample) => {
    const order = shuffled(considered.rows, randomFrom(sample + 2));
    const own = picked(considered, order.subarray(0, Math.max(1, Math.floor(considered.rows * SHARE))));
    const { groupOf, dendrogram } = grown(own, [sample + 1]);
    return SCALES.map((scale) => {
      const branches = cutAt(dendrogram, scale);
      const topics = groupOf.map((group) => branches[group] ?? 0);
      return nearestOf(considered, centresOf(own, topics, countOf(topics)));
    });
  });
  return SCALES.map((_, scale) => {
    let [sum, pairs] = [0, 0];
    for (let first = 0; first < SAMPLES; first++)
      for (let second = 0; second < first; second++) {
        sum += adjustedRandIndex(samples[first]?.[scale] ?? [], samples[second]?.[scale] ?? []);
        pairs++;
      }
    return sum / pairs;
  });
}

/** The centre that is nearest to each row. */
function nearestOf(rows: Matrix, centres: Matrix): Uint32Array {
  const similarities = new Float32Array(centres.rows);
  return Uint32Array.from({ length: rows.rows }, (_, row) => {
    dots(rows, row, centres, 0, centres.rows, similarities);
    return similarities.reduce((best, similarity, at) => (similarity > (similarities[best] ?? 0) ? at : best), 0);
  });
}

/** The theme of each group: the most stable cut that has at most half as many themes as there are topics. */
function themesOf(dendrogram: Dendrogram, stabilities: readonly number[], finest: number, topics: number): Uint32Array {
  const cuts = SCALES.map((scale, at) => ({ themes: cutAt(dendrogram, scale), stability: stabilities[at] ?? 0, at }))
    .filter(({ themes, at }) => at > finest && countOf(themes) > 1 && countOf(themes) * 2 <= topics)
    .sort((a, b) => b.stability - a.stability || a.at - b.at);
  return cuts[0]?.themes ?? cutAt(dendrogram, SCALES.at(-1) ?? 0);
}

/** The topic of each text, where those of a few texts have joined the nearest one. */
function withoutTiny(rows: Matrix, topicOf: Uint32Array): Uint32Array {
  const count = countOf(topicOf);
  const sizes = new Uint32Array(count);
  for (const topic of topicOf) sizes[topic] = (sizes[topic] ?? 0) + 1;
  const centres = centresOf(rows, topicOf, count);
  const similarities = new Float32Array(count);
  const instead = Uint32Array.from({ length: count }, (_, topic) => {
    if ((sizes[topic] ?? 0) >= LEAST_TEXTS) return topic;
    dots(centres, topic, centres, 0, count, similarities);
    let [nearest, most] = [topic, LEAST_NEARNESS];
    for (let other = 0; other < count; other++) {
      const similarity = similarities[other] ?? 0;
      if ((sizes[other] ?? 0) >= LEAST_TEXTS && similarity > most) [nearest, most] = [other, similarity];
    }
    return nearest;
  });
  return compacted(topicOf.map((topic) => instead[topic] ?? topic));
}

/** The most frequent value of the members of each group. */
function majorities(groupOf: Uint32Array, values: Uint32Array): Uint32Array {
  const votes = Array.from({ length: countOf(groupOf) }, () => new Map<number, number>());
  groupOf.forEach((group, at) => {
    const value = values[at] ?? 0;
    votes[group]?.set(value, (votes[group].get(value) ?? 0) + 1);
  });
  return compacted(
    Uint32Array.from(votes, (own) => [...own].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0]),
  );
}
