import { describe, expect, it } from '@jest/globals';
import { cutAt, dendrogramOf } from '../src/insight/conversations/domain/average-linkage.js';
import { matrix, normalizeRows, type Matrix } from '../src/insight/conversations/domain/dense.js';
import { adjustedRandIndex } from '../src/insight/conversations/domain/rand-index.js';
import { randomFrom } from '../src/insight/conversations/domain/random.js';
import { topicTreeOf } from '../src/insight/conversations/domain/topic-tree.js';

const COLUMNS = 24;

/** Rows around centres: `themes` of them far from each other, each with `topics` that are nearer to each other. */
function planted(themes: number, topics: number, each: number, spread: number): { rows: Matrix; topicOf: number[] } {
  const random = randomFrom(themes * 100 + topics);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rows = matrix(themes * topics * each, COLUMNS);
  const topicOf: number[] = [];
  let row = 0;
  for (let theme = 0; theme < themes; theme++) {
    const centre = Array.from({ length: COLUMNS }, normal);
    for (let topic = 0; topic < topics; topic++) {
      const own = centre.map((value) => value + 0.9 * normal());
      for (let at = 0; at < each; at++) {
        own.forEach((value, column) => (rows.data[row * COLUMNS + column] = value + spread * normal()));
        topicOf.push(theme * topics + topic);
        row++;
      }
    }
  }
  normalizeRows(rows);
  return { rows, topicOf };
}

const textsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `text ${at}`);

describe('topics', () => {
  it.each([
    [3, 2, 60],
    [3, 2, 15],
    [4, 5, 20],
    [8, 5, 20],
  ])('are found whatever the number of rows: %i themes of %i topics with %i rows each', (themes, topics, each) => {
    const { rows, topicOf } = planted(themes, topics, each, 0.5);
    const tree = topicTreeOf(rows, textsOf(rows.rows));
    expect(adjustedRandIndex(tree.topics, topicOf)).toBeGreaterThan(0.85);
    const found = new Set(tree.topics).size;
    expect(Math.max(found / (themes * topics), (themes * topics) / found)).toBeLessThan(1.5);
    expect(tree.themes).toHaveLength(found);
    expect(new Set(tree.themes).size).toBeLessThan(found);
    // Topics of one theme are together in the planted themes.
    const themeOf = Array.from(tree.topics, (topic) => tree.themes[topic] ?? 0);
    expect(
      adjustedRandIndex(
        themeOf,
        topicOf.map((topic) => Math.floor(topic / topics)),
      ),
    ).toBeGreaterThan(0.5);
  });

  it('do not split by how often a text is repeated', () => {
    const { rows, topicOf } = planted(3, 1, 20, 0.5);
    const repeats = Array.from({ length: rows.rows }, (_, at) => (at % 20 === 0 ? 40 : 1));
    const order = repeats.flatMap((count, at) => Array.from({ length: count }, () => at));
    const many = matrix(order.length, COLUMNS);
    order.forEach((from, to) => many.data.set(rows.data.subarray(from * COLUMNS, (from + 1) * COLUMNS), to * COLUMNS));
    const tree = topicTreeOf(
      many,
      order.map((at) => `text ${at}`),
    );
    expect(
      adjustedRandIndex(
        tree.topics,
        order.map((at) => topicOf[at] ?? 0),
      ),
    ).toBeGreaterThan(0.85);
  });

  it('are the same for no rows, one, and equal ones', () => {
    expect(topicTreeOf(matrix(0, 3), []).topics).toHaveLength(0);
    expect([...topicTreeOf(matrix(1, 1, Float32Array.from([1])), ['a']).topics]).toEqual([0]);
    expect([...topicTreeOf(matrix(3, 1, Float32Array.from([1, 1, 1])), ['a', 'a', 'a']).topics]).toEqual([0, 0, 0]);
  });
});

