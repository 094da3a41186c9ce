import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeBlocks, type Settle } from '../../src/authoring/content/domain/block-merge.js';
import { sideOrder } from '../../src/authoring/content/domain/block-order.js';
import { sameItem, type Item, type ItemKey } from '../../src/authoring/content/domain/content-item.js';
import type { MergeOutcome } from '../../src/authoring/content/domain/merge.js';
import {
  applied,
  baseBlocks,
  blockEdits,
  blocksIn,
  childrenOf,
  differenceOf,
  editBlocks,
  editTree,
  mergedContent,
  pageEdits,
  pagesOf,
  rounds,
  seed,
  tagsOf,
  VALUES,
  type Documents,
  type PlainBlock,
  type Tree,
} from './content-generators.js';

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

const three = fc.record({ base: baseBlocks, ours: blockEdits, theirs: blockEdits }).map(({ base, ours, theirs }) => ({
  base,
  primary: editBlocks(base, ours, 'p'),
  changed: editBlocks(base, theirs, 'c'),
}));

const merge = (base: PlainBlock[], primary: PlainBlock[], changed: PlainBlock[]) =>
  mergeBlocks(base, primary, changed, VALUES);
const keys = (blocks: readonly PlainBlock[]) => blocks.map((block) => block.key);

/** Blocks of their keys, as in "1 2=new p": without a text of its own, a block says its key. */
const blocksOf = (text: string): PlainBlock[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({ key: word.replace(/=.*/, ''), text: word.replace(/.*=/, '') }));
/** A merge of such blocks, as keys. */
function mergeOf(base: string, primary: string, changed: string, settle?: Settle<PlainBlock>) {
  const { blocks, conflicts } = mergeBlocks(blocksOf(base), blocksOf(primary), blocksOf(changed), VALUES, settle);
  const line = (side: readonly PlainBlock[]) => keys(side).join(' ');
  return {
    blocks: line(blocks),
    conflicts: conflicts.map(({ reason, keys: disputed, ...sides }) => ({
      reason,
      keys: disputed,
      base: line(sides.base),
      primary: line(sides.primary),
      changed: line(sides.changed),
    })),
  };
}

/** What blocks say, in an order that does not depend on the sides; what both have at one place alike is taken from either. */
const facts = (blocks: readonly PlainBlock[]) => blocks.map(({ text }) => text).sort();

/**
 * Every block that one side has and the other did not delete is there. What both sides have at one place alike is taken once:
 * then a block of the other side says the same.
 */
function expectKept(
  base: readonly PlainBlock[],
  primary: readonly PlainBlock[],
  changed: readonly PlainBlock[],
  now: readonly PlainBlock[],
  disputed: ReadonlySet<string> = new Set(),
): void {
  const [was, ours, theirs, there] = [base, primary, changed, now].map(
    (list) => new Map(list.map((block) => [block.key, block])),
  );
  for (const [key, block] of new Map([...(theirs ?? []), ...(ours ?? [])])) {
    const deleted = was?.has(key) && !(ours?.has(key) && theirs?.has(key));
    if (disputed.has(key) || there?.has(key) === !deleted) continue;
    const twins = (ours?.has(key) ? changed : primary).filter(
      (each) => each.key !== key && each['text'] === block['text'],
    );
    expect([key, twins.some((twin) => there?.has(twin.key) !== there?.has(key))]).toEqual([key, true]);
  }
}

