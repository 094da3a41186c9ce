import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { diffIndices } from 'node-diff3';
import { keyed } from '../../src/authoring/content/document-codec.js';
import { mergeBlocks } from '../../src/authoring/content/domain/block-merge.js';
import type { Side } from '../../src/authoring/content/domain/block-order.js';
import { contentJson } from '../../src/formats/document/hash.js';
import type { Block, Document } from '../../src/formats/document/types.js';
import { validateDocument } from '../../src/formats/document/validate.js';
import { sameValue } from '../../src/authoring/content/domain/content-item.js';
import { parseMarkdown } from '../../src/formats/markdown/parse.js';
import { serializeMarkdown } from '../../src/formats/markdown/serialize.js';
import { rounds, seed, VALUES, type PlainBlock } from './content-generators.js';
import { lineMerger } from './line-merge.js';

/*
 * Two people send the whole of a page as Markdown, as agents and imports do. No word stands in two chunks of a page, so it is
 * known whose a word is.
 */

const RUNS = { numRuns: rounds(100), seed };
const git = lineMerger();
const shares = {
  cases: 0,
  ours: 0,
  told: 0,
  toldToBoth: 0,
  explained: new Map<string, number>(),
  rewrites: 0,
  alike: 0,
};

afterAll(() => {
  git.close();
  const percent = (part: number, of: number) => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;
  const rules = [...shares.explained].map(([rule, cases]) => `${rule} ${cases}`).join('; ');
  process.stdout.write(
    `merging rewrites: seed ${seed}, ${RUNS.numRuns} cases each; ${shares.rewrites} of one stretch, ${percent(shares.alike, shares.rewrites)} of them alike; beside ${git.name}: ` +
      `${percent(shares.ours, shares.cases)} in conflict, ${percent(shares.told, shares.cases)} by lines, ${percent(shares.toldToBoth, shares.cases)} by both; ` +
      `what only lines tell is explained by: ${rules}\n`,
  );
});

/** What stands between two empty lines, made of words that are told apart by their beginning. */
type Make = (name: string) => string;
const words = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}w${index}`).join(' ');
const chunks: Make[] = [
  (name) => words(name, 5),
  (name) => words(name, 9),
  (name) => `## ${words(name, 2)}`,
  (name) => `* ${words(name, 3)}\n* ${words(`${name}i`, 2)}`,
  (name) => `\`\`\`\n${words(name, 3)}\n\`\`\``,
  (name) => `> ${words(name, 4)}`,
];
const chunk = fc.constantFrom(...chunks);
const newChunks = fc.array(chunk, { minLength: 1, maxLength: 4 });
const basePage = fc
  .array(chunk, { minLength: 1, maxLength: 8 })
  .map((made) => made.map((make, index) => make(`b${index}`)));
const named = (made: readonly Make[], name: string) => made.map((make, index) => make(`${name}${index}`));

/** The page as a document; each chunk is read by itself, since two lists behind each other are one to a reader. */
function read(page: readonly string[], previous?: Document): Document {
  const nodes = page.flatMap((source) => parseMarkdown(source, { page: false }).document.nodes);
  return keyed({ object: 'document', data: {}, nodes }, previous);
}

/** Markdown of blocks; each is written by itself, for how a list is marked depends on the one before it. */
const written = (nodes: readonly Block[]) =>
  nodes.map((node) => serializeMarkdown({ object: 'document', data: {}, nodes: [node] })).join('\n');

const blocksOf = ({ nodes }: Document) => nodes as unknown as PlainBlock[];
const wordsOf = (blocks: readonly PlainBlock[]): string[] => contentJson(blocks).match(/[bpc]\d+[a-z\d]*w\d+/g) ?? [];

interface Versions {
  readonly base: Document;
  readonly primary: Document;
  readonly changed: Document;
}

function versions(base: readonly string[], primary: readonly string[], changed: readonly string[]): Versions {
  const before = read(base);
  return { base: before, primary: read(primary, before), changed: read(changed, before) };
}

const merge = ({ base, primary, changed }: Versions, settle?: () => Side) =>
  mergeBlocks(blocksOf(base), blocksOf(primary), blocksOf(changed), VALUES, settle);

const rewrites = fc.record({
  page: basePage,
  from: fc.nat(7),
  length: fc.integer({ min: 1, max: 8 }),
  ours: newChunks,
  theirs: newChunks,
  alike: fc.nat(5),
});

