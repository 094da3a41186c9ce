import type { Block, Fragment, Node } from './types.js';

/** The plain text of a line: line breaks become spaces, void inlines their visible text. */
export function lineText(nodes: readonly Node[]): string {
  let value = '';
  for (const node of nodes) {
    if (node.object === 'text')
      value += node.leaves
        .map((leaf) => leaf.text)
        .join('')
        .replaceAll('\n', ' ');
    else if (node.object === 'inline') value += inlineText(node);
  }
  return value;
}

function inlineText(node: Extract<Node, { object: 'inline' }>): string {
  switch (node.type) {
    case 'button':
      return node.data.label;
    case 'inline-math':
      return node.data.formula;
    case 'mention':
      return node.data.text ?? '';
    case 'inline-image':
      return node.data.alt ?? '';
    default:
      return lineText(node.nodes ?? []);
  }
}

/** The direct child blocks of a node, including those of its fragments. */
export function childBlocks(node: Node): Block[] {
  if (node.object === 'text') return [];
  const own = (node.nodes ?? []).filter((child): child is Block => child.object === 'block');
  return node.fragments === undefined ? own : [...own, ...node.fragments.flatMap((part) => part.nodes)];
}

/** The blocks among the nodes of a block, which may also be inlines and texts. */
export function blocksIn(nodes: Block['nodes']): Block[] {
  return (nodes ?? []).filter((node): node is Block => node.object === 'block');
}

export function fragmentNamed(node: { fragments?: readonly Fragment[] }, name: string): Fragment | undefined {
  return node.fragments?.find((part) => part.fragment === name);
}

/** The lines of a `code` block, joined. */
export function codeText(node: Block<'code'>): string {
  return (node.nodes ?? []).map((line) => (line.object === 'block' ? lineText(line.nodes ?? []) : '')).join('\n');
}

/** A block, and the blocks below it in document order. */
export const withBelow = (block: Block): Block[] => [block, ...childBlocks(block).flatMap(withBelow)];

/** The first heading among blocks. */
export const headingIn = (blocks: readonly Block[]): Block | undefined =>
  blocks.find(({ type }) => type.startsWith('heading-'));
