import { anchorsOf, isAnchored } from './anchors.js';
import { isObject } from './checks.js';
import type { Block, Document, Fragment, Node } from './types.js';

const ANCHORED_TYPES = /"type":"(?:heading-\d|expandable|tabs-item)"/;

/** Tells whether the JSON of a document may contain blocks that can be linked to. */
export function mayHoldAnchors(json: string): boolean {
  return ANCHORED_TYPES.test(json);
}

/**
 * Adds `meta.id` to all blocks that can be linked to: the ids that they have on the published page. They follow from
 * the whole document, so they are never stored.
 */
export function withBlockIds(document: Document): Document {
  const anchors = anchorsOf(document);
  const named = <Part extends Node | Fragment>(part: Part): Part => {
    if (part.object === 'text') return part;
    const id = part.object === 'block' ? anchors.get(part) : undefined;
    const inner = part as { nodes?: Node[]; fragments?: Fragment[] };
    return {
      ...part,
      ...(inner.nodes && { nodes: inner.nodes.map(named) }),
      ...(inner.fragments && { fragments: inner.fragments.map(named) }),
      ...(id !== undefined && { meta: { ...(part as Block).meta, id } }),
    };
  };
  return { ...document, nodes: document.nodes.map(named) };
}

/** The `meta` of a block as it is stored: without the id that reads add. */
export function storedMeta(block: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const { meta } = block;
  if (!isObject(meta)) return undefined;
  // A tab may be given without its data.
  const { object, type, data = {} } = block;
  if (object !== 'block' || typeof type !== 'string' || !isAnchored({ type, data } as Block)) return meta;
  const { id: _id, ...rest } = meta;
  return Object.keys(rest).length > 0 ? rest : undefined;
}
