import { contentJson } from '../hash.js';
import { assignKeys } from '../keys.js';
import { longestIncreasing } from '../longest-increasing.js';
import { differencesOf } from '../sequence-difference.js';
import { blocksIn } from '../text.js';
import type { Block, Document } from '../types.js';
import { sameContent } from './block-content.js';
import type { BlockDiff, ContentDiff, FrameChange } from './diff-types.js';
import { diffLine, newBudget, type DiffBudget } from './line-diff.js';
import { diffTables } from './table-diff.js';

/** Blocks that hold one line of text. */
const LINES: ReadonlySet<string> = new Set(['paragraph', 'heading-1', 'heading-2', 'heading-3']);

/**
 * Compares two versions of a document block by block, in the order of the later one; deleted blocks are where they were.
 * A block is the same one if it has the same key. Blocks without keys, as those of computed pages, are matched by their
 * content.
 */
export function diffDocuments(before: Document | undefined, after: Document | undefined): readonly BlockDiff[] {
  const was = before && withKeys(before);
  const now = after && withKeys(after, was);
  return diffBlocks(was?.nodes ?? [], now?.nodes ?? [], newBudget());
}

/** Stored documents have keys. */
function withKeys(document: Document, previous?: Document): Document {
  let count = 0;
  return document.nodes.every(({ key }) => key !== undefined)
    ? document
    : assignKeys(document, previous, () => `~${(previous ? 'b' : 'a') + String(++count)}`);
}

function diffBlocks(before: readonly Block[], after: readonly Block[], budget: DiffBudget): BlockDiff[] {
  const [first, last] = [before[0], after[0]];
  // One line in place of another, as in most cells.
  if (before.length === 1 && after.length === 1 && first && last && areLines(first, last))
    return [pairOf(first, last, false, budget)];
  const places = new Map(before.map((block, index) => [keyOf(block), index]));
  const common = after.flatMap((block) => places.get(keyOf(block)) ?? []);
  const unmoved = new Set(longestIncreasing(common).map((position) => common[position]));
  const kept = new Set(after.map(keyOf));
  const entries: BlockDiff[] = [];
  let next = 0;
  const deletedUpTo = (end: number): void => {
    for (; next < end; next++) {
      const block = before[next];
      if (block && !kept.has(keyOf(block))) entries.push({ change: 'deleted', key: keyOf(block), before: block });
    }
  };
  for (const block of after) {
    const place = places.get(keyOf(block));
    const was = place === undefined ? undefined : before[place];
    if (place !== undefined && unmoved.has(place)) deletedUpTo(place + 1);
    entries.push(
      was ? pairOf(was, block, !unmoved.has(place), budget) : { change: 'inserted', key: keyOf(block), after: block },
    );
  }
  deletedUpTo(before.length);
  return entries;
}

const keyOf = ({ key = '' }: Block): string => key;

const areLines = (before: Block, after: Block): boolean => LINES.has(before.type) && LINES.has(after.type);

function pairOf(before: Block, after: Block, isMoved: boolean, budget: DiffBudget): BlockDiff {
  const pair = { key: keyOf(after), before, after };
  if (contentJson(before) === contentJson(after)) return { ...pair, change: isMoved ? 'moved' : 'unchanged' };
  const content = contentOf(before, after, budget);
  return {
    ...pair,
    change: 'changed',
    ...(isMoved && { moved: true as const }),
    ...(content && { content, frame: frameChanges(before, after) }),
  };
}

/** How the content of a block differs; undefined if it is another one as a whole. */
function contentOf(before: Block, after: Block, budget: DiffBudget): ContentDiff | undefined {
  if (areLines(before, after)) return { kind: 'line', runs: diffLine(before.nodes ?? [], after.nodes ?? [], budget) };
  if (before.type === 'table' && after.type === 'table')
    return before.data.view.type === after.data.view.type
      ? { kind: 'table', table: diffTables(before, after, (was, now) => diffBlocks(was, now, budget)) }
      : undefined;
  if (before.type !== after.type || isReplaced(before, after)) return undefined;
  if (before.type === 'code' && after.type === 'code')
    return { kind: 'blocks', blocks: diffCode(blocksIn(before.nodes), blocksIn(after.nodes)), fragments: new Map() };
  const names = new Set([...partsOf(after).keys(), ...partsOf(before).keys()]);
  return {
    kind: 'blocks',
    blocks: diffBlocks(blocksIn(before.nodes), blocksIn(after.nodes), budget),
    fragments: new Map(
      [...names].map((name) => [
        name,
        diffBlocks(partsOf(before).get(name) ?? [], partsOf(after).get(name) ?? [], budget),
      ]),
    ),
  };
}

/** A block that shows something else than before, such as another image; or that has no content of its own. */
function isReplaced(before: Block, after: Block): boolean {
  const hasContent = [before, after].some(
    ({ nodes, fragments }) => (nodes ?? []).length > 0 || (fragments ?? []).length > 0,
  );
  return !hasContent || (('ref' in before.data || 'url' in before.data) && !sameContent(before.data, after.data));
}

/** The named parts of a block. */
function partsOf({ fragments }: Pick<Block, 'fragments'>): ReadonlyMap<string, readonly Block[]> {
  return new Map((fragments ?? []).map((part) => [part.fragment ?? part.type ?? '', part.nodes]));
}

/** Lines of code are compared by what they say: their keys do not count. */
function diffCode(before: readonly Block[], after: readonly Block[]): BlockDiff[] {
  const [was, now] = [before.map(contentJson), after.map(contentJson)];
  const entries: BlockDiff[] = [];
  let [from, to] = [0, 0];
  const unchangedUpTo = (end: number): void => {
    for (; from < end; from++, to++) {
      const [earlier, later] = [before[from], after[to]];
      if (earlier && later) entries.push({ change: 'unchanged', key: keyOf(later), before: earlier, after: later });
    }
  };
  for (const difference of differencesOf(was, now)) {
    unchangedUpTo(difference.before.from);
    for (const block of before.slice(difference.before.from, difference.before.to))
      entries.push({ change: 'deleted', key: keyOf(block), before: block });
    for (const block of after.slice(difference.after.from, difference.after.to))
      entries.push({ change: 'inserted', key: keyOf(block), after: block });
    [from, to] = [difference.before.to, difference.after.to];
  }
  unchangedUpTo(before.length);
  return entries;
}

/** The properties of a block that differ, without its content. */
function frameChanges(before: Block, after: Block): FrameChange[] {
  const [was, now] = [frameOf(before), frameOf(after)];
  const names = new Set([...Object.keys(was), ...Object.keys(now)]);
  return [...names].flatMap((attribute) =>
    sameContent(was[attribute], now[attribute])
      ? []
      : [
          {
            attribute,
            ...(was[attribute] !== undefined && { before: was[attribute] }),
            ...(now[attribute] !== undefined && { after: now[attribute] }),
          },
        ],
  );
}

function frameOf(block: Block): Record<string, unknown> {
  if (block.type !== 'table') return { ...block.data, type: block.type };
  const { records: _records, definition: _definition, view, ...data } = block.data;
  const { columns: _columns, columnWidths: _widths, ...shape } = { columnWidths: undefined, ...view };
  return { ...data, ...shape };
}
