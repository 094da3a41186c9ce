import type { Attrs, Node } from 'prosemirror-model';
import type { ContentBlock, Data } from './content.js';
import { blockType } from './schema.js';

/** The attributes that the nodes of all blocks have, from a block. */
export function attributesOf(block: ContentBlock) {
  const { object: _object, type: _type, key = null, data, nodes: _nodes, fragments: _fragments, ...rest } = block;
  return { key, data: data ?? {}, rest };
}

/** A block without its content, from its node, or from attributes that were kept apart from it. */
export function frameOf(
  node: Node,
  isVoid = false,
  type = blockType(node.type.name),
  attributes: Attrs = node.attrs,
): ContentBlock {
  const rest = (attributes['rest'] as Partial<ContentBlock> | null) ?? { isVoid };
  return { object: 'block', type, ...keyIn(attributes), ...rest, data: attributes['data'] as Data };
}

/** The key among the attributes of a node. */
export function keyIn(attributes: Attrs): { readonly key?: string } {
  const key: unknown = attributes['key'];
  return typeof key === 'string' ? { key } : {};
}

/** A paragraph that stands where a block has none, and that nobody has written in. */
export function isFiller({ attrs, content }: Node): boolean {
  return attrs['isFiller'] === true && content.size === 0;
}
