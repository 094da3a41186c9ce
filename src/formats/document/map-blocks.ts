import { paragraph } from './build.js';
import type { Block, Fragment, Inline, Node } from './types.js';

/** The replacement of a block; undefined for a block that stays and whose content is visited. */
export type ReplaceBlock = (block: Block) => readonly Block[] | undefined;

/** Replaces blocks at any depth. */
export function mapBlocks(blocks: readonly Block[], replace: ReplaceBlock): Block[] {
  return blocks.flatMap((block) => replace(block) ?? [inside(block, replace)]);
}

function inside<Holder extends Block | Inline>(node: Holder, replace: ReplaceBlock): Holder {
  const { nodes, fragments } = node;
  return {
    ...node,
    ...(nodes && { nodes: children(nodes, replace) }),
    ...(fragments && { fragments: fragments.map((fragment) => insideFragment(fragment, replace)) }),
  };
}

function children(nodes: readonly Node[], replace: ReplaceBlock): Node[] {
  return nodes.flatMap((node): Node[] =>
    node.object === 'text' ? [node] : node.object === 'block' ? mapBlocks([node], replace) : [inside(node, replace)],
  );
}

/** A fragment always keeps a block: most kinds of fragments require one. */
function insideFragment(fragment: Fragment, replace: ReplaceBlock): Fragment {
  const nodes = mapBlocks(fragment.nodes, replace);
  return { ...fragment, nodes: nodes.length === 0 && fragment.nodes.length > 0 ? [paragraph()] : nodes };
}
