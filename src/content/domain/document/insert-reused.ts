import { paragraph } from './build.js';
import type { Block, Document, Fragment, Inline, Node } from './types.js';

/** How deep reusable contents stand in each other. */
export const MAX_REUSED = 8;
/** Reusable contents in one page: those that hold each other many times over would be more than anybody can read. */
export const MOST_REUSED = 500;

/** The document with reusable contents in the places where they are named; nothing in place of those that are not there, or stand in themselves. */
export function insertReused(document: Document, reusable: (block: Block<'reusable-content'>) => Document | undefined): Document {
  const insertion = new Insertion(reusable);
  return { ...document, nodes: insertion.blocks(document.nodes, [document]) };
}

class Insertion {
  private count = 0;

  constructor(private readonly reusable: (block: Block<'reusable-content'>) => Document | undefined) {}

  /** `within` are the documents around them. */
  blocks(blocks: readonly Block[], within: readonly Document[]): Block[] {
    return blocks.flatMap((block) => {
      if (block.type !== 'reusable-content') return [this.inside(block, within)];
      const found = this.reusable(block);
      if (!found || within.includes(found) || within.length > MAX_REUSED || this.count >= MOST_REUSED) return [];
      this.count++;
      return this.blocks(found.nodes, [...within, found]);
    });
  }

  private inside<Holder extends Block | Inline>(node: Holder, within: readonly Document[]): Holder {
    const { nodes, fragments } = node;
    return { ...node, ...(nodes && { nodes: this.children(nodes, within) }), ...(fragments && { fragments: fragments.map((fragment) => this.fragment(fragment, within)) }) };
  }

  private children(nodes: readonly Node[], within: readonly Document[]): Node[] {
    return nodes.flatMap((node): Node[] => (node.object === 'text' ? [node] : node.object === 'block' ? this.blocks([node], within) : [this.inside(node, within)]));
  }

  /** A fragment is never left without a block: most kinds of them must have one. */
  private fragment(fragment: Fragment, within: readonly Document[]): Fragment {
    const nodes = this.blocks(fragment.nodes, within);
    return { ...fragment, nodes: nodes.length === 0 && fragment.nodes.length > 0 ? [paragraph()] : nodes };
  }
}