/** Whether both sides put new blocks behind the same block of the base. */
function meet(base: PlainBlock[], primary: PlainBlock[], changed: PlainBlock[]): boolean {
  const known = new Set(keys(base));
  const anchors = (side: PlainBlock[]) =>
    new Set(
      keys(side).flatMap((key, at) =>
        known.has(key)
          ? []
          : [
              keys(side)
                .slice(0, at)
                .findLast((before) => known.has(before)) ?? '',
            ],
      ),
    );
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
        const told = ({ conflicts }: typeof one) =>
          new Set(conflicts.map((conflict) => `${conflict.keys.join()} ${conflict.reason}`));
        expect(told(one)).toEqual(told(other));
        if (one.conflicts.length > 0) return;
        expect(facts(one.blocks)).toEqual(facts(other.blocks));
        const moves = [primary, changed].some((side) => sideOrder(base, side).moved.size > 0);
        if (!moves && !meet(base, primary, changed))
          expect(one.blocks.map(({ text }) => text)).toEqual(other.blocks.map(({ text }) => text));
      }),
      RUNS,
    );
  });

  it('keeps every block that one side has and the other did not delete, once', () => {
    fc.assert(
      fc.property(three, ({ base, primary, changed }) => {
        const { blocks, conflicts } = merge(base, primary, changed);
        const disputed = new Set(conflicts.flatMap(({ primary: ours, changed: theirs }) => keys([...ours, ...theirs])));
        expect(keys(blocks)).toHaveLength(new Set(keys(blocks)).size);
        expectKept(base, primary, changed, blocks, disputed);
        const order = keys(blocks).filter((key) => !disputed.has(key));
        const insertedByPrimary = keys(primary).filter((key) => !keys(base).includes(key) && !disputed.has(key));
        expect(order.filter((key) => insertedByPrimary.includes(key))).toEqual(insertedByPrimary);
      }),
      RUNS,
    );
  });

  it('puts the blocks of primary first where both insert at the same place', () => {
    expect(mergeOf('1 2', '1 p 2', '1 c 2').blocks).toBe('1 p c 2');
    expect(mergeOf('', 'p', 'c').blocks).toBe('p c');
  });

  it('takes once what both sides put at one place alike', () => {
    expect(mergeOf('1 2', '1 p=x 2', '1 c=x 2')).toEqual({ blocks: '1 p 2', conflicts: [] });
    expect(mergeOf('1 2', 'p=x q=y', 'c=x d=y')).toEqual({ blocks: 'p q', conflicts: [] });
    expect(mergeOf('', 'p=x', 'c=x')).toEqual({ blocks: 'p', conflicts: [] });
    expect(mergeOf('1 2', '1 p=x 2', '1 c=x d 2').blocks).toBe('1 p c d 2');
  });

  it.each([
    ['both sides replaced the same blocks', '1 2', 'p', 'c', '1 2 | p | c'],
    ['both sides replaced the same block of a page', '1 2 3', '1 p 3', '1 c 3', '2 | p | c'],
    ['one side took away what the other replaced', '1 2 3', '1 3', '1 c 3', '2 |  | c'],
    ['runs overlap: they are one stretch', '1 2 3 4 5', '1 p 4 5', '1 2 c 5', '2 3 4 | p 4 | 2 c'],
    ['runs overlap by way of a third one', '1 2 3 4 5', 'p 3 q', '1 c 5', '1 2 3 4 5 | p 3 q | 1 c 5'],
    ['one side replaced what the other changed', '1 2 3', '1 p 3', '1 2=x 3', '2 | p | 2'],
    ['one side replaced several blocks of which the other changed one', '1 2 3', 'p', '1 2=x 3', '1 2 3 | p | 1 2 3'],
    ['one side put something into what the other replaced', '1 2 3 4', '1 p 4', '1 2 c 3 4', '2 3 | p | 2 c 3'],
    ['one side put something beside a page that the other replaced whole', '1', 'p', '1 c', '1 | p | 1 c'],
    ['one side put something between blocks that both changed', '1 2', '1=x p 2=x', '1=y 2=y', '1 2 | 1 p 2 | 1 2'],
    ['both sides replaced a block, and one moved another there', '1 2 3', '3 p 2', 'c 2 3', '1 | p | c'],
  ])('tells one conflict where %s', (_, base, primary, changed, run) => {
    const [was, ours, theirs] = run.split(' | ').map((side) => side.trim());
    const { conflicts } = mergeOf(base, primary, changed);
    expect(conflicts).toEqual([
      { reason: 'replaced', keys: was?.split(' '), base: was, primary: ours, changed: theirs },
    ]);
    for (const side of ['primary', 'changed'] as const) {
      const settled = mergeOf(base, primary, changed, () => side).blocks.split(' ');
      const [taken, other] = side === 'primary' ? [ours, theirs] : [theirs, ours];
      expect(settled.join(' ')).toContain(taken);
      expect(settled.filter((key) => other?.split(' ').includes(key) && !taken?.split(' ').includes(key))).toEqual([]);
    }
    const own = mergeOf(base, primary, changed, () => [{ key: 'own', text: 'own' }]).blocks;
    const elsewhere = [...base.split(' '), ...primary.split(' ')].filter(
      (key) => !run.includes(key.replace(/=.*/, '')),
    );
    expect(own.split(' ').toSorted()).toEqual([...new Set(['own', ...elsewhere])].toSorted());
  });

  it.each([
    ['insertions beside a block that both kept', '1 2', '1 p 2', '1 c 2', '1 p c 2'],
    ['insertions beside the edge of a page of which something is left', '1 2', '1 p', '1 2 c', '1 p c'],
    ['an insertion beside what the other side replaced, in its place', '1 2 3', '1 p 3', '1 c 2 3', '1 c p 3'],
    ['neighbours that one side replaced each, in their order', '1 2 3 4', '1 2 p 4', '1 c 3 4', '1 c p 4'],
    ['what both sides took away', '1 2 3 4', '1 4', '1 3 4', '1 4'],
    ['an insertion into what the other side only took away', '1 2 3 4', '1 4', '1 2 c 3 4', '1 c 4'],
    ['a move of what the other side replaced', '1 2 3', '1 p 3', '2 1 3', '1 p 3'],
    ['blocks of the same keys that both sides put there', '1', 'x', 'x', 'x'],
  ])('unites %s', (_, base, primary, changed, blocks) => {
    expect(mergeOf(base, primary, changed)).toEqual({ blocks, conflicts: [] });
  });

  it('settles what both changed and one moved by itself', () => {
    expect(mergeOf('1 2 3 4', '1 p 3 4', '1 3 4 2=x').conflicts).toEqual([
      { reason: 'replaced', keys: ['2'], base: '2', primary: 'p', changed: '2' },
    ]);
    expect(mergeOf('1 2 3 4', '1 p 3 4', '1 3 4 2=x', () => 'changed').blocks).toBe('1 3 4 2');
    expect(mergeOf('1 2 3 4', '1 p 3 4', '1 3 4 2=x', () => 'primary').blocks).toBe('1 p 3 4');
  });
});

