import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  block,
  document,
  fragment,
  inline,
  leaf,
  mark,
  paragraph,
  plain,
  text,
} from '../../src/formats/document/build.js';
import { evaluateDocument, type DocumentScope } from '../../src/formats/document/evaluate.js';
import type { Block, Document, Node } from '../../src/formats/document/types.js';
import { validateDocument } from '../../src/formats/document/validate.js';
import { keyed } from '../../src/authoring/content/document-codec.js';
import { documents } from '../document-arbitrary.js';
import { rounds, seed } from './content-generators.js';

const RUNS = { numRuns: rounds(200), seed };

const says = (expression: string): Node => inline('expression', { expression });
const only = (expression: string, ...blocks: Block[]): Block => block('if', { expression }, blocks);
const words = (value: string): Block => paragraph(plain(value));
const SCOPE: DocumentScope = {
  spaceVariables: { product: 'Bindery', version: 3, beta: false },
  pageVariables: { level: 2 },
  deterministicOnly: false,
};
const evaluated = (nodes: readonly Block[], scope: Partial<DocumentScope> = {}): Block[] => {
  const made = evaluateDocument(document(nodes), { ...SCOPE, ...scope });
  expect(validateDocument(made)).toEqual([]);
  return made.nodes;
};
const line = (nodes: readonly Node[], scope: Partial<DocumentScope> = {}): Node[] =>
  evaluated([paragraph(...nodes)], scope)[0]?.nodes ?? [];

describe('an evaluated line', () => {
  it('has the texts of its expressions in their places', () => {
    expect(
      line([
        plain('Run '),
        says('space.vars.product'),
        plain(' '),
        says('`v${space.vars.version}.${page.vars.level}`'),
        plain('!'),
      ]),
    ).toEqual([plain('Run Bindery v3.2!')]);
    expect(line([says('space.vars.product')])).toEqual([plain('Bindery')]);
  });

  it('shows nothing where an expression has no value', () => {
    for (const nothing of [
      'space.vars.missing',
      'null',
      'nobody',
      'space.vars.',
      'space.vars',
      'space.vars.missing.deeper',
      'visitor.claims.name',
      'while (true) {}',
      '[].constructor',
    ]) {
      expect(line([plain('a'), says(nothing), plain('b')])).toEqual([plain('ab')]);
      expect(line([says(nothing)])).toEqual([plain('')]);
    }
  });

  it('takes the marks that both neighbours have', () => {
    const bold = mark('bold');
    const around = (before: ReturnType<typeof mark>[], after: ReturnType<typeof mark>[]): Node[] => [
      text(leaf('a', before)),
      says('page.vars.level'),
      text(leaf('b', after)),
    ];
    expect(line(around([bold, mark('italic')], [bold]))).toEqual([
      text(leaf('a', [bold, mark('italic')]), leaf('2b', [bold])),
    ]);
    expect(line(around([bold], []))).toEqual([text(leaf('a', [bold]), leaf('2b'))]);
  });

  it('reaches into links, annotations, code and every kind of container', () => {
    const link = (inner: Node): Node => inline('link', { ref: { kind: 'url', url: 'https://example.com/' } }, [inner]);
    expect(line([link(says('page.vars.level'))])).toEqual([link(plain('2'))]);
    const note = (inner: Node): Node =>
      inline('annotation', {}, [plain('word')], [fragment('body', [paragraph(inner)], 'annotation-body')]);
    expect(line([note(says('page.vars.level'))])).toEqual([note(plain('2'))]);
    const code = (inner: Node): Block => block('code', {}, [block('code-line', {}, [inner])]);
    expect(evaluated([code(says('page.vars.level'))])).toEqual([code(plain('2'))]);
    const deep = (inner: Block): Block[] => [
      block('hint', { style: 'info' }, [inner]),
      block('list-ordered', {}, [block('list-item', {}, [inner])]),
      block(
        'table',
        {
          view: { type: 'grid', columns: ['a'], hideHeader: false },
          records: { r: { orderIndex: 'a', values: { a: 'cell' } } },
          definition: { a: { id: 'a', title: 'A', type: 'text', textAlignment: 'left' } },
        },
        undefined,
        [fragment('cell', [inner])],
      ),
    ];
    expect(evaluated(deep(paragraph(says('page.vars.level'))))).toEqual(deep(words('2')));
  });

  it('keeps markup that says nothing, and what stands beside an expression', () => {
    const markup = inline('expression', { expression: '', raw: '<br class="x">' });
    const emoji = inline('emoji', { code: '1f680' });
    expect(line([plain('a'), markup, says('page.vars.level'), emoji])).toEqual([plain('a'), markup, plain('2'), emoji]);
  });
});

