import { canonicalJson } from '../../src/formats/document/hash.js';
import { ownEntry } from '../../src/formats/document/own-entry.js';
import { mergeBlocks, type BlockConflict } from '../../src/authoring/content/domain/block-merge.js';
import { conflictOf, type Conflict } from '../../src/authoring/content/domain/conflict.js';
import { sameValue, type ItemKey } from '../../src/authoring/content/domain/content-item.js';
import type { DocumentVersions, SettleConflict } from '../../src/authoring/content/domain/merge-document.js';
import { VALUES, type PlainBlock } from './content-generators.js';

interface WholeDocument {
  readonly data: Readonly<Record<string, unknown>>;
  readonly nodes: readonly PlainBlock[];
}

/** The merge of documents as the law says it: every version is decoded whole, and so is the result encoded. */
export function wholeMerge(item: ItemKey, versions: DocumentVersions, settle: SettleConflict): string | undefined {
  const [base, primary, changed] = [versions.base, versions.primary, versions.changed].map((json) =>
    json === undefined ? undefined : (JSON.parse(json) as WholeDocument),
  );
  const frame = primary ?? changed;
  if (!frame) return undefined;
  const { blocks } = mergeBlocks(
    base?.nodes ?? [],
    primary?.nodes ?? [],
    changed?.nodes ?? [],
    VALUES,
    (conflict) => settle(conflictOf(factsOf(item, conflict))) as 'primary' | readonly PlainBlock[] | undefined,
  );
  const names = new Set([...Object.keys(primary?.data ?? {}), ...Object.keys(changed?.data ?? {})]);
  const data = [...names].map((name) => {
    const [was, ours, theirs] = [base, primary, changed].map((side) => side && ownEntry(side.data, name));
    return [name, sameValue(was, ours) ? theirs : ours] as const;
  });
  return canonicalJson({
    ...frame,
    data: Object.fromEntries(data.filter(([, value]) => value !== undefined)),
    nodes: blocks,
  });
}

function factsOf(
  item: ItemKey,
  { keys, reason, base, primary, changed }: BlockConflict<PlainBlock>,
): Omit<Conflict, 'id'> {
  if (reason === 'replaced') return { kind: 'blocks', item, blocks: keys, base, primary, changed };
  const [was = null, ours = null, theirs = null] = [base, primary, changed].map(([block]) => block ?? null);
  return { kind: 'block', item, block: keys[0] ?? '', base: was, primary: ours, changed: theirs };
}
