import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyBetween } from '../../src/common/order-key.js';
import { mergeBlocks } from '../../src/content/domain/block-merge.js';
import type { MergeBlock } from '../../src/content/domain/block-order.js';
import { hashDocument } from '../../src/content/domain/document/hash.js';
import { sameItem, sameValue, type Item, type ItemKey } from '../../src/content/domain/item.js';
import { mergeContent, type MergeOutcome } from '../../src/content/domain/merge.js';
import { applied, baseBlocks, blockEdits, childrenOf, differenceOf, editBlocks, editTree, pageEdits, pagesOf, rounds, seed, type Documents, type Tree } from './content-generators.js';

const RUNS = { numRuns: rounds(1000), seed };
const shares = { cases: 0, conflicts: 0, samePlace: 0 };
const treeShares = { cases: 0, conflicts: 0, slugs: 0 };

afterAll(() => {
  const percent = (part: number, of: number) => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;
  process.stdout.write(
    `merge laws: seed ${seed}, ${RUNS.numRuns} cases each; blocks: ${percent(shares.conflicts, shares.cases)} in conflict, ${percent(shares.samePlace, shares.cases)} at the same place; ` +
      `trees: ${percent(treeShares.conflicts, treeShares.cases)} in conflict, ${percent(treeShares.slugs, treeShares.cases)} with slugs that collide\n`,
  );
});

const three = fc
  .record({ base: baseBlocks, ours: blockEdits, theirs: blockEdits })
  .map(({ base, ours, theirs }) => ({ base, primary: editBlocks(base, ours, 'p'), changed: editBlocks(base, theirs, 'c') }));

const merge = (base: MergeBlock[], primary: MergeBlock[], changed: MergeBlock[]) => mergeBlocks(base, primary, changed, sameValue);
const keys = (blocks: readonly MergeBlock[]) => blocks.map((block) => block.key);

/** Whether both sides put new blocks behind the same block of the base. */
function meet(base: MergeBlock[], primary: MergeBlock[], changed: MergeBlock[]): boolean {
  const known = new Set(keys(base));
  const anchors = (side: MergeBlock[]) => new Set(keys(side).flatMap((key, at) => (known.has(key) ? [] : [keys(side).slice(0, at).findLast((before) => known.has(before)) ?? ''])));
  const ours = anchors(primary);
  return [...anchors(changed)].some((anchor) => ours.has(anchor));
}

