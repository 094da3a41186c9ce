import { contentJson } from '../hash.js';
import { blocksIn, lineText } from '../text.js';
import type { Block } from '../types.js';

export const sameContent = (before: unknown, after: unknown): boolean => contentJson(before) === contentJson(after);

/** All text of a block, for finding the one that it was. */
export function textOf(block: Block): string {
  const own = lineText((block.nodes ?? []).filter(({ object }) => object !== 'block'));
  const inside = [...blocksIn(block.nodes), ...(block.fragments ?? []).flatMap(({ nodes }) => nodes)];
  return [own, ...inside.map(textOf)].join(' ');
}
