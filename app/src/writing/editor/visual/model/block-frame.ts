import type { Attrs, Node } from 'prosemirror-model';
import type { ContentBlock, Data } from './content.js';
import { blockType } from './schema.js';

/** The blocks whose `meta` has an id that follows from the document: it comes with every read, and is never stored. */
const ANCHORED = /^(?:heading-\d|expandable|tabs-item)$/;

/** The fields of a block beside its content that are its own. */
export function ownFields(block: ContentBlock): Partial<ContentBlock> {
  const {
    object: _object,
    type,
    key: _key,
    isVoid: _isVoid,
    data: _data,
    nodes: _nodes,
    fragments: _parts,
    ...rest
  } = block;
  const { meta, ...others } = rest;
  const { id, ...more } = meta ?? {};
  const own = ANCHORED.test(type) || id === undefined ? more : { id, ...more };
  return { ...others, ...(Object.keys(own).length > 0 && { meta: own }) };
}

/** The attributes that the nodes of all blocks have, from a block; a block that was written here has the same ones. */
export function attributesOf(block: ContentBlock) {
  const rest = ownFields(block);
  return { key: block.key ?? null, data: block.data ?? {}, rest: Object.keys(rest).length > 0 ? rest : null };
}

/** A block without its content, from its node, or from attributes that were kept apart from it. */
export function frameOf(
  node: Node,
  isVoid = false,
  type = blockType(node.type.name),
  attributes: Attrs = node.attrs,
): ContentBlock {
  const rest = attributes['rest'] as Partial<ContentBlock> | null;
  return { object: 'block', type, ...keyIn(attributes), isVoid, ...rest, data: attributes['data'] as Data };
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