interface Case {
  readonly base: Tree;
  readonly primary: Tree;
  readonly changed: Tree;
  readonly documents: Documents;
}

const histories: fc.Arbitrary<Case> = fc
  .record({ start: fc.tuple(pageEdits, pageEdits), ours: pageEdits, theirs: pageEdits })
  .map(({ start, ours, theirs }) => {
    const documents: Documents = new Map();
    const base = editTree(editTree(new Map(), start[0], 'a', documents), start[1], 'b', documents);
    return {
      base,
      primary: editTree(base, ours, 'p', documents),
      changed: editTree(base, theirs, 'c', documents),
      documents,
    };
  });

function mergeTrees(
  base: Tree,
  primary: Tree,
  difference: ReadonlyMap<ItemKey, Item | null>,
  documents: Documents,
  otherwise?: 'primary' | 'changed',
): MergeOutcome {
  return mergedContent({ base, primary, changed: difference }, documents, otherwise);
}

const difference = (base: Tree, changed: Tree) => differenceOf(base, changed, sameItem);
const shape = (tree: Tree) => pagesOf(tree).map(({ createdAt: _, updatedAt: __, ...page }) => page);

/** One tree: parents exist, no cycles, no two siblings with one slug or one place. */
function expectTree(tree: Tree): void {
  for (const page of pagesOf(tree)) {
    const seen = new Set<string>();
    for (let at = page; at.parentId !== '';) {
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

  it('unites the tags of pages, without a conflict about them', () => {
    fc.assert(
      fc.property(histories, ({ base, primary, changed, documents }) => {
        const { items, conflicts } = mergeTrees(base, primary, difference(base, changed), documents);
        expect(conflicts.some((conflict) => conflict.attribute?.includes('tag') === true)).toBe(false);
        for (const page of pagesOf(applied(primary, items))) {
          const [was, ours, theirs] = [base, primary, changed].map((side) => side.get(`page:${page.id}`));
          if (!ours || !theirs) continue;
          const all = new Set([...tagsOf(ours), ...tagsOf(theirs)]);
          const gone = was
            ? tagsOf(was).filter((tag) => !tagsOf(ours).includes(tag) || !tagsOf(theirs).includes(tag))
            : [];
          expect(tagsOf(page)).toEqual([...all].filter((tag) => !gone.includes(tag)).sort());
        }
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
        const pageFacts = (tree: Tree) =>
          pagesOf(tree)
            .map(({ id, parentId, title, props, hash }) => ({
              id,
              parentId,
              title,
              props,
              blocks: facts(blocksIn(documents.get(hash ?? ''))),
            }))
            .sort((a, b) => (a.id < b.id ? -1 : 1));
        const [left, right] = [applied(primary, one.items), applied(changed, other.items)];
        if (pagesOf(left).some((page) => page.slug !== right.get(`page:${page.id}`)?.slug)) treeShares.slugs++;
        expect(pageFacts(left)).toEqual(pageFacts(right));
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
        const blocks = (tree: Tree, page: ItemKey) => blocksIn(documents.get(tree.get(page)?.hash ?? ''));
        for (const key of new Set([...primary.keys(), ...changed.keys()])) {
          const deleted = base.has(key) && !(primary.has(key) && changed.has(key));
          expect([key, result.has(key)]).toEqual([key, !deleted]);
          if (deleted) continue;
          expectKept(blocks(base, key), blocks(primary, key), blocks(changed, key), blocks(result, key));
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
    // A short run is too small a sample for the full share, which is between 0.2 and 0.4.
    const least = shares.cases >= 500 ? 0.15 : 0.1;
    for (const share of [
      shares.conflicts / shares.cases,
      shares.samePlace / shares.cases,
      treeShares.conflicts / treeShares.cases,
    ]) {
      expect(share).toBeGreaterThanOrEqual(least);
    }
  });
});
