import type { Block, ContentRef } from '../document/types.js';
import { parseMarkdown } from './parse.js';

/**
 * Parses a description in a specification to blocks. Relative links become text, because they have no target inside a
 * space.
 */
export function descriptionBlocks(text: string): Block[] {
  return text === '' ? [] : parseMarkdown(text, { page: false, resolve: (target) => resolve(target) }).document.nodes;
}

function resolve(target: string): ContentRef | null | undefined {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return undefined;
  return target.startsWith('#') && target.length > 1 ? { kind: 'anchor', anchor: target.slice(1) } : null;
}
