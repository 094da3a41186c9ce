import { differencesOf, type SequenceRange } from './sequence-difference.js';
import { contentJson } from './hash.js';
import { childBlocks, codeText, lineText } from './text.js';
import type { Block, Document, Fragment, Node } from './types.js';

/** Two blocks count as the same block, edited, if they share at least this part of their words. */
const SIMILAR = 0.4;
/** Above this many comparisons edited blocks are matched by position alone. */
const MAX_COMPARISONS = 10_000;

/**
 * Gives every block a key. A block whose content the previous version of the page has keeps its key there; an edited
 * block gets the key of the block that it most probably was. Keys are unique in the document. A block with a key of its
 * own keeps it.
 */
export function assignKeys(document: Document, previous: Document | undefined, newKey: () => string): Document {
  const used = new Set<string>();
  return { ...document, nodes: assignList(document.nodes, previous?.nodes ?? [], false, { used, newKey }) };
}

interface Assignment {
  used: Set<string>;
  newKey: () => string;
}

/** The block of the previous version that another one continues; `same` if only keys differ. */
interface Partner {
  readonly block: Block;
  readonly same: boolean;
}

/** `same` means that the blocks have the content of the previous ones, one by one. */
function assignList(
  blocks: readonly Block[],
  previous: readonly Block[],
  same: boolean,
  assignment: Assignment,
): Block[] {
  const partners = same ? previous.map((block): Partner => ({ block, same })) : matchBlocks(blocks, previous);
  return blocks.map((block, index) => assignBlock(block, partners[index], assignment));
}

function assignBlock(block: Block, partner: Partner | undefined, assignment: Assignment): Block {
  const key = takeKey(block.key ?? partner?.block.key, assignment);
  const same = partner?.same ?? false;
  const nodes =
    block.nodes === undefined ? {} : { nodes: assignNodes(block.nodes, partner?.block.nodes ?? [], same, assignment) };
  const fragments =
    block.fragments === undefined
      ? {}
      : { fragments: assignFragments(block.fragments, partner?.block.fragments ?? [], same, assignment) };
  return { ...block, key, ...nodes, ...fragments };
}

function takeKey(wanted: string | undefined, { used, newKey }: Assignment): string {
  let key = wanted;
  while (key === undefined || used.has(key)) key = newKey();
  used.add(key);
  return key;
}

/** Blocks among the nodes get keys; in a line, so do the blocks of annotations. */
function assignNodes(nodes: readonly Node[], previous: readonly Node[], same: boolean, assignment: Assignment): Node[] {
  const blocks = nodes.filter((node): node is Block => node.object === 'block');
  if (blocks.length > 0) {
    const made = assignList(
      blocks,
      previous.filter((node): node is Block => node.object === 'block'),
      same,
      assignment,
    );
    let next = 0;
    return nodes.map((node) => (node.object === 'block' ? (made[next++] ?? node) : node));
  }
  const annotations = previous.filter((node) => node.object === 'inline' && node.fragments !== undefined);
  let next = 0;
  return nodes.map((node) => {
    if (node.object !== 'inline' || node.fragments === undefined) return node;
    const before = annotations[next++];
    const fragments = before?.object === 'inline' ? (before.fragments ?? []) : [];
    return { ...node, fragments: assignFragments(node.fragments, fragments, same, assignment) };
  });
}

function assignFragments(
  fragments: readonly Fragment[],
  previous: readonly Fragment[],
  same: boolean,
  assignment: Assignment,
): Fragment[] {
  const byName = new Map(previous.map((fragment) => [fragment.fragment, fragment]));
  return fragments.map((fragment) => {
    const before = byName.get(fragment.fragment);
    return {
      ...fragment,
      nodes: assignList(fragment.nodes, before?.nodes ?? [], same && before !== undefined, assignment),
    };
  });
}

