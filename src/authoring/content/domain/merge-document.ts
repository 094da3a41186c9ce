import { mergeBlocks, type BlockConflict } from './block-merge.js';
import type { MergeBlock, Side } from './block-order.js';
import { conflictOf, type Conflict } from './conflict.js';
import { sameValue, type ItemKey } from './content-item.js';

/** A document as the merge sees it: blocks with keys, and data of the whole document. */
export interface MergeDocument {
  readonly data: Readonly<Record<string, unknown>>;
  readonly nodes: readonly MergeBlock[];
  readonly [property: string]: unknown;
}

/**
 * The versions of a document on the sides of a merge; undefined if there is none, which counts as one without blocks.
 */
export interface DocumentVersions {
  readonly base: MergeDocument | undefined;
  readonly primary: MergeDocument | undefined;
  readonly changed: MergeDocument | undefined;
}

/** Resolves a conflict: a side's version, or other blocks; undefined leaves it open, with primary's side. */
export type SettleConflict = (conflict: Conflict) => Side | readonly MergeBlock[] | undefined;

/**
 * Merges the document of an item by its blocks; undefined if neither side has one. Takes time proportional to the
 * texts.
 */
export function mergeDocument(
  item: ItemKey,
  { base, primary, changed }: DocumentVersions,
  settle: SettleConflict,
): MergeDocument | undefined {
  const frame = primary ?? changed;
  if (!frame) return undefined;
  const { blocks } = mergeBlocks(base?.nodes ?? [], primary?.nodes ?? [], changed?.nodes ?? [], sameValue, (conflict) =>
    settle(conflictOf(documentConflict(item, conflict))),
  );
  return { ...frame, data: mergeData(base?.data, primary?.data, changed?.data), nodes: blocks };
}

function documentConflict(
  item: ItemKey,
  { keys, reason, base, primary, changed }: BlockConflict<MergeBlock>,
): Omit<Conflict, 'id'> {
  if (reason === 'replaced') return { kind: 'blocks', item, blocks: keys, base, primary, changed };
  const [block = ''] = keys;
  return {
    kind: 'block',
    item,
    block,
    base: base[0] ?? null,
    primary: primary[0] ?? null,
    changed: changed[0] ?? null,
  };
}

/** Data of the whole document (its schema version): never a conflict, primary's if both set them. */
function mergeData(
  base: MergeDocument['data'] = {},
  primary: MergeDocument['data'] = {},
  changed: MergeDocument['data'] = {},
): MergeDocument['data'] {
  const names = new Set([...Object.keys(primary), ...Object.keys(changed)]);
  const merged = [...names].map(
    (name) => [name, sameValue(base[name], primary[name]) ? changed[name] : primary[name]] as const,
  );
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}
