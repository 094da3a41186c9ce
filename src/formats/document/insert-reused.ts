import { mapBlocks } from './map-blocks.js';
import type { Block, Document } from './types.js';

/** How deep reusable contents stand in each other. */
export const MAX_REUSED = 8;
/** Reusable contents in one page: those that hold each other many times over would be more than anybody can read. */
export const MOST_REUSED = 500;

/** The document with reusable contents in the places where they are named; nothing in place of those that are not there, or stand in themselves. */
export function insertReused(
  document: Document,
  reusable: (block: Block<'reusable-content'>) => Document | undefined,
): Document {
  let count = 0;
  /** `within` are the documents around the blocks. */
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
