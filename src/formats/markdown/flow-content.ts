import { block, rawBlock } from '../document/build.js';
import type { Block, HeadingData, Node } from '../document/types.js';
import { INLINE_ELEMENTS } from './html.js';
import type { MarkupNode } from './nest-markup.js';

/** Tells whether Markdown blocks are inside, so that the element cannot be part of a line. */
export function holdsFlow(nodes: readonly MarkupNode[]): boolean {
  return nodes.some((node) => {
    if (node.kind === 'markdown') return !PHRASING.has(node.node.type);
    if (node.kind === 'tag') return true;
    return node.kind === 'element' && (!INLINE_ELEMENTS.has(node.name) || holdsFlow(node.children));
  });
}

const PHRASING = new Set<string>([
  'text',
  'emphasis',
  'strong',
  'delete',
  'inlineCode',
  'inlineMath',
  'link',
  'image',
  'break',
  'emoji',
  'footnoteReference',
  'linkReference',
  'imageReference',
]);

/** A heading of the given depth: 4 to 6 are `heading-3` with their level. */
export function headingBlock(depth: number, nodes: readonly Node[], data: HeadingData): Block {
  if (depth === 1) return block('heading-1', data, nodes);
  if (depth === 2) return block('heading-2', data, nodes);
  if (depth === 3) return block('heading-3', data, nodes);
  return block('heading-3', { ...data, level: depth === 4 ? 4 : depth === 5 ? 5 : 6 }, nodes);
}

export const HEADING_ID = /^[-a-z0-9.+_]+$/;

/**
 * Creates a paragraph from a line. Block tags at its beginning that open or close nothing become blocks of their own.
 */
export function lineBlocks(line: readonly Node[]): Block[] {
  const hidden = line.map((part) =>
    part.object === 'inline' && part.type === 'expression' ? part.data.raw : undefined,
  );
  const all = hidden.every((raw) => raw !== undefined);
  const rest = hidden.findIndex((raw) => raw === undefined || !(all || startsBlock(raw)));
  const count = rest === -1 ? line.length : rest;
  const raws = hidden.slice(0, count).flatMap((raw) => (raw === undefined ? [] : [rawBlock(raw)]));
  return count === line.length ? raws : [...raws, block('paragraph', {}, line.slice(count))];
}

function startsBlock(raw: string): boolean {
  const name = /^<\/?([a-z][a-z0-9]*)/i.exec(raw)?.[1]?.toLowerCase();
  return name === undefined || !INLINE_ELEMENTS.has(name);
}
