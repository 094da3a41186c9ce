import type { Document } from '../../../formats/document/types.js';
import { blockWithKey } from './block-place.js';

/** A position in a page: one of its blocks, or a cell of a table block. */
export interface Anchor {
  readonly node?: string;
  readonly tableCell?: { readonly record: string; readonly definition: string };
}

/** The fault of an anchor in a document, by field; undefined if its target exists. */
export function faultOfAnchor(
  document: Document,
  { node, tableCell }: Anchor,
): { readonly path: string; readonly message: string } | undefined {
  if (node === undefined) return tableCell && { path: 'tableCell', message: 'needs the node of its table' };
  const block = blockWithKey(document, node);
  if (block === undefined) return { path: 'node', message: 'is not a block of the page' };
  if (tableCell === undefined) return undefined;
  if (block.type !== 'table') return { path: 'tableCell', message: 'is in no table: the node is none' };
  if (!Object.hasOwn(block.data.records, tableCell.record))
    return { path: 'tableCell.record', message: 'is not a record of the table' };
  if (!Object.hasOwn(block.data.definition, tableCell.definition))
    return { path: 'tableCell.definition', message: 'is not a definition of the table' };
  return undefined;
}