describe('the cost of topics', () => {
  const secondsOf = (work: () => unknown): number => {
    const start = performance.now();
    work();
    return (performance.now() - start) / 1000;
  };

  it('does not grow faster than rows that say nothing, which are in no topic with others', () => {
    const { rows } = planted(3, 2, 20, 0.5);
    const withZeros = (count: number): Matrix => {
      const all = matrix(rows.rows + count, COLUMNS);
      all.data.set(rows.data);
      return all;
    };
    const tree = topicTreeOf(withZeros(50), textsOf(rows.rows + 50));
    const zeros = [...tree.topics].slice(rows.rows);
    expect(new Set(zeros).size).toBe(50);
    expect([...tree.topics].slice(0, rows.rows).filter((topic) => zeros.includes(topic))).toEqual([]);
    expect(tree.themes).toHaveLength(new Set(tree.topics).size);
    const [few, many] = [10_000, 20_000].map((count) =>
      secondsOf(() => topicTreeOf(withZeros(count), textsOf(rows.rows + count))),
    ) as [number, number];
    expect(many).toBeLessThan(Math.max(2, few * 3));
  });

  it('does not grow with the groups of zero rows, nor cubically with those that resemble no other', () => {
    const groupsOf = (count: number): Uint32Array => Uint32Array.from({ length: count }, (_, at) => at);
    const zeros = (count: number) => secondsOf(() => dendrogramOf(matrix(count, COLUMNS), groupsOf(count), count));
    expect(zeros(20_000)).toBeLessThan(Math.max(1, zeros(10_000) * 3));
    // One coordinate each: no two rows resemble each other.
    const apart = (count: number) => {
      const rows = matrix(count, count);
      for (let at = 0; at < count; at++) rows.data[at * count + at] = 1;
      return dendrogramOf(rows, groupsOf(count), count).merges;
    };
    expect(apart(400)).toEqual([]);
  });

  it('keeps a frequent text as a topic of its own', () => {
    const { rows } = planted(2, 2, 20, 0.4);
    // Its row has a coordinate of its own, as far from all others as can be.
    const columns = COLUMNS + 1;
    const all = matrix(rows.rows + 500, columns);
    for (let at = 0; at < rows.rows; at++)
      all.data.set(rows.data.subarray(at * COLUMNS, (at + 1) * COLUMNS), at * columns);
    for (let at = rows.rows; at < all.rows; at++) all.data[at * columns + COLUMNS] = 1;
    const tree = topicTreeOf(all, [...textsOf(rows.rows), ...Array.from({ length: 500 }, () => 'cancel')]);
    expect(new Set([...tree.topics].slice(rows.rows)).size).toBe(1);
    expect([...tree.topics].slice(0, rows.rows)).not.toContain(tree.topics[rows.rows]);
  });

  it('gives almost the same topics when a few texts are added', () => {
    const { rows } = planted(4, 5, 20, 0.5);
    const texts = textsOf(rows.rows);
    const all = topicTreeOf(rows, texts).topics;
    const fewer = rows.rows - 8;
    const part = { rows: fewer, columns: COLUMNS, data: rows.data.slice(0, fewer * COLUMNS) };
    const before = topicTreeOf(part, texts.slice(0, fewer)).topics;
    expect(adjustedRandIndex(before, all.slice(0, fewer))).toBeGreaterThan(0.9);
  });
});

describe('average linkage', () => {
  it('joins the nearest groups first, as a comparison of all pairs of rows does', () => {
    const { rows } = planted(4, 3, 5, 0.6);
    const groupOf = Array.from({ length: rows.rows }, (_, row) => Math.floor(row / 5));
    const { merges } = dendrogramOf(rows, groupOf, 12);
    const members = new Map(
      Array.from({ length: 12 }, (_, group) => [group, groupOf.flatMap((own, row) => (own === group ? [row] : []))]),
    );
    const cosine = (a: number, b: number): number =>
      Array.from(
        { length: COLUMNS },
        (_, at) => (rows.data[a * COLUMNS + at] ?? 0) * (rows.data[b * COLUMNS + at] ?? 0),
      ).reduce((sum, each) => sum + each, 0);
    const mean = (a: number, b: number): number => {
      const pairs = (members.get(a) ?? []).flatMap((one) => (members.get(b) ?? []).map((other) => cosine(one, other)));
      return pairs.reduce((sum, each) => sum + each, 0) / pairs.length;
    };
    expect(merges.length).toBeGreaterThan(7);
    for (const { group, other, similarity } of merges) {
      const open = [...members.keys()];
      const best = Math.max(...open.flatMap((a) => open.flatMap((b) => (a < b ? [mean(a, b)] : []))));
      expect(similarity).toBeCloseTo(best, 4);
      expect(mean(group, other)).toBeCloseTo(best, 4);
      members.set(group, [...(members.get(group) ?? []), ...(members.get(other) ?? [])]);
      members.delete(other);
    }
    // The rest resembles nothing.
    const rest = [...members.keys()];
    expect(Math.max(...rest.flatMap((a) => rest.flatMap((b) => (a < b ? [mean(a, b)] : []))))).toBeLessThanOrEqual(0);
  });

  it('is cut into one part below all similarities, and into all groups above', () => {
    const { rows } = planted(1, 4, 5, 0.5);
    const dendrogram = dendrogramOf(
      rows,
      Array.from({ length: 20 }, (_, row) => Math.floor(row / 5)),
      4,
    );
    expect([...cutAt(dendrogram, -2)]).toEqual([0, 0, 0, 0]);
    expect([...cutAt(dendrogram, 2)]).toEqual([0, 1, 2, 3]);
  });
});

describe('the adjusted Rand index', () => {
  it('is 1 for the same parts under other numbers, and about 0 for unrelated ones', () => {
    expect(adjustedRandIndex([0, 0, 1, 1], [5, 5, 2, 2])).toBe(1);
    expect(adjustedRandIndex([0, 0, 1, 1], [0, 1, 0, 1])).toBeCloseTo(-0.5);
    expect(adjustedRandIndex([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1])).toBeCloseTo(0.444, 2);
  });
});
