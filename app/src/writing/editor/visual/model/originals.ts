import type { Node } from 'prosemirror-model';
import type { ContentBlock } from './content.js';

/**
 * The blocks of the document that the editor was opened with, by the nodes that were made of them. A node that is still
 * as it was becomes the very block that it came from, with everything in it that the editor knows nothing about.
 */
export class Originals {
  private readonly blocks = new WeakMap<Node, ContentBlock>();
  private readonly nodes = new Map<string, Node>();

  remember(node: Node, block: ContentBlock): void {
    this.blocks.set(node, block);
    if (block.key !== undefined) this.nodes.set(block.key, node);
  }

  /** The block that a node came from, if it is as it was, or again. */
  of(node: Node): ContentBlock | undefined {
    const known = this.blocks.get(node);
    if (known) return known;
    const before = this.nodes.get(String(node.attrs['key']));
    return before?.eq(node) ? this.blocks.get(before) : undefined;
  }
}
