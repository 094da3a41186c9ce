import { keyed } from './document-codec.js';
import type { Side } from './domain/block-order.js';
import type { Conflict } from './domain/conflict.js';
import type { SettleConflict } from './domain/merge-document.js';
import { withoutKeys } from '../../formats/document/hash.js';
import type { Block, Document } from '../../formats/document/types.js';

/** Settles conflicts of documents: with the blocks of a document by the id of the conflict, else with a side. */
export function settlingBy(
  own: ReadonlyMap<string, Document>,
  sideOf: (conflict: Conflict) => Side | undefined,
): SettleConflict {
  return (conflict) => {
    const document = own.get(conflict.id);
    return document ? inPlaceOf(conflict, document).nodes : sideOf(conflict);
  };
}

/**
 * Assigns keys to blocks that replace those in conflict. Some of them continue these: the ones with their keys, else
 * those most similar to the ones of the request (of primary, if the request has none), else the first. All other keys
 * are created anew, because they might belong to other blocks of the page.
 */
function inPlaceOf({ base, primary, changed }: Conflict, document: Document): Document {
  const versions = [changed, primary, base].map(blocksOf).filter(({ length }) => length > 0);
  const [before = []] = versions;
  const known = new Set(versions.flat().map(({ key }) => key));
  const nodes = document.nodes.map((node) => withKey(withoutKeys(node), known.has(node.key) ? node.key : undefined));
  if (nodes.some(({ key }) => key !== undefined)) return keyed({ ...document, nodes });
  const made = keyed({ ...document, nodes }, { ...document, nodes: before });
  if (made.nodes.some(({ key }) => known.has(key))) return made;
  return { ...made, nodes: made.nodes.map((node, index) => (index === 0 ? withKey(node, before[0]?.key) : node)) };
}

function withKey(block: Block, key: string | undefined): Block {
  return key === undefined ? block : { ...block, key };
}

/** The blocks of one side of a document conflict. */
export function blocksOf(version: unknown): Block[] {
  if (version === null || version === undefined) return [];
  return Array.isArray(version) ? (version as Block[]) : [version as Block];
}
