import { mergeBlocks, type BlockConflict } from './block-merge.js';
import type { MergeBlock, Side } from './block-order.js';
import { conflictOf, ConflictBook, sideOf, type Conflict, type Resolutions } from './conflict.js';
import { compareSiblings, keyOf, sameItem, sameValue, type Item, type ItemKey } from './item.js';
import { mergeFields, withField } from './merge-fields.js';
import { settleStructure, type MergeSides } from './merge-structure.js';

/** A document as far as merging goes: blocks with keys, and data about the whole. */
export interface MergeDocument {
  readonly data: Readonly<Record<string, unknown>>;
  readonly nodes: readonly MergeBlock[];
  readonly [property: string]: unknown;
}

export interface MergeInput extends MergeSides {
  /** Documents by hash: those that `documentsToMerge` names. */
  readonly documents: ReadonlyMap<string, MergeDocument>;
  readonly hashDocument: (document: MergeDocument) => string;
  /** An order key between two others. */
  readonly keyBetween: (before: string, after: string | undefined) => string;
  readonly resolutions?: Resolutions;
}

/** What the merge changes on primary: the items (null: deleted) and the documents that are new. */
export interface MergeOutcome {
  readonly items: ReadonlyMap<ItemKey, Item | null>;
  readonly documents: ReadonlyMap<string, MergeDocument>;
  readonly conflicts: readonly Conflict[];
}

/** Hashes of the documents that `mergeContent` will ask for. */
export function documentsToMerge({ base, primary, changed }: MergeSides): Set<string> {
  const hashes = new Set<string>();
  for (const [key, item] of changed) {
    const sides = [base.get(key), primary.get(key), item];
    if (!item || !sides[1] || item.kind === 'file' || item.hash === sides[1].hash) continue;
    if (sides[0] && (sides[0].hash === item.hash || sides[0].hash === sides[1].hash)) continue;
    for (const side of sides) if (side?.hash) hashes.add(side.hash);
  }
  return hashes;
}

/**
 * Three-way merge of a change request into the primary line: attributes one by one, documents by blocks, then the tree
 * as a whole (deleted parents, cycles, slugs that collide). Nothing that one side made and the other did not delete is
 * lost. With open conflicts the items show primary's side of each.
 */
export function mergeContent(input: MergeInput): MergeOutcome {
  const book = new ConflictBook(input.resolutions);
  const documents = new Map<string, MergeDocument>();
  const merged = new Map<ItemKey, Item | null>();
  // Which conflict a knot of changes is told as depends on where it is taken up: always in the same order.
  for (const [key, changed] of [...input.changed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const item = mergeItem(key, changed, input, book, documents);
    if (item !== undefined) merged.set(key, item);
  }
  settleStructure(merged, input, book, input.keyBetween);
  for (const [key, item] of merged) {
    const primary = input.primary.get(key);
    if (item ? primary && sameItem(item, primary) : !primary) merged.delete(key);
  }
  return { items: merged, documents, conflicts: book.conflicts };
}

/** The merged version of one item; null deletes it, undefined leaves primary as it is. */
function mergeItem(key: ItemKey, changed: Item | null, input: MergeInput, book: ConflictBook, documents: Map<string, MergeDocument>): Item | null | undefined {
  const base = input.base.get(key);
  const primary = input.primary.get(key);
  if (changed && primary) return mergeVersions(base, primary, changed, input, book, documents);
  if (!changed && !primary) return undefined;
  if (changed && !base) return changed;
  const left = changed ?? primary;
  if (!left || !base || sameItem(base, left)) return changed ? undefined : null;
  const side = book.side({ kind: 'deleted', item: key, base: sideOf(base), primary: sideOf(primary, pagesUnder(primary, input.primary)), changed: sideOf(changed, pagesUnder(changed, input.changed)) });
  return side === 'changed' ? changed : undefined;
}

/** The pages of one side under a page of its; of primary, those that the change request does not delete on its own account are among them. */
function pagesUnder(parent: Item | null | undefined, side: ReadonlyMap<ItemKey, Item | null>): Item[] {
  if (parent?.kind !== 'page') return [];
  return [...side.values()].filter((item): item is Item => item?.kind === 'page' && item.parentId === parent.id).sort(compareSiblings);
}

function mergeVersions(base: Item | undefined, primary: Item, changed: Item, input: MergeInput, book: ConflictBook, documents: Map<string, MergeDocument>): Item {
  const item = keyOf(primary);
  const fields = mergeFields(base, primary, changed);
  let merged = fields.merged;
  for (const { name, ...sides } of fields.conflicts) {
    const side = book.side({ kind: 'attribute', item, attribute: name, ...sides });
    if (side === 'changed') merged = withField(merged, name, sides.changed);
  }
  if (primary.kind === 'file') return merged;
  return { ...merged, hash: mergeHash(base, primary, changed, input, book, documents) };
}

function mergeHash(base: Item | undefined, primary: Item, changed: Item, input: MergeInput, book: ConflictBook, documents: Map<string, MergeDocument>): string | null {
  if (primary.hash === changed.hash || (base && base.hash === changed.hash)) return primary.hash;
  if (base && base.hash === primary.hash) return changed.hash;
  const [b, p, c] = [base, primary, changed].map((item) => (item?.hash ? input.documents.get(item.hash) : undefined));
  const merged = mergeDocuments(keyOf(primary), b, p, c, book);
  if (!merged) return null;
  const hash = input.hashDocument(merged);
  if (!input.documents.has(hash)) documents.set(hash, merged);
  return hash;
}

/** Documents merged by their blocks; a page without a document counts as one without blocks. */
function mergeDocuments(item: ItemKey, base: MergeDocument | undefined, primary: MergeDocument | undefined, changed: MergeDocument | undefined, book: ConflictBook): MergeDocument | undefined {
  const frame = primary ?? changed;
  if (!frame) return undefined;
  const { blocks } = mergeBlocks(base?.nodes ?? [], primary?.nodes ?? [], changed?.nodes ?? [], sameValue, (conflict): Side | readonly MergeBlock[] => {
    const resolution = book.settle(conflictOf(documentConflict(item, conflict)));
    if (!resolution) return 'primary';
    return 'keep' in resolution ? resolution.keep : (resolution.document.nodes as readonly MergeBlock[]);
  });
  return { ...frame, data: mergeData(base?.data, primary?.data, changed?.data), nodes: blocks };
}

function documentConflict(item: ItemKey, { keys, reason, base, primary, changed }: BlockConflict<MergeBlock>): Omit<Conflict, 'id'> {
  if (reason === 'replaced') return { kind: 'blocks', item, blocks: keys, base, primary, changed };
  const [block = ''] = keys;
  return { kind: 'block', item, block, base: base[0] ?? null, primary: primary[0] ?? null, changed: changed[0] ?? null };
}

/** Facts about a document as a whole (its schema version): never a conflict, primary's where both set them. */
function mergeData(base: MergeDocument['data'] = {}, primary: MergeDocument['data'] = {}, changed: MergeDocument['data'] = {}): MergeDocument['data'] {
  const names = new Set([...Object.keys(primary), ...Object.keys(changed)]);
  const merged = [...names].map((name) => [name, sameValue(base[name], primary[name]) ? changed[name] : primary[name]] as const);
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}
