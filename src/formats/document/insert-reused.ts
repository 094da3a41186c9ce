import { mapBlocks } from './map-blocks.js';
import type { Block, Document } from './types.js';

/** Maximum nesting depth of reusable contents. */
export const MAX_REUSED = 8;
/**
 * Maximum number of reusable contents in one page: contents that include each other many times over would make pages
 * too long to read.
 */
export const MOST_REUSED = 500;

/** Replaces references to reusable contents by their blocks; missing and recursive contents become empty. */
export function insertReused(
  document: Document,
  reusable: (block: Block<'reusable-content'>) => Document | undefined,
): Document {
  let count = 0;
  /** `within` lists the documents that enclose the blocks. */
  const inserted = (blocks: readonly Block[], within: readonly Document[]): Block[] =>
    mapBlocks(blocks, (block) => {
      if (block.type !== 'reusable-content') return undefined;
      const found = reusable(block);
      if (!found || within.includes(found) || within.length > MAX_REUSED || count >= MOST_REUSED) return [];
      count++;
      return inserted(found.nodes, [...within, found]);
    });
  return { ...document, nodes: inserted(document.nodes, [document]) };
}
