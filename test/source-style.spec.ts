import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withoutKeys } from '../src/formats/document/hash.js';
import type { Document } from '../src/formats/document/types.js';
import { parseMarkdown } from '../src/formats/markdown/parse.js';
import { parseReferenceUri, referenceUri } from '../src/formats/markdown/references.js';
import { serializeMarkdown } from '../src/formats/markdown/serialize.js';
import { styleInside, styleOf, USUAL_STYLE, type MarkdownStyle } from '../src/formats/markdown/source-style.js';
import { UNESCAPED_MARKS } from '../src/formats/markdown/spared-escapes.js';
import { documents } from './document-arbitrary.js';
import { rounds } from './property/content-generators.js';

const read = (markdown: string): Document =>
  parseMarkdown(markdown, { page: false, resolve: parseReferenceUri }).document;
const written = (markdown: string, style: Partial<MarkdownStyle>): string =>
  serializeMarkdown(read(markdown), { style: { ...USUAL_STYLE, ...style } });

const styles: fc.Arbitrary<MarkdownStyle> = fc.record({
  bullet: fc.constantFrom('*', '-', '+'),
  emphasis: fc.constantFrom('*', '_'),
  strong: fc.constantFrom('*', '_'),
  rule: fc.constantFrom('*', '-', '_'),
  fence: fc.constantFrom('`', '~'),
  bulletOrdered: fc.constantFrom('.', ')'),
  incrementListMarker: fc.boolean(),
  listItemIndent: fc.constantFrom('one', 'tab'),
  setext: fc.boolean(),
  closeAtx: fc.boolean(),
  tablePipeAlign: fc.boolean(),
  tableCellPadding: fc.boolean(),
  width: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
  unescaped: fc.subarray([...UNESCAPED_MARKS]).map((marks) => marks.join('')),
});

describe('the style of a source', () => {
  it.each<[string, string, Partial<MarkdownStyle>]>([
    ['bullets', '- a\n- b\n\n* c\n\n- d\n', { bullet: '-' }],
    ['emphasis', '*a* *b* _c_ __d__\n', { emphasis: '*', strong: '_' }],
    ['rules', 'a\n\n---\n', { rule: '-' }],
    ['fences', '~~~js\na\n~~~\n', { fence: '~' }],
    ['numbers', '1) a\n1) b\n', { bulletOrdered: ')', incrementListMarker: false }],
    ['indentation of lists', '*   a\n*   b\n', { listItemIndent: 'tab' }],
    ['underlined headings', 'A\n=\n\nB\n-\n\n# C\n', { setext: true }],
    ['closed headings', '# A #\n\n## B ##\n', { closeAtx: true }],
    ['aligned tables', '| a   | b |\n| --- | - |\n| ccc | d |\n', { tablePipeAlign: true }],
    ['tables without spaces', '|a|b|\n|-|-|\n|c|d|\n', { tableCellPadding: false }],
    ['marks without a backslash', 'snake_case AT&T a[0] 2 * 3\n\nabout ~5\n', { unescaped: '_*~[&' }],
    ['marks with one', 'snake\\_case AT\\&T a\\[0] 2 \\* 3\n', {}],
    ['brackets beside definitions', 'a[0] b\n\n[0]: c\n', {}],
    ['nothing', '', {}],
  ])('knows %s', (_name, source, style) => {
    expect(styleOf(source)).toEqual({ ...USUAL_STYLE, ...style });
  });

  const line = 'Words of a paragraph that is written in lines of at most some fifty columns. ';
  it('knows the width of wrapped paragraphs, apart from that of sentences', () => {
    const wrapped = written(line.repeat(8), { width: 50 });
    const width = Math.max(...wrapped.split('\n').map(({ length }) => length));
    expect(styleOf(wrapped).width).toBe(width);
    expect(styleOf(`> ${wrapped.trim().replaceAll('\n', '\n> ')}\n`).width).toBe(width + 2);
    expect(styleOf(line.repeat(8)).width).toBeUndefined();
    expect(styleOf(`${wrapped}\n${`${line.repeat(3)}\n\n`.repeat(20)}`).width).toBeUndefined();
    const sentences = [
      'One sentence is on each of these lines, long or short.',
      'So it is.',
      'They say nothing of a width.',
    ];
    expect(styleOf(`${[...sentences, ...sentences].join('\n')}\n`).width).toBeUndefined();
  });

  it('is taken by new blocks', () => {
    const source =
      '- a b\n- c *d* **e**\n\n1. f\n2. g\n\n# H\n\n| i | jj |\n| - | - |\n| kkk | l |\n\n```\nm\n```\n\nsnake_case AT&T a[0] 2 * 3 ~5\n';
    expect(
      written(source, {
        ...styleOf(source),
        bullet: '+',
        emphasis: '*',
        strong: '_',
        fence: '~',
        bulletOrdered: ')',
        incrementListMarker: false,
        listItemIndent: 'tab',
        setext: true,
        tablePipeAlign: true,
      }),
    ).toBe(
      '+   a b\n+   c *d* __e__\n\n1)  f\n1)  g\n\nH\n=\n\n| i   | jj |\n| --- | -- |\n| kkk | l  |\n\n~~~\nm\n~~~\n\nsnake_case AT&T a[0] 2 * 3 ~5\n',
    );
    expect(written('## A\n\n|b|\n|-|\n|c|\n', { closeAtx: true, tableCellPadding: false })).toBe(
      '## A ##\n\n|b|\n|-|\n|c|\n',
    );
  });

  it('wraps paragraphs where that says the same, in lists and quotes as well', () => {
    expect(written('> * one two three four\n', { width: 12 })).toBe('> * one two\n>   three\n>   four\n');
    expect(written('one two - three 4. five + six # seven\n', { width: 5 })).toBe(
      'one\ntwo -\nthree 4.\nfive +\nsix #\nseven\n',
    );
    expect(written('a `b c d` [e f](g) ![h](i)\n', { width: 3 })).toBe('a `b c d`\n[e\nf](g) ![h](i)\n');
    const whole = 'a [b](c "d e") f\n\na ![b c](d) e\n\na [b](<c d>) e\n';
    expect(written(whole, { width: 3 })).toBe(whole);
    expect(written('a <kbd>b c</kbd> d\n', { width: 3 })).toBe('a <kbd>b c</kbd> d\n');
    expect(written('&#x20; &#x20;\n', { width: 3 })).toBe('&#x20; &#x20;\n');
  });

  it('has nothing that depends on the length of other words for changes inside of blocks', () => {
    const style = styleOf('A\n=\n\n## B ##\n\n- c\n');
    expect(styleInside({ ...style, width: 40, tablePipeAlign: true })).toEqual({ ...USUAL_STYLE, bullet: '-' });
  });

  it(`says the same in every style (${rounds(60)} documents)`, () => {
    fc.assert(
      fc.property(documents, styles, (document, style) => {
        expect(withoutKeys(read(serializeMarkdown(document, { render: referenceUri, style })))).toEqual(
          withoutKeys(document),
        );
      }),
      { numRuns: rounds(60) },
    );
  });
});
