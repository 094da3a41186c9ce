import { childBlocks, lineText } from '../document/text.js';
import type { Block, Document } from '../document/types.js';

/** Blocks whose lines are not readable as separate sentences, such as code, formulas and tables. */
const SKIPPED: ReadonlySet<string> = new Set([
  'code',
  'math',
  'table',
  'images',
  'drawing',
  'file',
  'embed',
  'integration',
  'if',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
]);

/**
 * The first words of a document, for descriptions of its page: whole words, at most so many characters, '' if it has
 * none.
 */
export function firstWords(document: Document, length = 160): string {
  const lines: string[] = [];
  let size = 0;
  const enter = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (size > length) return;
      if (block.type === 'paragraph') {
        const line = lineText(block.nodes ?? [])
          .replace(/\s+/g, ' ')
          .trim();
        if (line !== '') lines.push(line);
        size += line.length;
      } else if (!SKIPPED.has(block.type)) enter(childBlocks(block));
    }
  };
  enter(document.nodes);
  return shortened(lines.join(' '), length);
}

function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = [...text.slice(0, length)].slice(0, length - 1).join('');
  const words = kept.replace(/\s+\S*$/u, '');
  return `${(words.length > length / 2 ? words : kept).replace(/[\s,;:.–-]+$/u, '')}…`;
}