/** Finds the block of the previous version that each block continues. */
function matchBlocks(blocks: readonly Block[], previous: readonly Block[]): (Partner | undefined)[] {
  const partners: (Partner | undefined)[] = blocks.map(() => undefined);
  if (previous.length === 0) return partners;
  const before = previous.map(contentJson);
  const after = blocks.map(contentJson);
  const taken = new Set<Block>();
  const pair: Pair = (index, block, same) => {
    if (block === undefined || taken.has(block)) return;
    partners[index] = { block, same };
    taken.add(block);
  };
  const differences = differencesOf(before, after);
  let [from, to] = [0, 0];
  for (const difference of [...differences, { before: end(previous), after: end(blocks) }]) {
    for (; from < difference.before.from; from++, to++) pair(to, previous[from], true);
    [from, to] = [difference.before.to, difference.after.to];
  }
  matchMoved(before, after, previous, partners, pair, taken);
  for (const difference of differences)
    matchEdited(range(difference.after), range(difference.before), blocks, previous, partners, pair, taken);
  return partners;
}

const end = ({ length }: readonly unknown[]): SequenceRange => ({ from: length, to: length });

function range({ from, to }: SequenceRange): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

type Pair = (index: number, block: Block | undefined, same: boolean) => void;

/** Equal blocks that the difference lists as removed in one place and added in another were moved. */
function matchMoved(
  before: readonly string[],
  after: readonly string[],
  previous: readonly Block[],
  partners: readonly (Partner | undefined)[],
  pair: Pair,
  taken: ReadonlySet<Block>,
): void {
  const free = new Map<string, Block[]>();
  // Backwards, since the last element of a list is taken first.
  for (let index = previous.length - 1; index >= 0; index--) {
    const [block, content] = [previous[index], before[index]];
    if (block === undefined || content === undefined || taken.has(block)) continue;
    const known = free.get(content);
    if (known) known.push(block);
    else free.set(content, [block]);
  }
  after.forEach((content, index) => {
    if (partners[index] === undefined) pair(index, free.get(content)?.pop(), true);
  });
}

/**
 * Matches blocks within one changed range: the most similar block of the same type, else the one at the same position.
 */
function matchEdited(
  added: readonly number[],
  removed: readonly number[],
  blocks: readonly Block[],
  previous: readonly Block[],
  partners: readonly (Partner | undefined)[],
  pair: Pair,
  taken: ReadonlySet<Block>,
): void {
  const open = added.filter((index) => partners[index] === undefined);
  const candidates = removed.flatMap((index) => previous[index] ?? []).filter((block) => !taken.has(block));
  if (open.length * candidates.length <= MAX_COMPARISONS) {
    const words = new Map<Block, Set<string>>();
    const wordsOf = (block: Block): Set<string> => {
      const known =
        words.get(block) ??
        new Set(
          blockText(block)
            .split(/\s+/)
            .filter((word) => word !== ''),
        );
      words.set(block, known);
      return known;
    };
    const scores = open.flatMap((index) =>
      candidates.flatMap((candidate) => {
        const block = blocks[index];
        if (block?.type !== candidate.type) return [];
        return [{ index, candidate, score: similarity(wordsOf(block), wordsOf(candidate)) }];
      }),
    );
    scores.sort((a, b) => b.score - a.score);
    for (const { index, candidate, score } of scores) {
      if (score >= SIMILAR && partners[index] === undefined) pair(index, candidate, false);
    }
  }
  if (added.length !== removed.length) return;
  added.forEach((index, place) => {
    const candidate = previous[removed[place] ?? -1];
    if (partners[index] === undefined && candidate?.type === blocks[index]?.type) pair(index, candidate, false);
  });
}

/**
 * The share of common words of two blocks; iterates over the shorter one, so that comparing a long block with many
 * short ones costs no more than the length of these.
 */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [fewer, more] = a.size < b.size ? [a, b] : [b, a];
  const score = (shared: number) => (2 * shared) / (a.size + b.size);
  if (fewer.size === 0 || score(fewer.size) < SIMILAR) return 0;
  let shared = 0;
  for (const word of fewer) if (more.has(word)) shared++;
  return score(shared);
}

/** All words of a block, including those of the blocks inside it. */
function blockText(block: Block): string {
  if (block.type === 'code') return codeText(block);
  const own = lineText((block.nodes ?? []).filter((node) => node.object !== 'block'));
  return [own, ...childBlocks(block).map(blockText)].join('\n');
}
