import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyed } from '../../src/authoring/content/document-codec.js';
import { mergeBlocks } from '../../src/authoring/content/domain/block-merge.js';
import type { Conflict } from '../../src/authoring/content/domain/conflict.js';
import { mergeDocument } from '../../src/authoring/content/domain/merge-document.js';
import { deriveDocument } from '../../src/formats/document/derive.js';
import { canonicalJson } from '../../src/formats/document/hash.js';
import type { Block, Document } from '../../src/formats/document/types.js';
import { validateDocument } from '../../src/formats/document/validate.js';
import { parseMarkdown } from '../../src/formats/markdown/parse.js';
import { serializeMarkdown } from '../../src/formats/markdown/serialize.js';
import { rounds, seed, VALUES, type PlainBlock } from './content-generators.js';
import { wholeMerge } from './whole-merge.js';

/*
 * The laws of merging on pages that people wrote: the documentation of this project and, where they lie beside it, the pages
 * of two real repositories. Two people edit a page as blocks or as Markdown.
 */

const RUNS = { numRuns: rounds(50), seed };
const MOST_PAGES = 40;
const FOLDERS = ['docs', '../shared/corpora/elsa', '../shared/corpora/fluentd'].filter((folder) => existsSync(folder));

const pages: Document[] = FOLDERS.flatMap((folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();
  const step = Math.max(1, Math.floor(files.length / MOST_PAGES));
  return files
    .filter((_, index) => index % step === 0)
    .map((file) => keyed(parseMarkdown(readFileSync(`${folder}/${file}`, 'utf8')).document));
}).filter(({ nodes }) => nodes.length > 3);

const shares = { cases: 0, conflicts: 0, samePlace: 0 };

afterAll(() => {
  const percent = (part: number) => `${((100 * part) / Math.max(1, shares.cases)).toFixed(1)} %`;
  process.stdout.write(
    `merging real pages: ${pages.length} pages of ${FOLDERS.join(', ')}; seed ${seed}, ${RUNS.numRuns} cases each; ${percent(shares.conflicts)} in conflict, ${percent(shares.samePlace)} at the same place\n`,
  );
});

/** Edits come to the same few places of a page, as those of two people at work on one section do. */
const edit = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'insert', 'edit', 'edit', 'edit', 'delete', 'move'),
  at: fc.nat(3),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;
const edits = fc.array(edit, { minLength: 1, maxLength: 5 });

interface Case {
  readonly base: Document;
  readonly primary: Document;
  readonly changed: Document;
}

const paragraph = (text: string): Block => ({
  object: 'block',
  type: 'paragraph',
  isVoid: false,
  data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
});

/** The first text of a block with a word behind it. */
function withWord<Node>(node: Node, word: string): Node {
  let done = false;
  return JSON.parse(JSON.stringify(node), (name, value: unknown) => {
    if (done || name !== 'text' || typeof value !== 'string' || value.trim() === '') return value;
    done = true;
    return `${value} ${word}`;
  }) as Node;
}

function edited(base: Document, all: readonly Edit[], from: number, name: string): Document {
  const nodes: Block[] = [...base.nodes];
  all.forEach(({ kind, at }, number) => {
    const place = (from + at) % (kind === 'insert' ? nodes.length + 1 : Math.max(1, nodes.length));
    const block = nodes[place];
    if (kind === 'insert') nodes.splice(place, 0, paragraph(`${name}new${number}`));
    else if (kind === 'edit' && block) nodes[place] = withWord(block, `${name}edit${number}`);
    else if (kind === 'delete') nodes.splice(place, 1);
    else if (block) nodes.splice((from + at * 2) % nodes.length, 0, ...nodes.splice(place, 1));
  });
  return keyed({ ...base, nodes }, base);
}

/** The same as somebody sends who edits the page's Markdown: keys come from what the text has in common. */
const rewritten = (document: Document, base: Document): Document =>
  keyed({ ...parseMarkdown(serializeMarkdown(document), { page: false }).document, data: base.data }, base);

const cases: fc.Arbitrary<Case> = fc
  .record({ page: fc.nat(), from: fc.nat(30), ours: edits, theirs: edits, asMarkdown: fc.nat(4), meet: fc.nat(6) })
  .map(({ page, from, asMarkdown, meet, ...both }) => {
    const base = pages[page % pages.length] ?? { object: 'document', data: {}, nodes: [] };
    const [ours, theirs] = [both.ours, both.theirs].map((own): Edit[] =>
      meet === 0 ? [{ kind: 'insert', at: 0 }, ...own] : own,
    );
    const [primary, changed] = [edited(base, ours ?? [], from, 'p'), edited(base, theirs ?? [], from, 'c')];
    return asMarkdown === 0
      ? { base, primary: rewritten(primary, base), changed: rewritten(changed, base) }
      : { base, primary, changed };
  });

