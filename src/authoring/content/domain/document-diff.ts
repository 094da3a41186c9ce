import { diffArrays } from 'diff';
import { contentJson } from '../../../formats/document/hash.js';
import { sameMarks } from '../../../formats/document/same-marks.js';
import { blocksIn, lineText } from '../../../formats/document/text.js';
import type { Block, Document, Leaf, Node } from '../../../formats/document/types.js';
import { sideOrder, type MergeBlock } from './block-order.js';

/**
 * Words of a line that are inserted and deleted at most: a line with more is shown as replaced. The time for comparing
 * grows with their square.
 */
const MAX_EDITS = 1_000;

/** A part of a line of text. */
export interface DiffRun {
  readonly change: 'unchanged' | 'inserted' | 'deleted';
  readonly text: string;
  /** The same with its marks and inlines. */
  readonly nodes: readonly Node[];
}

/** A block in both versions of a document. */
export interface BlockDiff {
  readonly change: 'unchanged' | 'inserted' | 'deleted' | 'moved' | 'changed';
  /** A changed block that was moved, too. */
  readonly moved?: true;
  readonly key: string;
  readonly type: string;
  /** The name of the part of its parent that the block is in, such as a cell of a table. */
  readonly fragment?: string;
  /** The earlier block: of deleted and changed ones. Without its content where `runs` or `blocks` have it. */
  readonly before?: object;
  /** The later block: of all that are not deleted. Without its content where `runs` or `blocks` have it. */
  readonly after?: object;
  /** The text of a changed block. */
  readonly runs?: readonly DiffRun[];
  /** The blocks inside of a changed one. */
  readonly blocks?: readonly DiffEntry[];
}

/** A number of unchanged blocks that are left out. */
export interface SkippedBlocks {
  readonly change: 'skipped';
  readonly count: number;
}

export type DiffEntry = BlockDiff | SkippedBlocks;

/** A block with the name of the fragment that it is in. */
type PlacedBlock = MergeBlock & { readonly block: Block; readonly fragment?: string };

/**
 * Compares two versions of a document block by block, in the order of the later one; deleted blocks are where they were.
 * A block is the same one, changed, if it has the same key. Unchanged blocks are left out, but for `context` on both
 * sides of a change.
 */
export function diffDocuments(
  before: Document | undefined,
  after: Document | undefined,
  context: number,
): readonly DiffEntry[] {
  return diffBlocks(placed(before?.nodes ?? []), placed(after?.nodes ?? []), context);
}

function placed(blocks: readonly Block[], fragment?: string): PlacedBlock[] {
  return blocks.map((block) => ({ key: block.key ?? '', block, ...(fragment !== undefined && { fragment }) }));
}

function diffBlocks(before: readonly PlacedBlock[], after: readonly PlacedBlock[], context: number): DiffEntry[] {
  const side = sideOrder(before, after);
  const earlier = new Map(before.map((each) => [each.key, each]));
  const entries: BlockDiff[] = [];
  const deletedFrom = (from: number, to: number): void => {
    for (const each of before.slice(from, to)) {
      if (!side.byKey.has(each.key))
        entries.push({ change: 'deleted', ...factsOf(each), before: each.block });
    }
  };
  let place = 0;
  for (const each of after) {
    const was = earlier.get(each.key);
    const isMoved = side.moved.has(each.key);
    if (was && !isMoved) {
      const index = before.indexOf(was, place);
      deletedFrom(place, index);
      place = index + 1;
    }
    entries.push(was ? changeOf(was.block, each, isMoved, context) : { change: 'inserted', ...factsOf(each), after: each.block });
  }
  deletedFrom(place, before.length);
  return withContext(entries, context);
}

const factsOf = ({ key, block, fragment }: PlacedBlock): Pick<BlockDiff, 'key' | 'type' | 'fragment'> => ({
  key,
  type: block.type,
  ...(fragment !== undefined && { fragment }),
});

function changeOf(was: Block, now: PlacedBlock, isMoved: boolean, context: number): BlockDiff {
  const { block } = now;
  if (contentJson(was) === contentJson(block))
    return { change: isMoved ? 'moved' : 'unchanged', ...factsOf(now), after: block };
  const content = contentChange(was, block, context);
  return {
    change: 'changed',
    ...(isMoved && { moved: true as const }),
    ...factsOf(now),
    before: content ? frameOf(was) : was,
    after: content ? frameOf(block) : block,
    ...content,
  };
}

