import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeOntoCurrent, type BaseMerge } from '../../src/authoring/content/base-merge-tasks.js';
import { makeDocument } from '../../src/authoring/content/document-tasks.js';
import { contentJson } from '../../src/formats/document/hash.js';
import { rounds, seed } from './content-generators.js';

const RUNS = { numRuns: rounds(150), seed };
const shares = { cases: 0, conflicts: 0 };

afterAll(() => {
  process.stdout.write(
    `writes on a base: seed ${seed}, ${RUNS.numRuns} cases each; ${((100 * shares.conflicts) / Math.max(1, shares.cases)).toFixed(1)} % of the free edits in conflict\n`,
  );
});

/** A block of Markdown, of different kinds. */
const FORMS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `## ${text}`,
  (text) => `* ${text}\n* and more`,
  (text) => `> ${text}`,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `{% hint style="info" %}\n${text}\n{% endhint %}`,
  (text) => `| ${text} | b |\n| --- | --- |\n| c | d |`,
];
const form = fc.nat(FORMS.length - 1);
/** Two lists, quotes or tables behind each other are one in Markdown: paragraphs instead of the second ones. */
const forms = (constraints: fc.ArrayConstraints) => fc.array(form, constraints).map((all) => all.map(apart));
const apart = (shape: number, index: number, all: readonly number[]): number => (shape === all[index - 1] ? 0 : shape);
const blockOf = (at: number, text: string): string => FORMS[at % FORMS.length]?.(text) ?? text;

/** The text of block `index`: words that no other block has. */
const textOf = (index: number, changed = ''): string => `w${index}a w${index}b${changed} w${index}c w${index}d`;

function stored(markdown: string, previous?: string): string {
  const made = makeDocument({ given: { markdown, of: 'page' }, resolved: [], previous });
  if ('fault' in made || !made.document) throw new Error('the Markdown is refused');
  return made.document.json;
}

function written(base: string, current: string, markdown: string): BaseMerge {
  const merged = mergeOntoCurrent({ item: 'page:p', given: { markdown, of: 'page' }, resolved: [], base, current });
  if ('fault' in merged) throw new Error(merged.fault.message);
  return merged;
}

/** The content without its keys, whose random letters could be words. */
const bare = (json: string): string => contentJson(JSON.parse(json));

const page = (blocks: readonly string[]): string => blocks.join('\n\n');

/** One edit of a list of blocks. */
const edits = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), at: fc.nat(8), form }),
    fc.record({ kind: fc.constant('edit' as const), at: fc.nat(8), form }),
    fc.record({ kind: fc.constant('replace' as const), at: fc.nat(8), form }),
    fc.record({ kind: fc.constant('delete' as const), at: fc.nat(8), form }),
  ),
  { minLength: 1, maxLength: 4 },
);

interface Kept {
  readonly text: string;
  readonly form: number;
}

function edited(
  blocks: readonly Kept[],
  changes: typeof edits extends fc.Arbitrary<infer Edits> ? Edits : never,
  who: string,
) {
  const result = [...blocks];
  const own: string[] = [];
  changes.forEach(({ kind, at, form: shape }, number) => {
    const place = at % Math.max(1, result.length);
    const before = result[place];
    const mark = `${who}${number}`;
    if (kind === 'delete' && result.length > 1) result.splice(place, 1);
    else if (kind === 'insert' || before === undefined)
      result.splice(place, 0, { text: `${mark} is new`, form: shape });
    else if (kind === 'edit') result[place] = { ...before, text: `${before.text} ${mark}` };
    else if (kind === 'replace') result[place] = { text: `${mark} stands here`, form: shape };
  });
  result.forEach(({ text }) => own.push(...text.split(' ').filter((word) => word.startsWith(who))));
  return { markdown: page(result.map(({ text, form: shape }) => blockOf(shape, text))), own, texts: result };
}

describe('writes on a base', () => {
  it('keep both of two edits of different blocks', () => {
    fc.assert(
      fc.property(forms({ minLength: 2, maxLength: 8 }), fc.nat(7), fc.nat(6), (shapes, first, step) => {
        const one = first % shapes.length;
        const two = (one + 1 + (step % (shapes.length - 1))) % shapes.length;
        const text = (changed: readonly number[]) =>
          page(shapes.map((shape, index) => blockOf(shape, textOf(index, changed.includes(index) ? 'new' : ''))));
        const base = stored(text([]));
        const current = written(base, base, text([one]));
        const merged = written(base, current.document?.json ?? '', text([two]));
        expect([current.conflicts, merged.conflicts]).toEqual([[], []]);
        const both = stored(text([one, two]));
        const words = (json: string) => [...bare(json).matchAll(/w\d[a-z]+/g)].map(([word]) => word);
        expect(words(merged.document?.json ?? 'null')).toEqual(words(both));
      }),
      RUNS,
    );
  });

  it('lose nothing that either writer wrote, and nothing that neither removed', () => {
    fc.assert(
      fc.property(forms({ minLength: 1, maxLength: 6 }), edits, edits, (shapes, ours, theirs) => {
        const blocks = shapes.map((shape, index): Kept => ({ text: textOf(index), form: shape }));
        const base = stored(page(blocks.map(({ text, form: shape }) => blockOf(shape, text))));
        const [left, right] = [edited(blocks, ours, 'p'), edited(blocks, theirs, 'q')];
        const current = written(base, base, left.markdown).document?.json ?? '';
        const merged = written(base, current, right.markdown);
        shares.cases++;
        if (merged.conflicts.length > 0) {
          shares.conflicts++;
          expect(merged.document).toBeNull();
          return;
        }
        const words = new Set(bare(merged.document?.json ?? 'null').match(/\w+/g) ?? []);
        const kept = blocks.flatMap(({ text }, index) =>
          [left, right].every(({ texts }) => texts.some((each) => each.text.includes(text))) ? [`w${index}a`] : [],
        );
        for (const word of [...left.own, ...right.own, ...kept]) expect([word, words.has(word)]).toEqual([word, true]);
      }),
      RUNS,
    );
  });
});
