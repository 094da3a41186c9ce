import { canonicalJson, contentJson } from '../../../formats/document/hash.js';
import { ownEntry } from '../../../formats/document/own-entry.js';
import {
  blockText,
  joinDocument,
  splitDocument,
  type BlockText,
  type DocumentText,
} from '../../../formats/document/stored-text.js';
import { mergeBlocks, type BlockConflict, type BlockComparison } from './block-merge.js';
import type { Side } from './block-order.js';
import { conflictOf, type Conflict } from './conflict.js';
import { sameValue, type ItemKey } from './content-item.js';

/**
 * The versions of a document on the sides of a merge as canonical JSON; undefined if there is none, which counts as one
 * without blocks.
 */
export interface DocumentVersions {
  readonly base: string | undefined;
  readonly primary: string | undefined;
  readonly changed: string | undefined;
}

/** Resolves a conflict: a side's version, or other blocks with keys; undefined leaves it open, with primary's side. */
export type SettleConflict = (conflict: Conflict) => Side | readonly { readonly key?: string }[] | undefined;

/** Blocks are equal where their canonical JSON is: only those that both sides put in one place are decoded. */
const TEXTS: BlockComparison<BlockText> = {
  same: (a, b) => a === b || a.json === b.json,
  content: ({ json }) => contentJson({ ...(JSON.parse(json) as object), key: '' }),
};

/**
 * Merges the document of an item by its blocks; returns its canonical JSON, undefined if neither side has one. Takes
 * time proportional to the texts.
 */
export function mergeDocument(item: ItemKey, versions: DocumentVersions, settle: SettleConflict): string | undefined {
  const base = versions.base === undefined ? undefined : splitDocument(versions.base);
  const [primary, changed] = [versions.primary, versions.changed].map((json) =>
    json === undefined ? undefined : splitDocument(json, base?.blocks),
  );
  const own = primary ?? changed;
  if (!own) return undefined;
  const { blocks } = mergeBlocks(
    base?.blocks ?? [],
    primary?.blocks ?? [],
    changed?.blocks ?? [],
    TEXTS,
    (conflict) => {
      const settled = settle(conflictOf(documentConflict(item, conflict)));
      return typeof settled === 'object' ? settled.map(blockText) : settled;
    },
  );
  return joinDocument({ blocks, frame: new Map([...own.frame, ['data', mergeData(base, primary, changed)]]) });
}

function documentConflict(item: ItemKey, { keys, reason, ...sides }: BlockConflict<BlockText>): Omit<Conflict, 'id'> {
  const [base = [], primary = [], changed = []] = [sides.base, sides.primary, sides.changed].map((blocks) =>
    blocks.map(({ json }) => JSON.parse(json) as unknown),
  );
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
function mergeData(...versions: readonly (DocumentText | undefined)[]): string {
  const [base = {}, primary = {}, changed = {}] = versions.map(
    (version) => JSON.parse(version?.frame.get('data') ?? '{}') as Readonly<Record<string, unknown>>,
  );
  const names = new Set([...Object.keys(primary), ...Object.keys(changed)]);
  const merged = [...names].map((name) => {
    const ours = ownEntry(primary, name);
    return [name, sameValue(ownEntry(base, name), ours) ? ownEntry(changed, name) : ours] as const;
  });
  return canonicalJson(Object.fromEntries(merged.filter(([, value]) => value !== undefined)));
}
