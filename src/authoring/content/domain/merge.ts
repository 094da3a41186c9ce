import { ConflictBook, sideOf, type Conflict, type Resolutions, type WrittenConflict } from './conflict.js';
import { compareSiblings, itemKey, sameItem, type Item, type ItemKey } from './content-item.js';
import { mergeFields, withField } from './merge-fields.js';
import { keepsStructure, settleStructure, type MergeSides } from './merge-structure.js';

/** An item whose document both sides changed: the hashes of its versions, null if there is none. */
export interface DocumentMerge {
  readonly item: ItemKey;
  readonly base: string | null;
  readonly primary: string | null;
  readonly changed: string | null;
}

/** The result of a document merge: its hash, null without one, and the open conflicts. */
export interface MergedDocument {
  readonly hash: string | null;
  readonly conflicts: readonly WrittenConflict[];
}

export interface MergeInput extends MergeSides {
  /** The merged documents of `documentsToMerge`. */
  readonly documents: ReadonlyMap<ItemKey, MergedDocument>;
  /** An order key between two others. */
  readonly keyBetween: (before: string, after: string | undefined) => string;
  readonly resolutions?: Resolutions;
}

/** The changes of the merge on primary: the items (null: deleted). */
export interface MergeOutcome {
  readonly items: ReadonlyMap<ItemKey, Item | null>;
  readonly conflicts: readonly (Conflict | WrittenConflict)[];
}

/** The documents that have to be merged before the content. */
export function documentsToMerge({ base, primary, changed }: MergeSides): DocumentMerge[] {
  return [...changed].flatMap(([key, theirs]): DocumentMerge[] => {
    const [before, ours] = [base.get(key), primary.get(key)];
    if (!theirs || !ours || theirs.kind === 'file' || theirs.hash === ours.hash) return [];
    if (before && (before.hash === theirs.hash || before.hash === ours.hash)) return [];
    return [{ item: itemKey(ours), base: before?.hash ?? null, primary: ours.hash, changed: theirs.hash }];
  });
}

/**
 * Three-way merge of a change request into the primary line: attributes one by one, documents as merged by
 * `mergeDocument`, then the tree as a whole (deleted parents, cycles, slugs that collide). Everything that one side
 * made and the other did not delete is kept. With open conflicts the items show primary's side of each.
 */
export function mergeContent(input: MergeInput): MergeOutcome {
  const book = new ConflictBook(input.resolutions);
  const merged = new Map<ItemKey, Item | null>();
  // The reported conflict of interdependent changes depends on the order, so the order is fixed.
  for (const [key, changed] of [...input.changed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const item = mergeItem(key, changed, input, book);
    if (item !== undefined) merged.set(key, item);
  }
  if (!keepsStructure(input)) settleStructure(merged, input, book, input.keyBetween);
  for (const [key, item] of merged) {
    const primary = input.primary.get(key);
    if (item ? primary && sameItem(item, primary) : !primary) merged.delete(key);
  }
  return { items: merged, conflicts: book.conflicts };
}

/** The merged version of one item; null deletes it, undefined leaves primary unchanged. */
function mergeItem(key: ItemKey, changed: Item | null, input: MergeInput, book: ConflictBook): Item | null | undefined {
  const base = input.base.get(key);
  const primary = input.primary.get(key);
  if (changed && primary) return mergeVersions(base, primary, changed, input, book);
  if (!changed && !primary) return undefined;
  if (changed && !base) return changed;
  const left = changed ?? primary;
  // Another order of the same siblings is no reason to keep a page that the other side deletes.
  if (!left || !base || sameItem(base, { ...left, position: base.position })) return changed ? undefined : null;
  const side = book.side({
    kind: 'deleted',
    item: key,
    base: sideOf(base),
    primary: sideOf(primary, pagesUnder(primary, input.primary)),
    changed: sideOf(changed, pagesUnder(changed, input.changed)),
  });
  return side === 'changed' ? changed : undefined;
}

/**
 * The child pages of a page on one side; of primary, including those that the change request does not delete
 * explicitly.
 */
function pagesUnder(parent: Item | null | undefined, side: ReadonlyMap<ItemKey, Item | null>): Item[] {
  if (parent?.kind !== 'page') return [];
  return [...side.values()]
    .filter((item): item is Item => item?.kind === 'page' && item.parentId === parent.id)
    .sort(compareSiblings);
}

function mergeVersions(
  base: Item | undefined,
  primary: Item,
  changed: Item,
  input: MergeInput,
  book: ConflictBook,
): Item {
  const item = itemKey(primary);
  const fields = mergeFields(base, primary, changed);
  let merged = fields.merged;
  for (const { name, ...sides } of fields.conflicts) {
    const side = book.side({ kind: 'attribute', item, attribute: name, ...sides });
    if (side === 'changed') merged = withField(merged, name, sides.changed);
  }
  if (primary.kind === 'file') return merged;
  return { ...merged, hash: mergeHash(base, primary, changed, input, book) };
}

function mergeHash(
  base: Item | undefined,
  primary: Item,
  changed: Item,
  input: MergeInput,
  book: ConflictBook,
): string | null {
  if (primary.hash === changed.hash || (base && base.hash === changed.hash)) return primary.hash;
  if (base && base.hash === primary.hash) return changed.hash;
  const merged = input.documents.get(itemKey(primary));
  merged?.conflicts.forEach((conflict) => book.note(conflict));
  return merged?.hash ?? null;
}
