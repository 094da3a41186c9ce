import { childBlocks, lineText } from './text.js';
import type { Block, Document } from './types.js';

/**
 * Computes the anchor of a heading from its text, as GitBook does: lower case, letters and digits of any script, words
 * joined by a hyphen, `<` and `>` as words. Empty if no letter or digit is left.
 */
export function anchorOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/</g, ' less than ')
    .replace(/>/g, ' greater than ')
    .replace(/[^\p{L}\p{N}.+_]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

/**
 * Assigns anchors that are unique on a page: an explicit id first, else the text, else the text with a number appended.
 */
export class AnchorAllocator {
  private readonly used = new Set<string>();
  /**
   * The least number that may be free after an anchor: trying all of them again takes minutes if thousands are equal.
   */
  private readonly numbers = new Map<string, number>();

  take(wanted: string, fallback: string): string {
    const base = wanted === '' ? fallback : wanted;
    let anchor = base;
    let number = this.numbers.get(base) ?? 1;
    for (; this.used.has(anchor); number++) anchor = `${base}-${number}`;
    this.numbers.set(base, number);
    this.used.add(anchor);
    return anchor;
  }

  /** Reserves an anchor for an explicit id; false if it is already taken. */
  reserve(anchor: string): boolean {
    if (this.used.has(anchor)) return false;
    this.used.add(anchor);
    return true;
  }
}

type Anchored = Extract<Block, { type: 'heading-1' | 'heading-2' | 'heading-3' | 'expandable' | 'tabs-item' }>;

/**
 * The anchors of all link targets of a page, in document order: headings with their ids, expandables and tabs by their
 * titles.
 */
export function anchorsOf(document: Document): Map<Block, string> {
  const blocks: Anchored[] = [];
  const collect = (block: Block): void => {
    if (isAnchored(block)) blocks.push(block);
    childBlocks(block).forEach(collect);
  };
  document.nodes.forEach(collect);
  const anchors = new AnchorAllocator();
  const explicit = new Map<Block, string>();
  for (const block of blocks)
    if ('id' in block.data && block.data.id !== undefined && anchors.reserve(block.data.id))
      explicit.set(block, block.data.id);
  return new Map(
    blocks.map((block) => [block, explicit.get(block) ?? anchors.take(anchorOf(titleOf(block)), fallbackOf(block))]),
  );
}

/** Tells whether a block can be linked to. */
export function isAnchored(block: Block): block is Anchored {
  return (
    block.type.startsWith('heading-') ||
    block.type === 'expandable' ||
    (block.type === 'tabs-item' && (block.data.title ?? '') !== '')
  );
}

function titleOf(block: Anchored): string {
  if (block.type === 'expandable') return lineText(block.fragments?.[0]?.nodes[0]?.nodes ?? []);
  if (block.type === 'tabs-item') return block.data.slug ?? block.data.title ?? '';
  return lineText(block.nodes ?? []);
}

function fallbackOf(block: Anchored): string {
  return block.type === 'expandable' ? 'section' : block.type === 'tabs-item' ? 'tab' : 'heading';
}
