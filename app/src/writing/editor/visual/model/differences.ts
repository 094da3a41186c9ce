import { diffWordsWithSpace } from 'diff';
import { Fragment, type Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';
import { StepMap } from 'prosemirror-transform';
import { type ChangedRange, changedRange } from './changed-range.js';
import type { Data } from './content.js';

const MOST_DIFF_MS = 100;

/** A part of a document that another version has other content for. */
interface Difference {
  readonly from: number;
  readonly to: number;
  readonly content: Fragment;
}

/** The places at which `after` differs from `before`, in its order: whole blocks, or text within a block of both. */
export function differencesOf(before: Node, after: Node, start = 0): Difference[] {
  if (before.eq(after)) return [];
  if (before.isTextblock) return textDifference(before, after, start);
  const pairs = keptPairs(before, after);
  const offsets = startsOf(before, start);
  const differences: Difference[] = [];
  let [at, other] = [0, 0];
  for (const [index, partner] of [...pairs, [before.childCount, after.childCount] as const]) {
    const [from, to] = [offsets[at] ?? start, offsets[index] ?? start];
    const content = after.slice(startOf(after, other), startOf(after, partner)).content;
    if (from < to || content.size > 0) differences.push({ from, to, content });
    const [one, two] = [before.maybeChild(index), after.maybeChild(partner)];
    if (one && two) differences.push(...childDifferences(one, two, offsets[index] ?? start));
    [at, other] = [index + 1, partner + 1];
  }
  return differences;
}

function childDifferences(before: Node, after: Node, start: number): Difference[] {
  if (before.eq(after)) return [];
  if (isSameBlock(before, after)) return differencesOf(before, after, start + 1);
  return [{ from: start, to: start + before.nodeSize, content: Fragment.from(after) }];
}

/** Tells whether two nodes differ in their content alone; rows and columns are known by their ids. */
function isSameBlock(before: Node, after: Node): boolean {
  if (before.isLeaf || before.type !== after.type) return false;
  const name = partName(before);
  return before.sameMarkup(after) || (name !== undefined && name === partName(after));
}

function partName({ type, attrs }: Node): unknown {
  if (type.name === 'table_row') return attrs['record'];
  return type.name === 'table_header' ? (attrs['column'] as Data | null)?.['id'] : undefined;
}

function textDifference(before: Node, after: Node, start: number): Difference[] {
  const range = changedRange(before, after);
  if (!range) return [];
  const parts = wordDifferences(before, after, range) ?? [
    { from: range.from, to: range.before, content: after.content.cut(range.from, range.now) },
  ];
  return parts.map(({ from, to, content }) => ({ from: start + from, to: start + to, content }));
}

/** The words that differ in a range of a line; undefined if words that are the same have other marks or inlines. */
function wordDifferences(before: Node, after: Node, range: ChangedRange): Difference[] | undefined {
  const textOf = (node: Node, to: number): string => node.textBetween(range.from, to, '', '\uFFFC');
  const parts = diffWordsWithSpace(textOf(before, range.before), textOf(after, range.now), { timeout: MOST_DIFF_MS });
  if (!parts) return undefined;
  const differences: Difference[] = [];
  let [at, other] = [range.from, range.from];
  for (const { value, added, removed } of parts) {
    const [to, end] = [added ? at : at + value.length, removed ? other : other + value.length];
    const content = after.content.cut(other, end);
    if (!added && !removed && !before.content.cut(at, to).eq(content)) return undefined;
    const last = differences.at(-1);
    // Words in place of others are one difference.
    if (added && last?.to === at && last.content.size === 0) differences.splice(-1, 1, { ...last, content });
    else if (added || removed) differences.push({ from: at, to, content });
    [at, other] = [to, end];
  }
  return differences;
}

/** Children that both versions have, as pairs of their indexes that rise in both. */
function keptPairs(before: Node, after: Node): (readonly [number, number])[] {
  const places = new Map<string, number[]>();
  after.forEach((child, _offset, index) => {
    const known = places.get(identity(child));
    if (known) known.push(index);
    else places.set(identity(child), [index]);
  });
  const pairs = before.children.flatMap((child, index) => {
    const place = places.get(identity(child))?.shift();
    return place === undefined ? [] : [[index, place] as const];
  });
  return risingPairs(pairs);
}

/** The name by which a node is known in another version. */
function identity({ type, attrs }: Node): string {
  const name: unknown = attrs['key'] ?? attrs['record'];
  return `${type.name} ${typeof name === 'string' ? name : ''}`;
}

/** As many of the pairs as possible whose second numbers rise. */
function risingPairs(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  pairs.forEach(([, place], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  });
  const rising: (readonly [number, number])[] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) {
    const pair = pairs[index];
    if (pair) rising.unshift(pair);
  }
  return rising;
}

/** The position before each child, and the one behind the last. */
function startsOf(node: Node, start: number): number[] {
  const starts = [start];
  node.forEach((child) => void starts.push((starts.at(-1) ?? start) + child.nodeSize));
  return starts;
}

const startOf = (node: Node, index: number): number => startsOf(node, 0)[index] ?? 0;

/** The blocks that others have put in the place of some, besides these. */
function blocksBeside(content: Fragment, replaced: Fragment): Node[] {
  const known = new Set(replaced.content.map(identity));
  return content.content.filter((node) => node.isBlock && !known.has(identity(node)));
}

function isBlank(doc: Node, from: number, to: number): boolean {
  return /^ +$/.test(doc.textBetween(from, to, '\n', '\uFFFC'));
}

/**
 * Shows what the server made of `sent` in a document that has been changed since: `transaction` gets the differences
 * from `sent` to `merged`, each where it belongs now.
 */
export function takeMerged(transaction: Transaction, sent: Node, merged: Node): Transaction {
  const typed = differencesOf(sent, transaction.doc);
  const since = new StepMap(typed.flatMap(({ from, to, content }) => [from, to - from, content.size]));
  // From the end, so that the positions before stay.
  for (const { from, to, content } of differencesOf(sent, merged).reverse()) {
    const start = since.mapResult(from, 1);
    // Text that was typed at the place of an insertion is not replaced by it.
    const end = from === to ? start : since.mapResult(to, -1);
    // The service takes the blank at the end of a line away, behind which somebody has typed on.
    if (content.size === 0 && isBlank(sent, from, to) && typed.some((mine) => mine.from === to)) continue;
    // A block that is gone here takes nothing in.
    if (start.deletedAcross && end.deletedAcross) continue;
    if (typed.some((mine) => mine.from < to && from < mine.to)) {
      // Both changed the same: what is here stays, with the blocks that are new beside it.
      const added = blocksBeside(content, sent.slice(from, to).content);
      if (added.length > 0) transaction.insert(Math.max(start.pos, end.pos), added);
      continue;
    }
    transaction.replaceWith(Math.min(start.pos, end.pos), Math.max(start.pos, end.pos), content);
  }
  return transaction.setMeta('addToHistory', false);
}
