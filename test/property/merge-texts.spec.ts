import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyed } from '../../src/authoring/content/document-codec.js';
import type { Side } from '../../src/authoring/content/domain/block-order.js';
import type { Conflict } from '../../src/authoring/content/domain/conflict.js';
import { mergeDocument, type DocumentVersions } from '../../src/authoring/content/domain/merge-document.js';
import { canonicalJson } from '../../src/formats/document/hash.js';
import { joinDocument, splitDocument } from '../../src/formats/document/stored-text.js';
import type { Block, Document } from '../../src/formats/document/types.js';
import { documents } from '../document-arbitrary.js';
import { rounds, seed } from './content-generators.js';
import { wholeMerge } from './whole-merge.js';

/*
 * Documents are merged as texts, of which only blocks at one place are decoded: that gives the same texts and the same
 * conflicts as merging the decoded documents.
 */

const RUNS = { numRuns: rounds(300), seed };
const shares = { cases: 0, conflicts: 0 };

afterAll(() => {
  process.stdout.write(
    `merges of texts: seed ${seed}, ${RUNS.numRuns} cases each; ${shares.conflicts} conflicts in ${shares.cases} merges\n`,
  );
});

/** Names and values that a reader of JSON could take for its own signs, and an order of names that JavaScript does not keep. */
const NAMES = ['a', 'key', 'nodes', 'object', '10', '9', '"', '\\', '{', ']', 'é', '😀', '__proto__'];
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, -0.5, 1e21, '', '"', '\\', '\\"', '{"key":"x"}', ',[]', '\n\u2028', '漢'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 3 })
      .map((entries): unknown => Object.fromEntries(entries)),
  ),
})).value;
const properties = fc
  .array(fc.tuple(fc.constantFrom(...NAMES.filter((name) => !['key', 'nodes', 'object'].includes(name))), json), {
    maxLength: 3,
  })
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);

const edit = fc.record({
  kind: fc.constantFrom('insert', 'edit', 'delete', 'move', 'replace', 'twin'),
  at: fc.nat(6),
  to: fc.nat(6),
  meta: properties,
});
const edits = fc.array(edit, { maxLength: 4 });
type Edits = typeof edits extends fc.Arbitrary<infer Value> ? Value : never;

function edited(base: Document, all: Edits, spare: Document, name: string): Document {
  const nodes: Block[] = [...base.nodes];
  all.forEach(({ kind, at, to, meta }, number) => {
    const place = at % Math.max(1, nodes.length);
    const block = nodes[place];
    const other = spare.nodes[to % Math.max(1, spare.nodes.length)];
    const added = other && { ...other, key: `${name}${number}` };
    if (kind === 'delete') nodes.splice(place, 1);
    else if (kind === 'move') nodes.splice(to % Math.max(1, nodes.length), 0, ...nodes.splice(place, 1));
    else if (kind === 'edit' && block) nodes[place] = { ...block, meta: { ...meta, name } };
    else if (kind === 'replace' && added) nodes.splice(place, 1, added);
    else if (added) nodes.splice(place, 0, kind === 'twin' ? added : { ...added, meta: { name } });
  });
  return { ...base, nodes };
}

const text = (document: Document | undefined, data: object = {}): string | undefined =>
  document && canonicalJson({ ...document, ...data });

const versions: fc.Arbitrary<DocumentVersions> = fc
  .record({
    start: documents,
    spare: documents,
    ours: edits,
    theirs: edits,
    data: fc.tuple(properties, properties, properties),
    frames: fc.tuple(properties, properties),
    absent: fc.nat(12),
  })
  .map(({ start, spare, ours, theirs, data, frames, absent }) => {
    const base = keyed(start);
    const [primary, changed] = [edited(base, ours, spare, 'p'), edited(base, theirs, spare, 'c')];
    return {
      base: text(absent === 0 ? undefined : base, { data: data[0] }),
      primary: text(absent === 1 ? undefined : primary, { ...frames[0], data: data[1] }),
      changed: text(absent === 2 ? undefined : changed, { ...frames[1], data: data[2] }),
    };
  });

/** Nothing, a side, or blocks of its own settle a conflict, as its id says. */
function settleSome(told: Conflict[], mode: number) {
  return (conflict: Conflict): Side | readonly Block[] | undefined => {
    told.push(conflict);
    const choice = (parseInt(conflict.id.slice(0, 4), 16) + mode) % 4;
    if (mode === 0 || choice === 0) return undefined;
    if (choice === 3) return [{ type: 'divider', object: 'block', key: `own${conflict.id}`, isVoid: true, data: {} }];
    return choice === 1 ? 'primary' : 'changed';
  };
}

describe('merging documents as texts', () => {
  it('gives the text and the conflicts of the decoded documents', () => {
    fc.assert(
      fc.property(versions, fc.nat(4), (sides, mode) => {
        const [asTexts, whole]: Conflict[][] = [[], []];
        const merged = mergeDocument('page:p', sides, settleSome(asTexts ?? [], mode));
        expect(merged).toBe(wholeMerge('page:p', sides, settleSome(whole ?? [], mode)));
        expect(asTexts).toEqual(whole);
        shares.cases++;
        shares.conflicts += asTexts?.length ?? 0;
      }),
      RUNS,
    );
    expect(shares.conflicts).toBeGreaterThan(0);
  });

  it('splits a document into its blocks, beside another version of it, and joins them again', () => {
    fc.assert(
      fc.property(documents, edits, properties, properties, (document, all, frame, data) => {
        const own = keyed(document);
        const other = splitDocument(canonicalJson(edited(own, all, own, 'o')));
        const whole = canonicalJson({ ...own, ...frame, data });
        const parts = splitDocument(whole, other.blocks);
        expect(joinDocument(parts)).toBe(whole);
        const { nodes } = JSON.parse(whole) as Document;
        expect(parts.blocks.map((block) => [block.key, block.json])).toEqual(
          nodes.map((node) => [node.key, canonicalJson(node)]),
        );
      }),
      RUNS,
    );
  });
});