describe('rewriting one stretch of a page on both sides', () => {
  it('never gives the words of both, unless somebody says so', () => {
    fc.assert(
      fc.property(rewrites, ({ page, from, length, ours, theirs, alike }) => {
        const start = from % page.length;
        const rewritten = (made: readonly Make[], name: string) => page.toSpliced(start, length, ...named(made, name));
        const sides = versions(
          page,
          rewritten(ours, 'p'),
          rewritten(alike === 0 ? ours : theirs, alike === 0 ? 'p' : 'c'),
        );
        shares.rewrites++;
        if (alike === 0) {
          shares.alike++;
          const { blocks, conflicts } = merge(sides);
          expect(conflicts).toEqual([]);
          expect(blocks.map(contentJson)).toEqual(blocksOf(sides.primary).map(contentJson));
          return;
        }
        const open = merge(sides);
        expect(open.conflicts.length).toBeGreaterThan(0);
        for (const side of ['primary', 'changed'] as const) {
          const { blocks, conflicts } = merge(sides, () => side);
          expect(conflicts).toEqual([]);
          expect(wordsOf(blocks)).toEqual(wordsOf(blocksOf(sides[side])));
          expect(validateDocument({ ...sides.base, nodes: blocks })).toEqual([]);
        }
        expect(wordsOf(open.blocks)).toEqual(wordsOf(blocksOf(sides.primary)));
        const told = wordsOf(open.conflicts.flatMap(({ primary, changed }) => [...primary, ...changed]));
        const own = wordsOf([...blocksOf(sides.primary), ...blocksOf(sides.changed)]).filter(
          (word) => !word.startsWith('b'),
        );
        expect(told.filter((word) => !word.startsWith('b')).toSorted()).toEqual(own.toSorted());
      }),
      RUNS,
    );
  });
});

/** One thing that a side did to a page: put blocks in the place of those from `start` up to `end`, or changed one. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly keys: readonly string[];
  readonly content: string;
}

/** A reading of a side by a plain difference of keys. */
function changesOf(
  base: Document,
  side: Document,
): { replaced: Change[]; edited: Change[]; moved: ReadonlySet<string> } {
  const [before, after] = [blocksOf(base), blocksOf(side)];
  const byKey = new Map(after.map((block) => [block.key, block]));
  const replaced = diffIndices(
    before.map(({ key }) => key),
    after.map(({ key }) => key),
  ).map(({ buffer1: [start, length], buffer2: [at, count] }): Change => {
    const added = after.slice(at, at + count);
    return { start, end: start + length, keys: added.map(({ key }) => key), content: added.map(contentJson).join() };
  });
  const edited = before.flatMap((block, start): Change[] => {
    const now = byKey.get(block.key);
    return now && !sameValue(block, now)
      ? [{ start, end: start + 1, keys: [block.key], content: contentJson(now) }]
      : [];
  });
  const known = new Set(before.map(({ key }) => key));
  return { replaced, edited, moved: new Set(replaced.flatMap(({ keys }) => keys.filter((key) => known.has(key)))) };
}

interface Pair {
  readonly one: Change;
  readonly other: Change;
  /** Both changes are edits of a block, or both replacements, or one of each. */
  readonly kind: 'edits' | 'replacements' | 'edit and replacement';
  /** Keys of the base in order, and which of them both sides still have. */
  readonly base: readonly string[];
  readonly kept: ReadonlySet<string>;
  readonly moved: ReadonlySet<string>;
}

const inserts = ({ start, end }: Change) => start === end;
const removes = ({ keys }: Change) => keys.length === 0;
const apart = ({ one, other }: Pair) => one.end <= other.start || other.end <= one.start;

/** Why a change of one side and a change of the other, which touch, are no conflict although lines tell one. The first rule that holds counts. */
const RULES: readonly (readonly [string, (pair: Pair) => boolean])[] = [
  [
    'both made the same change',
    ({ one, other }) => one.start === other.start && one.end === other.end && one.content === other.content,
  ],
  ['both took blocks away', ({ one, other, kind }) => kind === 'replacements' && removes(one) && removes(other)],
  [
    'both inserted beside a block that both kept',
    ({ one, other, base, kept }) =>
      inserts(one) &&
      inserts(other) &&
      (base.length === 0 || [base[one.start - 1], base[one.start]].some((key) => key !== undefined && kept.has(key))),
  ],
  [
    'an insertion beside what the other replaced, and a block that both kept',
    (pair) =>
      pair.kind !== 'edits' &&
      [pair.one, pair.other].some(
        (each, index) => inserts(each) && isBeside(each, index === 0 ? pair.other : pair.one, pair),
      ),
  ],
  [
    'an insertion into what the other only took away',
    ({ one, other }) => (inserts(one) && removes(other)) || (inserts(other) && removes(one)),
  ],
  ['neighbouring blocks', (pair) => apart(pair) && !inserts(pair.one) && !inserts(pair.other)],
  ['an insertion beside a block that the other changed', (pair) => pair.kind === 'edit and replacement' && apart(pair)],
  [
    'a block that was moved keeps to itself',
    ({ one, other, base, moved }) =>
      [...one.keys, ...other.keys, ...base.slice(Math.min(one.start, other.start), Math.max(one.end, other.end))].some(
        (key) => moved.has(key),
      ),
  ],
];