describe('an evaluated condition', () => {
  it('leaves its content where it holds, and nothing where it does not', () => {
    expect(
      evaluated([
        only('space.vars.version > 2', words('new'), only('page.vars.level === 2', words('both'))),
        only('space.vars.beta', words('beta')),
        words('end'),
      ]),
    ).toEqual([words('new'), words('both'), words('end')]);
    for (const shut of ['visitor.claims.isBetaUser', 'visitor.claims.unsigned.plan === "pro"', 'nobody', '1 +', 'this'])
      expect(evaluated([only(shut, words('secret'))])).toEqual([]);
    for (const open of ['', ' ', '!visitor.claims.isBetaUser', '!visitor.claims.unsigned.beta'])
      expect(evaluated([only(open, words('shown'))])).toEqual([words('shown')]);
  });

  it('never leaves a fragment empty that must not be', () => {
    const expandable = (body: Block): Block =>
      block('expandable', {}, undefined, [
        fragment('expandable-title', [words('t')], 'expandable-title'),
        fragment('expandable-body', [body], 'expandable-body'),
      ]);
    const hidden = { ...only('false', words('x')), key: 'k1' };
    expect(evaluated([expandable(hidden)])).toEqual([expandable({ ...paragraph(), key: 'k1' })]);
  });
});

describe('deterministic evaluation', () => {
  it('leaves alone what depends on the reader, and what cannot be read', () => {
    const left = [
      says('visitor.claims.name'),
      says('`${space.vars.product} ${visitor.claims.name}`'),
      says('1 +'),
      says('other'),
    ];
    for (const each of left)
      expect(line([plain('a'), each, says('page.vars.level')], { deterministicOnly: true })).toEqual([
        plain('a'),
        each,
        plain('2'),
      ]);
    expect(
      line([says('space.vars.missing.deeper'), says('[1].map(visitor => visitor).join()')], {
        deterministicOnly: true,
      }),
    ).toEqual([plain('1')]);
    const kept = (inner: Node): Block => only('visitor.claims.isBetaUser', paragraph(inner));
    expect(
      evaluated([kept(says('page.vars.level')), only('space.vars.beta', words('x')), only('true', words('y'))], {
        deterministicOnly: true,
      }),
    ).toEqual([kept(plain('2')), words('y')]);
  });
});

describe('any document', () => {
  const keysOf = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { key } = value as { key?: unknown };
    return [...(typeof key === 'string' ? [key] : []), ...Object.values(value).flatMap(keysOf)];
  };

  it(`stays valid, keeps its keys, and is evaluated once and for all (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        documents,
        fc.boolean(),
        fc.constantFrom('visitor.claims.a', 'true', 'false', 'page.vars.level'),
        (made, deterministicOnly, condition) => {
          const before = keyed(
            JSON.parse(JSON.stringify(made).replaceAll('visitor.claims.beta == true', condition)) as Document,
          );
          const after = evaluateDocument(before, { ...SCOPE, deterministicOnly });
          expect(validateDocument(after)).toEqual([]);
          const known = new Set(keysOf(before));
          const keys = keysOf(after);
          expect(keys.filter((key) => !known.has(key))).toEqual([]);
          expect(new Set(keys).size).toBe(keys.length);
          expect(evaluateDocument(after, { ...SCOPE, deterministicOnly })).toEqual(after);
          if (!deterministicOnly) expect(JSON.stringify(after)).not.toMatch(/"type":"(?:if|expression)"/);
        },
      ),
      RUNS,
    );
  });

  it('ends soon, however many expressions it has', () => {
    const bomb = (index: number): Block => paragraph(says(`[${index}]` + '.map(a => [a, a])'.repeat(40) + '.join()'));
    const begin = process.cpuUsage();
    evaluated(Array.from({ length: 5_000 }, (_, index) => bomb(index)));
    expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(5);
  });
});
