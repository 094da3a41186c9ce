import { storedMeta } from './block-ids.js';
import { isObject } from './checks.js';
import { BLOCKS, INLINES, type NodeKind } from './node-kinds.js';
import type { BlockType, Document, InlineType } from './types.js';

/** Blocks and inlines whose public shape always has fragments, even empty ones. */
const FRAGMENTED: ReadonlySet<string> = new Set(['table', 'image', 'annotation']);

/**
 * Adds the default values that callers may omit to a valid document: `isVoid`, empty `data`, empty `fragments`; and
 * removes empty `nodes` from types without nodes, and the ids that reads add. All other code of the service reads documents in this form only.
 */
export function normalizeDocument(document: Document): Document {
  return { ...document, nodes: document.nodes.map((node) => complete(node)) };
}

function complete<Node>(node: Node): Node {
  if (!isObject(node)) return node;
  const kind = kindOf(node);
  const { nodes, fragments, meta: _meta, ...rest } = node;
  const meta = storedMeta(node);
  return {
    ...rest,
    ...(meta && { meta }),
    ...(kind && { isVoid: kind.isVoid, data: node['data'] ?? {} }),
    ...(Array.isArray(nodes) && kind?.nodes !== 'none' && { nodes: nodes.map(complete) }),
    ...(Array.isArray(fragments)
      ? { fragments: fragments.map(complete) }
      : kind && FRAGMENTED.has(String(node['type'])) && { fragments: [] }),
  } as Node;
}

function kindOf({ object, type }: Record<string, unknown>): NodeKind | undefined {
  if (object === 'block') return BLOCKS[type as BlockType];
  return object === 'inline' ? INLINES[type as InlineType] : undefined;
}
