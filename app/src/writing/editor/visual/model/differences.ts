import { diffArrays } from 'diff';
import { type Attrs, Fragment, type Node } from 'prosemirror-model';
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
  /** The attributes of the node that begins at `from`, which is there in both; nothing else differs then. */
  readonly attrs?: Attrs;
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
  if (isKeyed(before) && before.type === after.type)
    return [
      { from: start, to: start, content: Fragment.empty, attrs: after.attrs },
      ...differencesOf(before, after, start + 1),
    ];
  return [{ from: start, to: start + before.nodeSize, content: Fragment.from(after) }];
}

/** Tells whether two nodes differ in their content alone; rows and columns are known by their ids. */
function isSameBlock(before: Node, after: Node): boolean {
  if (before.isLeaf || before.type !== after.type) return false;
  const name = partName(before);
  return before.sameMarkup(after) || (name !== undefined && name === partName(after));
}

/** Tells whether a block has a key, by which others know it, and content besides its attributes. */
function isKeyed({ isLeaf, attrs }: Node): boolean {
  return !isLeaf && typeof attrs['key'] === 'string';
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

const NO_TEXT = '\uFFFC';
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsIn = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

/** A range of a line out to the ends of its words: none is divided, of which others have written another part. */
function toWords(before: Node, { from: start, before: end, now }: ChangedRange): ChangedRange {
  const text = before.textBetween(0, before.content.size, '', NO_TEXT);
  const isInWord = (at: number): boolean => /\S/.test(text.charAt(at));
  let [back, on] = [0, 0];
  while (isInWord(start - back - 1)) back += 1;
  while (isInWord(end + on)) on += 1;
  return { from: start - back, before: end + on, now: now + on };
}

/** The words that differ in a range of a line; undefined if words that are the same have other marks or inlines. */
function wordDifferences(before: Node, after: Node, changed: ChangedRange): Difference[] | undefined {
  const range = toWords(before, changed);
  const words = (node: Node, to: number): string[] => wordsIn(node.textBetween(range.from, to, '', NO_TEXT));
  const parts = diffArrays(words(before, range.before), words(after, range.now), { timeout: MOST_DIFF_MS });
  if (!parts) return undefined;
  const differences: Difference[] = [];
  let [at, other] = [range.from, range.from];
  for (const { value, added, removed } of parts) {
    const { length } = value.join('');
    const [to, end] = [added ? at : at + length, removed ? other : other + length];
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

/** Tells whether one of two changes is within the other; at its ends both are done. */
function isOverlap(mine: Difference, theirs: Difference): boolean {
  if (mine.from < theirs.to && theirs.from < mine.to) return true;
  if (mine.from !== theirs.from) return false;
  // The attributes of a node, and the node itself or its attributes again.
  return (theirs.attrs !== undefined && mine.to > mine.from) || (mine.attrs !== undefined && isOfNode(theirs));
}

const isOfNode = ({ attrs, from, to }: Difference): boolean => attrs !== undefined || to > from;

/**
 * A change of others without the blank at the end of a line, which the service takes away: somebody may go on behind it.
 * Lines of code keep theirs.
 */
function withoutEndBlank(sent: Node, difference: Difference): Difference {
  const { from, to, content } = difference;
  const [$from, $to] = [sent.resolve(from), sent.resolve(to)];
  const { parent, parentOffset } = $to;
  if (from === to || !$from.sameParent($to) || !parent.isTextblock || parent.type.spec.code) return difference;
  const isEnd = parentOffset === parent.content.size && isBlankAt(sent, to - 1);
  return isEnd && !content.lastChild?.text?.endsWith(' ') ? { ...difference, to: to - 1 } : difference;
}

function isBlankAt(doc: Node, at: number): boolean {
  return at >= 0 && doc.textBetween(at, at + 1, '\n', NO_TEXT) === ' ';
}

/** Words of others for a place where words were typed, too, both of them at the beginning of a line or behind a blank. */
function apart(sent: Node, { from, content }: Difference, typed: readonly Difference[]): Fragment {
  const mine = typed.find((each) => each.from === from && each.to === from && each.attrs === undefined);
  const [before, behind] = [mine?.content.lastChild?.text ?? ' ', content.firstChild?.text ?? ' '];
  if (!/\S$/.test(before) || !/^\S/.test(behind)) return content;
  if (sent.resolve(from).parentOffset > 0 && !isBlankAt(sent, from - 1)) return content;
  return Fragment.from(sent.type.schema.text(' ')).append(content);
}

/**
 * Shows what the server made of `sent` in a document that has been changed since: `transaction` gets the differences
 * from `sent` to `merged`, each where it belongs now. Gives nothing where both changed the same.
 */
export function takeMerged(transaction: Transaction, sent: Node, merged: Node): Transaction | undefined {
  const typed = differencesOf(sent, transaction.doc);
  const theirs = differencesOf(sent, merged).map((each) => withoutEndBlank(sent, each));
  if (typed.some((mine) => theirs.some((each) => isOverlap(mine, each)))) return undefined;
  const since = new StepMap(
    typed.flatMap(({ from, to, content, attrs }) => (attrs ? [] : [from, to - from, content.size])),
  );
  // From the end, so that the positions before stay.
  for (const { from, to, content, attrs } of theirs.reverse()) {
    const start = since.map(from, 1);
    // Text that was typed at the place of an insertion is not replaced by it.
    const end = from === to ? start : Math.max(start, since.map(to, -1));
    if (attrs) transaction.setNodeMarkup(start, null, attrs);
    else if (from < to) transaction.replaceWith(start, end, content);
    else if (content.size > 0) transaction.insert(start, apart(sent, { from, to, content }, typed));
  }
  return transaction.setMeta('addToHistory', false);
}