const blocksOf = ({ nodes }: Document): PlainBlock[] => nodes as unknown as PlainBlock[];
const merged = (base: Document, primary: Document, changed: Document) =>
  mergeBlocks(blocksOf(base), blocksOf(primary), blocksOf(changed), VALUES);
const documentOf = (frame: Document, blocks: readonly PlainBlock[]): Document => ({
  ...frame,
  nodes: blocks as unknown as Block[],
});
const keysOf = (document: Document) => document.nodes.map(({ key }) => key ?? '');
const wordsOf = (document: Document) => new Set(deriveDocument(document).text.match(/[\p{L}\p{N}]+/gu) ?? []);

function samePlace({ base, primary, changed }: Case): boolean {
  const known = new Set(keysOf(base));
  const anchors = (side: Document) =>
    new Set(
      keysOf(side).flatMap((key, at, all) =>
        known.has(key) ? [] : [all.slice(0, at).findLast((before) => known.has(before)) ?? ''],
      ),
    );
  const ours = anchors(primary);
  return [...anchors(changed)].some((anchor) => ours.has(anchor));
}

describe('merging pages that people wrote', () => {
  it('with an unchanged side gives the other side exactly', () => {
    fc.assert(
      fc.property(cases, ({ base, primary, changed }) => {
        expect(merged(base, primary, base)).toEqual({ blocks: primary.nodes, conflicts: [] });
        expect(merged(base, base, changed)).toEqual({ blocks: changed.nodes, conflicts: [] });
      }),
      RUNS,
    );
  });

  it('loses no word and no block that one side has and the other did not take away', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const { base, primary, changed } = each;
        const { blocks, conflicts } = merged(base, primary, changed);
        shares.cases++;
        if (conflicts.length > 0) shares.conflicts++;
        if (samePlace(each)) shares.samePlace++;
        if (conflicts.length > 0) return;
        const result = documentOf(primary, blocks);
        expect(validateDocument(result)).toEqual([]);
        const [was, ours, theirs, now] = [base, primary, changed, result].map((side) => new Set(keysOf(side)));
        for (const key of new Set([...(ours ?? []), ...(theirs ?? [])]))
          expect([key, now?.has(key)]).toEqual([key, !was?.has(key) || (ours?.has(key) && theirs?.has(key))]);
        const [before, left, right, after] = [base, primary, changed, result].map(wordsOf);
        for (const word of [...(left ?? []), ...(right ?? [])])
          if (!before?.has(word)) expect([word, after?.has(word)]).toEqual([word, true]);
      }),
      RUNS,
    );
  });

  it('gives the same whichever side is primary, but for the order at the same place', () => {
    fc.assert(
      fc.property(cases, ({ base, primary, changed }) => {
        const [one, other] = [merged(base, primary, changed), merged(base, changed, primary)];
        const disputed = ({ conflicts }: typeof one) =>
          conflicts.map(({ keys, reason }) => `${keys.join()} ${reason}`).sort();
        expect(disputed(one)).toEqual(disputed(other));
        if (one.conflicts.length > 0) return;
        const byKey = ({ blocks }: typeof one) => blocks.toSorted((a, b) => (a.key < b.key ? -1 : 1));
        expect(byKey(one)).toEqual(byKey(other));
      }),
      RUNS,
    );
  });

  it('as texts gives what merging the decoded pages gives', () => {
    fc.assert(
      fc.property(cases, ({ base, primary, changed }) => {
        const texts = { base: canonicalJson(base), primary: canonicalJson(primary), changed: canonicalJson(changed) };
        const told: Conflict[][] = [[], []];
        const note = (at: number) => (conflict: Conflict) => {
          told[at]?.push(conflict);
          return undefined;
        };
        expect(mergeDocument('page:p', texts, note(0))).toBe(wholeMerge('page:p', texts, note(1)));
        expect(told[0]).toEqual(told[1]);
      }),
      RUNS,
    );
  });

  it('after an update gives what a merge alone gives', () => {
    fc.assert(
      fc.property(cases, ({ base, primary, changed }) => {
        const direct = merged(base, primary, changed);
        if (direct.conflicts.length > 0) return;
        const updated = documentOf(primary, direct.blocks);
        expect(merged(primary, primary, updated)).toEqual({ blocks: direct.blocks, conflicts: [] });
      }),
      RUNS,
    );
  });

  it('meets conflicts and places often enough for the laws to mean something', () => {
    const least = shares.cases >= 500 ? 0.2 : 0.05;
    for (const share of [shares.conflicts, shares.samePlace])
      expect(share / shares.cases).toBeGreaterThanOrEqual(least);
  });
});
