import { addScaled, dot, matrix, normalizeRows, rowOf, type Matrix } from './dense.js';

/** The order in which groups join: each time the two whose rows are most similar on average (UPGMA: Sokal and Michener 1958). */
export interface Dendrogram {
  readonly groups: number;
  /** Each joins the group `other` to the group `group`; the most similar ones come first. */
  readonly merges: readonly { readonly group: number; readonly other: number; readonly similarity: number }[];
}

/** Maximum number of groups in a dendrogram, the largest: each is compared with all others. */
const MAX_GROUPS = 2_000;

/** Number of rows and their mean, for each group. */
interface Means {
  readonly sizes: Float64Array;
  readonly means: Matrix;
}

function meansOf(rows: Matrix, groupOf: ArrayLike<number>, groups: number): Means {
  const sizes = new Float64Array(groups);
  const means = matrix(groups, rows.columns);
  for (let row = 0; row < rows.rows; row++) {
    const group = groupOf[row] ?? 0;
    sizes[group] = (sizes[group] ?? 0) + 1;
    addScaled(rowOf(means, group), rowOf(rows, row), 1);
  }
  for (let group = 0; group < groups; group++) {
    const own = rowOf(means, group);
    for (let at = 0; at < own.length; at++) own[at] = (own[at] ?? 0) / Math.max(1, sizes[group] ?? 1);
  }
  return { sizes, means };
}

/** The centres of groups, of length one. */
export function centresOf(rows: Matrix, groupOf: ArrayLike<number>, groups: number): Matrix {
  const { means } = meansOf(rows, groupOf, groups);
  normalizeRows(means);
  return means;
}

/**
 * The dendrogram of groups of rows of length one. The mean cosine between the rows of two groups is the inner product of
 * their means, so that no pair of rows is compared. Groups that resemble no other, as those of zero rows, stay alone:
 * they would have to be compared again after each merge.
 */
export function dendrogramOf(rows: Matrix, groupOf: ArrayLike<number>, groups: number): Dendrogram {
  const { sizes, means } = meansOf(rows, groupOf, groups);
  const open = Array.from({ length: groups }, (_, group) => group)
    .filter((group) => rowOf(means, group).some((value) => value !== 0))
    .sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b)
    .slice(0, MAX_GROUPS)
    .sort((a, b) => a - b);
  // The nearest group of each, so that a merge compares only those whose nearest has changed.
  const nearest = new Int32Array(groups).fill(-1);
  const similarities = new Float64Array(groups);
  const look = (group: number): void => {
    [nearest[group], similarities[group]] = [-1, 0];
    for (const other of open) {
      if (other === group) continue;
      const similarity = dot(rowOf(means, group), rowOf(means, other));
      if (similarity > (similarities[group] ?? 0)) [nearest[group], similarities[group]] = [other, similarity];
    }
  };
  open.forEach(look);
  const merges: { group: number; other: number; similarity: number }[] = [];
  while (open.length > 1) {
    const first = open.reduce((best, group) => ((similarities[group] ?? 0) > (similarities[best] ?? 0) ? group : best));
    if ((nearest[first] ?? -1) < 0) break;
    const [group, other] = [Math.min(first, nearest[first] ?? 0), Math.max(first, nearest[first] ?? 0)];
    merges.push({ group, other, similarity: similarities[first] ?? 0 });
    const [size, more] = [sizes[group] ?? 0, sizes[other] ?? 0];
    const own = rowOf(means, group);
    for (let at = 0; at < own.length; at++)
      own[at] = ((own[at] ?? 0) * size + (means.data[other * means.columns + at] ?? 0) * more) / (size + more);
    sizes[group] = size + more;
    open.splice(open.indexOf(other), 1);
    for (const each of open)
      if (each === group || nearest[each] === group || nearest[each] === other) look(each);
      else {
        const similarity = dot(rowOf(means, each), own);
        if (similarity > (similarities[each] ?? 0)) [nearest[each], similarities[each]] = [group, similarity];
      }
  }
  return { groups, merges };
}

/** The number of each group's branch, where a dendrogram is cut at a similarity. Average similarities can rise: the first merge below it ends the branches. */
export function cutAt({ groups, merges }: Dendrogram, similarity: number): Uint32Array {
  const parent = Uint32Array.from({ length: groups }, (_, group) => group);
  for (const { group, other, similarity: own } of merges) {
    if (own < similarity) break;
    parent[other] = group;
  }
  const root = (group: number): number => {
    let at = group;
    while ((parent[at] ?? at) !== at) at = parent[at] ?? at;
    return at;
  };
  return compacted(Uint32Array.from({ length: groups }, (_, group) => root(group)));
}

/** Numbers in order of first appearance, from 0. */
export function compacted(numbers: Uint32Array): Uint32Array {
  const places = new Map<number, number>();
  return numbers.map((number) => {
    const place = places.get(number) ?? places.size;
    places.set(number, place);
    return place;
  });
}

/** The number of different numbers that are counted from 0. */
export function countOf(numbers: ArrayLike<number>): number {
  let count = 0;
  for (let at = 0; at < numbers.length; at++) count = Math.max(count, (numbers[at] ?? 0) + 1);
  return count;
}