/** Lines that are alike, such as empty ones, can be taken for each other, so that changes meet that do not. */
const UNTOUCHED = 'a block that neither touched between all changes';

/** An insertion at one end of a replaced run, with a block that both kept, or the edge of a page of which something is left, at its other side. */
function isBeside({ start }: Change, run: Change, { base, kept }: Pair): boolean {
  const key = start === run.start ? base[start - 1] : start === run.end ? base[start] : undefined;
  const atEdge = (start === 0 && start === run.start) || (start === base.length && start === run.end);
  return (key !== undefined && kept.has(key)) || (atEdge && kept.size > 0);
}

/** All pairs of changes of both sides that touch. */
function pairsOf({ base, primary, changed }: Versions): Pair[] {
  const [ours, theirs] = [changesOf(base, primary), changesOf(base, changed)];
  const has = [primary, changed].map((side) => new Set(blocksOf(side).map(({ key }) => key)));
  const order = blocksOf(base).map(({ key }) => key);
  const facts = {
    base: order,
    kept: new Set(order.filter((key) => has.every((side) => side.has(key)))),
    moved: new Set([...ours.moved, ...theirs.moved]),
  };
  const pairs = (left: readonly Change[], right: readonly Change[], kind: Pair['kind']) =>
    left.flatMap((one) =>
      right
        .filter((other) => one.start <= other.end && other.start <= one.end)
        .map((other): Pair => ({ one, other, kind, ...facts })),
    );
  return [
    ...pairs(ours.edited, theirs.edited, 'edits'),
    ...pairs(ours.replaced, theirs.replaced, 'replacements'),
    ...pairs(ours.edited, theirs.replaced, 'edit and replacement'),
    ...pairs(ours.replaced, theirs.edited, 'edit and replacement'),
  ];
}

const edit = fc.record({
  kind: fc.constantFrom('rewrite', 'rewrite', 'insert', 'insert', 'edit', 'edit', 'delete', 'move'),
  at: fc.nat(3),
  length: fc.integer({ min: 1, max: 3 }),
  made: newChunks,
});
const edits = fc.array(edit, { minLength: 1, maxLength: 3 });

function edited(
  page: readonly string[],
  all: readonly (typeof edit extends fc.Arbitrary<infer Value> ? Value : never)[],
  from: number,
  name: string,
): string[] {
  const result = [...page];
  all.forEach(({ kind, at, length, made }, number) => {
    const place = (from + at) % (kind === 'insert' ? result.length + 1 : Math.max(1, result.length));
    const [old] = result.slice(place, place + 1);
    if (kind === 'rewrite') result.splice(place, length, ...named(made, `${name}${number}x`));
    else if (kind === 'insert') result.splice(place, 0, ...named(made.slice(0, 2), `${name}${number}y`));
    else if (kind === 'delete') result.splice(place, length);
    else if (kind === 'move')
      result.splice((from + at * 2) % Math.max(1, result.length), 0, ...result.splice(place, 1));
    else if (old !== undefined)
      result[place] = old.replace(/[bpc]\d\S*/, (word) => `${word} ${words(`${name}${number}`, 1)}`);
  });
  return result;
}

const histories = fc
  .record({ page: basePage, from: fc.nat(7), ours: edits, theirs: edits })
  .map(({ page, from, ours, theirs }) =>
    versions(page, edited(page, ours, from, 'p'), edited(page, theirs, from, 'c')),
  );

describe('merging by blocks beside merging by lines', () => {
  it('tells every conflict that lines tell, unless a rule says why not', () => {
    fc.assert(
      fc.property(histories, (sides) => {
        const { blocks, conflicts } = merge(sides);
        const [base, primary, changed] = [sides.base, sides.primary, sides.changed].map(({ nodes }) => written(nodes));
        const lines = git.merge(base ?? '', primary ?? '', changed ?? '');
        shares.cases++;
        if (conflicts.length > 0) shares.ours++;
        if (lines.conflict) shares.told++;
        if (conflicts.length > 0 && lines.conflict) shares.toldToBoth++;
        if (conflicts.length > 0 || !lines.conflict) return;
        const reasons = pairsOf(sides).map((pair) => RULES.find(([, holds]) => holds(pair))?.[0]);
        if (reasons.includes(undefined))
          throw new Error(
            `No rule explains why this is no conflict.\n--- by blocks\n${written(blocks as unknown as Block[])}\n--- by lines\n${lines.text}`,
          );
        for (const reason of new Set(reasons.length > 0 ? reasons : [UNTOUCHED]))
          if (reason !== undefined) shares.explained.set(reason, (shares.explained.get(reason) ?? 0) + 1);
      }),
      RUNS,
    );
  });

  it('meets conflicts often enough for that to mean something', () => {
    const least = shares.cases >= 500 ? 0.2 : 0.1;
    for (const share of [shares.ours, shares.told]) expect(share / shares.cases).toBeGreaterThanOrEqual(least);
  });
});
