import { centresOf, compacted, countOf, cutAt, dendrogramOf, type Dendrogram } from './average-linkage.js';
import { communitiesOf } from './communities.js';
import { dots, matrix, rowOf, type Matrix } from './dense.js';
import { sharedNeighbourGraph } from './graph.js';
import { neighboursOf } from './neighbours.js';
import { adjustedRandIndex } from './rand-index.js';

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
/** Topics with fewer issues join the nearest one, if it is near enough. */
const LEAST_ISSUES = 3;
const LEAST_NEARNESS = 0.1;

/**
 * The topics and themes of rows of length one. `texts` tells which rows say the same: each text counts once, or frequent
 * ones would be topics by themselves. The number of topics follows from the rows: communities of a graph of neighbours
 * are joined by average linkage, and the dendrogram is cut at the finest scale at which samples of the rows give the
 * same topics (stability: Ben-Hur, Elisseeff and Guyon 2002). Themes are the most stable coarser cut. Zero rows resemble
 * nothing: each text of theirs is a topic and a theme by itself.
 */
export function topicTreeOf(rows: Matrix, texts: readonly string[]): TopicTree {
  const { firsts, textOf, counts } = uniqueOf(texts, rows.rows);
  const isZero = (row: number): boolean => rowOf(rows, row).every((value) => value === 0);
  const placeOf = new Int32Array(firsts.length).fill(-1);
  const placed = firsts.flatMap((row, text) => (isZero(row) ? [] : [text]));
  placed.forEach((text, place) => (placeOf[text] = place));
  const tree = treeOf(
    picked(
      rows,
      placed.map((text) => firsts[text] ?? 0),
    ),
    placed.map((text) => texts[firsts[text] ?? 0] ?? ''),
    placed.map((text) => counts[text] ?? 0),
  );
  let [topics, themes] = [countOf(tree.topics), countOf(tree.themes)];
  const further: number[] = [];
  const topicOf = placeOf.map((place) => {
    if (place >= 0) return tree.topics[place] ?? 0;
    further.push(themes++);
    return topics++;
  });
  return {
    topics: Uint32Array.from(textOf, (text) => topicOf[text] ?? 0),
    themes: Uint32Array.from([...tree.themes, ...further]),
  };
}

/** The tree of different texts; `counts` are the numbers of their rows. */
function treeOf(rows: Matrix, texts: readonly string[], counts: readonly number[]): TopicTree {
  if (rows.rows === 0) return { topics: new Uint32Array(), themes: new Uint32Array() };
  const { groupOf, dendrogram } = grown(rows);
  const stabilities = stabilitiesOf(rows, texts);
  const finest = finestOf(stabilities);
  const branches = cutAt(dendrogram, SCALES[finest] ?? 0);
  const topics = withoutTiny(
    rows,
    groupOf.map((group) => branches[group] ?? 0),
    counts,
  );
  const above = themesOf(dendrogram, stabilities, finest, countOf(branches));
  // The theme of a topic is that of most of its texts: tiny topics may have come from another one.
  const themes = majorities(
    topics,
    groupOf.map((group) => above[group] ?? 0),
  );
  return { topics, themes };
}

/** The place of the scale of topics: the finest that is almost as stable as the best; the coarsest if none is stable. */
function finestOf(stabilities: readonly number[]): number {
  const usable = stabilities.filter((_, at) => (SCALES[at] ?? 0) >= COARSEST_OF_TOPICS);
  const best = Math.max(...usable);
  if (best <= 0) return usable.length - 1;
  const missed = Math.min(best * MISSED_OF_AGREEMENT, (1 - best) * MISSED_OF_DISAGREEMENT);
  return stabilities.findIndex((stability) => stability >= best - missed);
}

/** The first row of each different text, the number of its rows, and the text of each row. */
function uniqueOf(
  texts: readonly string[],
  rows: number,
): { readonly firsts: number[]; readonly counts: number[]; readonly textOf: Uint32Array } {
  const numbers = new Map<string, number>();
  const firsts: number[] = [];
  const counts: number[] = [];
  const textOf = Uint32Array.from({ length: rows }, (_, row) => {
    const text = texts[row] ?? '';
    const number = numbers.get(text) ?? numbers.size;
    if (number === numbers.size) {
      numbers.set(text, number);
      firsts.push(row);
    }
    counts[number] = (counts[number] ?? 0) + 1;
    return number;
  });
  return { firsts, counts, textOf };
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

/**
 * The mean agreement, at each scale, of the topics that samples of the rows give. A text is in a sample by its hash, so
 * that samples stay almost the same when texts are added. Samples of one part agree in any data: they do not count.
 */
function stabilitiesOf(rows: Matrix, texts: readonly string[]): number[] {
  const chosen = lowest(texts, 0, MAX_ROWS);
  const considered = picked(rows, chosen);
  const samples = Array.from({ length: SAMPLES }, (_, sample) => {
    const drawn = lowest(
      chosen.map((row) => texts[row] ?? ''),
      sample + 1,
      Math.max(1, Math.floor(chosen.length * SHARE)),
    );
    const own = picked(considered, drawn);
    const { groupOf, dendrogram } = grown(own, [sample + 1]);
    let before: { readonly parts: number; readonly nearest: Uint32Array } | undefined;
    return SCALES.map((scale) => {
      const branches = cutAt(dendrogram, scale);
      const parts = countOf(branches);
      // Cuts with as many parts are the same.
      if (before?.parts === parts) return before;
      const topics = groupOf.map((group) => branches[group] ?? 0);
      return (before = { parts, nearest: nearestOf(considered, centresOf(own, topics, countOf(topics))) });
    });
  });
  return SCALES.map((_, scale) => {
    let [sum, pairs] = [0, 0];
    for (let first = 0; first < SAMPLES; first++)
      for (let second = 0; second < first; second++) {
        const [one, other] = [samples[first]?.[scale], samples[second]?.[scale]];
        if (one && other && Math.min(one.parts, other.parts) > 1) sum += adjustedRandIndex(one.nearest, other.nearest);
        pairs++;
      }
    return sum / pairs;
  });
}

/** The places of the texts with the lowest hashes, in order of their places. */
function lowest(texts: readonly string[], seed: number, count: number): number[] {
  return texts
    .map((text, at) => ({ at, hash: hashOf(text, seed) }))
    .sort((a, b) => a.hash - b.hash || a.at - b.at)
    .slice(0, count)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
}

/** A hash of 32 bits (FNV-1a), mixed so that similar texts are far apart. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
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

/** The topic of each text, where those of a few issues have joined the nearest one. */
function withoutTiny(rows: Matrix, topicOf: Uint32Array, counts: readonly number[]): Uint32Array {
  const count = countOf(topicOf);
  const sizes = new Uint32Array(count);
  topicOf.forEach((topic, text) => (sizes[topic] = (sizes[topic] ?? 0) + (counts[text] ?? 0)));
  const centres = centresOf(rows, topicOf, count);
  const large = [...sizes.keys()].filter((topic) => (sizes[topic] ?? 0) >= LEAST_ISSUES);
  const targets = picked(centres, large);
  const similarities = new Float32Array(large.length);
  const instead = Uint32Array.from({ length: count }, (_, topic) => {
    if ((sizes[topic] ?? 0) >= LEAST_ISSUES) return topic;
    dots(centres, topic, targets, 0, large.length, similarities);
    let [nearest, most] = [topic, LEAST_NEARNESS];
    large.forEach((other, at) => {
      const similarity = similarities[at] ?? 0;
      if (similarity > most) [nearest, most] = [other, similarity];
    });
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