/** How the content of a block changed: its text, or the blocks in it; undefined if it has none in both versions. */
function contentChange(
  was: Block,
  now: Block,
  context: number,
): Pick<BlockDiff, 'runs'> | Pick<BlockDiff, 'blocks'> | undefined {
  const [before, after] = [was, now].map(insideOf);
  if (before && after && before.length + after.length > 0) return { blocks: diffBlocks(before, after, context) };
  if (was.type !== now.type || !was.nodes || !now.nodes) return undefined;
  return { runs: diffLines(was.nodes, now.nodes) };
}

/** The blocks inside of a block, with those of its fragments; undefined for a block of text. */
function insideOf({ nodes, fragments }: Block): PlacedBlock[] | undefined {
  const blocks = blocksIn(nodes);
  if (blocks.length === 0 && nodes !== undefined && nodes.length > 0) return undefined;
  return [
    ...placed(blocks),
    ...(fragments ?? []).flatMap((part) => placed(part.nodes, part.fragment ?? part.type ?? '')),
  ];
}

function frameOf({ nodes: _nodes, fragments: _fragments, ...frame }: Block): object {
  return frame;
}

/** Leaves out the unchanged entries that are further than `context` from a change. */
function withContext(entries: readonly BlockDiff[], context: number): DiffEntry[] {
  const shown = new Uint8Array(entries.length);
  entries.forEach(({ change }, index) => {
    if (change !== 'unchanged')
      shown.fill(1, Math.max(0, index - context), Math.min(entries.length, index + context + 1));
  });
  const result: DiffEntry[] = [];
  let count = 0;
  const close = (): void => {
    if (count > 0) result.push({ change: 'skipped', count });
    count = 0;
  };
  entries.forEach((entry, index) => {
    if (shown[index] === 0) return void count++;
    close();
    result.push(entry);
  });
  close();
  return result;
}

/** A word of a line, or an inline as a whole. */
interface Token {
  readonly identity: string;
  readonly node: Node;
}

/** The words that both versions of a line have, and those that one of them has, with their marks. */
export function diffLines(before: readonly Node[], after: readonly Node[]): DiffRun[] {
  const [was, now] = [tokensOf(before), tokensOf(after)];
  const parts = diffArrays(was.map(identityOf), now.map(identityOf), { maxEditLength: MAX_EDITS }) ?? [
    { count: was.length, removed: true, added: false },
    { count: now.length, removed: false, added: true },
  ];
  let [from, to] = [0, 0];
  return parts.flatMap(({ count, removed, added }): DiffRun[] => {
    const tokens = removed ? was.slice(from, from + count) : now.slice(to, to + count);
    if (!added) from += count;
    if (!removed) to += count;
    if (tokens.length === 0) return [];
    const nodes = joined(tokens);
    return [{ change: removed ? 'deleted' : added ? 'inserted' : 'unchanged', text: lineText(nodes), nodes }];
  });
}

const identityOf = ({ identity }: Token): string => identity;

const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

function tokensOf(nodes: readonly Node[]): Token[] {
  return nodes.flatMap((node): Token[] => {
    if (node.object !== 'text') return [{ identity: contentJson(node), node }];
    return node.leaves.flatMap((leaf) => {
      const marks = contentJson(leaf.marks);
      return Array.from(WORDS.segment(leaf.text), ({ segment }) => ({
        identity: `${segment} ${marks}`,
        node: { object: 'text' as const, leaves: [{ ...leaf, text: segment }] },
      }));
    });
  });
}

/** The nodes of tokens: words behind each other are one text, and those with the same marks one leaf of it. */
function joined(tokens: readonly Token[]): Node[] {
  const result: Node[] = [];
  let leaves: Leaf[] | undefined;
  for (const { node } of tokens) {
    if (node.object !== 'text') {
      leaves = undefined;
      result.push(node);
      continue;
    }
    if (!leaves) {
      leaves = [];
      result.push({ object: 'text', leaves });
    }
    for (const leaf of node.leaves) {
      const last = leaves.at(-1);
      if (last && sameMarks(last.marks, leaf.marks)) last.text += leaf.text;
      else leaves.push({ ...leaf });
    }
  }
  return result;
}
