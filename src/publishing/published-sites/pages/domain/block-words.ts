import { childBlocks, lineText } from '../../../../formats/document/text.js';
import type { Block } from '../../../../formats/document/types.js';

/** Maximum length of an excerpt, in characters. */
const EXCERPT = 2_000;

/** The words of blocks, a line for each that has no blocks of its own; cut where they are too long for an excerpt. */
export function wordsOfBlocks(blocks: readonly Block[]): string {
  const text = blocks
    .filter((block) => childBlocks(block).length === 0)
    .map((block) => lineText(block.nodes ?? []).trim())
    .filter((line) => line !== '')
    .join('\n');
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT - 1)}…` : text;
}