describe('merging blocks', () => {
  it('with an unchanged side gives the other side exactly', () => {
    fc.assert(
      fc.property(three, ({ base, primary, changed }) => {
        expect(merge(base, primary, base)).toEqual({ blocks: primary, conflicts: [] });
        expect(merge(base, base, changed)).toEqual({ blocks: changed, conflicts: [] });
        expect(merge(base, primary, primary)).toEqual({ blocks: primary, conflicts: [] });
      }),
      RUNS,
    );
  });

  it('is symmetric up to the order of blocks at the same place', () => {
    fc.assert(
      fc.property(three, ({ base, primary, changed }) => {
        const [one, other] = [merge(base, primary, changed), merge(base, changed, primary)];
        shares.cases++;
        if (one.conflicts.length > 0) shares.conflicts++;
        if (meet(base, primary, changed)) shares.samePlace++;
        const told = ({ conflicts }: typeof one) => new Set(conflicts.map((conflict) => `${conflict.keys.join()} ${conflict.reason}`));
        expect(told(one)).toEqual(told(other));
        if (one.conflicts.length > 0) return;
        expect(one.blocks.toSorted((a, b) => (a.key < b.key ? -1 : 1))).toEqual(other.blocks.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
        if (!meet(base, primary, changed)) {
          const unmoved = (blocks: readonly MergeBlock[]) => keys(blocks).filter((key) => !key.startsWith('p') && !key.startsWith('c'));
          expect(new Set(unmoved(one.blocks))).toEqual(new Set(unmoved(other.blocks)));
        }
      }),
      RUNS,
    );
  });

  it('keeps every block that one side has and the other did not delete, once', () => {
    fc.assert(
      fc.property(three, ({ base, primary, changed }) => {
        const { blocks, conflicts } = merge(base, primary, changed);
        const disputed = new Set(conflicts.flatMap(({ primary: ours, changed: theirs }) => keys([...ours, ...theirs])));
        const [was, ours, theirs, now] = [base, primary, changed, blocks].map((list) => new Set(keys(list)));
        expect(keys(blocks)).toHaveLength(now?.size ?? 0);
        for (const key of new Set([...keys(primary), ...keys(changed)])) {
          if (disputed.has(key)) continue;
          const deleted = was?.has(key) && !(ours?.has(key) && theirs?.has(key));
          expect([key, now?.has(key)]).toEqual([key, !deleted]);
        }
        const order = keys(blocks).filter((key) => !disputed.has(key));
        const insertedByPrimary = keys(primary).filter((key) => !was?.has(key) && !disputed.has(key));
        expect(order.filter((key) => insertedByPrimary.includes(key))).toEqual(insertedByPrimary);
      }),
      RUNS,
    );
  });

  it('puts the blocks of primary first where both insert at the same place', () => {
    const block = (key: string): MergeBlock => ({ key, text: 0 });
    const [one, two] = [block('1'), block('2')];
    expect(keys(merge([one, two], [one, block('p'), two], [one, block('c'), two]).blocks)).toEqual(['1', 'p', 'c', '2']);
    expect(keys(merge([], [block('p')], [block('c')]).blocks)).toEqual(['p', 'c']);
  });
});

interface Case {
  readonly base: Tree;
  readonly primary: Tree;
  readonly changed: Tree;
  readonly documents: Documents;
}

const histories: fc.Arbitrary<Case> = fc.record({ start: fc.tuple(pageEdits, pageEdits), ours: pageEdits, theirs: pageEdits }).map(({ start, ours, theirs }) => {
  const documents: Documents = new Map();
  const base = editTree(editTree(new Map(), start[0], 'a', documents), start[1], 'b', documents);
  return { base, primary: editTree(base, ours, 'p', documents), changed: editTree(base, theirs, 'c', documents), documents };
});

function mergeTrees(base: Tree, primary: Tree, difference: ReadonlyMap<ItemKey, Item | null>, documents: Documents, otherwise?: 'primary' | 'changed'): MergeOutcome {
  const outcome = mergeContent({ base, primary, changed: difference, documents, hashDocument, keyBetween, ...(otherwise && { resolutions: { byConflict: new Map(), otherwise } }) });
  for (const [hash, document] of outcome.documents) documents.set(hash, document);
  return outcome;
}

const difference = (base: Tree, changed: Tree) => differenceOf(base, changed, sameItem);
const shape = (tree: Tree) => pagesOf(tree).map(({ createdAt: _, updatedAt: __, ...page }) => page);

/** One tree: parents exist, no cycles, no two siblings with one slug or one place. */
function expectTree(tree: Tree): void {
  for (const page of pagesOf(tree)) {
    const seen = new Set<string>();
    for (let at = page; at.parentId !== ''; ) {
      expect(seen.has(at.id)).toBe(false);
      seen.add(at.id);
      const parent = tree.get(`page:${at.parentId}`);
      expect([at.id, parent !== undefined]).toEqual([at.id, true]);
      if (!parent) break;
      at = parent;
    }
  }
  for (const parent of new Set(pagesOf(tree).map((page) => page.parentId))) {
    const children = childrenOf(tree, parent);
    expect(new Set(children.map(({ slug }) => slug)).size).toBe(children.length);
    expect(new Set(children.map(({ position }) => position)).size).toBe(children.length);
  }
}

describe('merging trees', () => {
  it('with an unchanged side gives the other side exactly', () => {
    fc.assert(
      fc.property(histories, ({ base, primary, changed, documents }) => {
        const into = mergeTrees(base, base, difference(base, changed), documents);
        expect(into.conflicts).toEqual([]);
        expect(shape(applied(base, into.items))).toEqual(shape(changed));
        const nothing = mergeTrees(base, primary, new Map(), documents);
        expect([nothing.conflicts, nothing.items.size]).toEqual([[], 0]);
        const same = mergeTrees(base, primary, difference(base, primary), documents);
        expect([same.conflicts, same.items.size]).toEqual([[], 0]);
      }),
      RUNS,
    );
  });

  it('gives one tree, whatever conflicts are settled how', () => {
    fc.assert(
      fc.property(histories, ({ base, primary, changed, documents }) => {
        treeShares.cases++;
        const open = mergeTrees(base, primary, difference(base, changed), documents);
        if (open.conflicts.length > 0) treeShares.conflicts++;
        for (const otherwise of ['primary', 'changed'] as const) {
          const settled = mergeTrees(base, primary, difference(base, changed), documents, otherwise);
          expect(settled.conflicts).toEqual([]);
          expectTree(applied(primary, settled.items));
        }
        expectTree(applied(primary, open.items));
      }),
      RUNS,
    );
  });

  it('is symmetric up to slugs, places and the order of blocks at the same place', () => {
    fc.assert(
      fc.property(histories, ({ base, primary, changed, documents }) => {
        const one = mergeTrees(base, primary, difference(base, changed), documents);
        const other = mergeTrees(base, changed, difference(base, primary), documents);
        expect(one.conflicts.length > 0).toBe(other.conflicts.length > 0);
        if (one.conflicts.length > 0) return;
        const facts = (tree: Tree) =>
          pagesOf(tree)
            .map(({ id, parentId, title, props, hash }) => ({ id, parentId, title, props, blocks: (documents.get(hash ?? '')?.nodes ?? []).toSorted((a, b) => (a.key < b.key ? -1 : 1)) }))
            .sort((a, b) => (a.id < b.id ? -1 : 1));
        const [left, right] = [applied(primary, one.items), applied(changed, other.items)];
        if (pagesOf(left).some((page) => page.slug !== right.get(`page:${page.id}`)?.slug)) treeShares.slugs++;
        expect(facts(left)).toEqual(facts(right));
      }),
      RUNS,
    );
  });

  it('loses no page and no block that one side has and the other did not delete', () => {
    fc.assert(
      fc.property(histories, ({ base, primary, changed, documents }) => {
        const outcome = mergeTrees(base, primary, difference(base, changed), documents);
        if (outcome.conflicts.length > 0) return;
        const result = applied(primary, outcome.items);
        const blocks = (page: Item | undefined) => new Set((documents.get(page?.hash ?? '')?.nodes ?? []).map(({ key }) => key));
        for (const key of new Set([...primary.keys(), ...changed.keys()])) {
          const deleted = base.has(key) && !(primary.has(key) && changed.has(key));
          expect([key, result.has(key)]).toEqual([key, !deleted]);
          if (deleted) continue;
          const [was, ours, theirs, now] = [base, primary, changed, result].map((tree) => blocks(tree.get(key)));
          for (const block of new Set([...(ours ?? []), ...(theirs ?? [])])) {
            const kept = !was?.has(block) || ((!primary.has(key) || ours?.has(block)) && (!changed.has(key) || theirs?.has(block)));
            expect([key, block, now?.has(block)]).toEqual([key, block, kept]);
          }
        }
      }),
      RUNS,
    );
  });

  it('after an update gives what a merge alone gives', () => {
    fc.assert(
      fc.property(histories, ({ base, primary, changed, documents }) => {
        const direct = mergeTrees(base, primary, difference(base, changed), documents);
        if (direct.conflicts.length > 0) return;
        const alone = applied(primary, direct.items);
        const again = mergeTrees(primary, primary, difference(primary, alone), documents);
        expect(again.conflicts).toEqual([]);
        expect(shape(applied(primary, again.items))).toEqual(shape(alone));
      }),
      RUNS,
    );
  });

  it('meets conflicts and places often enough for the laws to mean something', () => {
    // A short run is too small a sample for the full share.
    const least = shares.cases >= 500 ? 0.2 : 0.1;
    for (const share of [shares.conflicts / shares.cases, shares.samePlace / shares.cases, treeShares.conflicts / treeShares.cases]) {
      expect(share).toBeGreaterThanOrEqual(least);
    }
  });
});
