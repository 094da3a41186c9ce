import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deriveDocument } from '../src/formats/document/derive.js';
import { withoutKeys } from '../src/formats/document/hash.js';
import { BLOCKS, INLINES, MARK_ORDER } from '../src/formats/document/node-kinds.js';
import { lineText } from '../src/formats/document/text.js';
import type { Block, ContentRef, Document, Node } from '../src/formats/document/types.js';
import { validateDocument } from '../src/formats/document/validate.js';
import { checkPage } from '../src/formats/markdown/check.js';
import { parseMarkdown } from '../src/formats/markdown/parse.js';
import {
  parseReferenceUri,
  placeholdersIn,
  referenceUri,
  renderPlaceholders,
} from '../src/formats/markdown/references.js';
import { serializeMarkdown, serializePage } from '../src/formats/markdown/serialize.js';
import { documents } from './document-arbitrary.js';

const ROUNDS = Number(process.env.ROUNDS ?? 0) || 150;

function resolve(target: string): ContentRef | undefined {
  if (target.endsWith('.md')) return { kind: 'page', page: target.replace(/\.md$/, '') };
  if (target.startsWith('assets/')) return { kind: 'file', file: target.slice(7) };
  if (target.startsWith('includes/')) return { kind: 'reusable-content', reusableContent: target.slice(9) };
  return parseReferenceUri(target);
}

function render(ref: ContentRef): string {
  if (ref.kind === 'page') return `${ref.page}.md`;
  if (ref.kind === 'file') return `assets/${ref.file}`;
  if (ref.kind === 'reusable-content') return `includes/${ref.reusableContent}`;
  return referenceUri(ref);
}

const read = (source: string): Document => parseMarkdown(source, { page: false, resolve }).document;
const write = (document: Document): string => serializeMarkdown(document, { render });

/** Blocks in short: type, data that is not empty, text of the line, children. */
function sketch(block: Block): unknown[] {
  const { type, data, nodes = [], fragments = [] } = block;
  const line = nodes.filter((node) => node.object !== 'block');
  const children = [...nodes, ...fragments.flatMap((part) => part.nodes)].filter(
    (node): node is Block => node.object === 'block',
  );
  return [
    type,
    ...(Object.keys(data).length > 0 && type !== 'table' ? [data] : []),
    ...(line.length > 0 ? [inlineSketch(line)] : []),
    ...children.map(sketch),
  ];
}

function inlineSketch(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (node.object === 'text')
        return node.leaves
          .map((leaf) => leaf.marks.reduce((text, mark) => `${mark.type}(${text})`, leaf.text))
          .join('');
      if (node.object !== 'inline') return '';
      const data = JSON.stringify(node.data);
      return node.nodes === undefined ? `{${node.type} ${data}}` : `{${node.type} ${data} ${inlineSketch(node.nodes)}}`;
    })
    .join('');
}

const p = (text: string): unknown[] => ['paragraph', text];

describe('constructs: source, document, source again', () => {
  // [name, source, blocks in short, source as written back where it differs]
  const cases: [string, string, unknown[], string?][] = [
    ['paragraph', 'a b', [p('a b')]],
    ['soft line break', 'a\nb', [p('a b')], 'a b'],
    ['hard line break', 'a\\\nb', [p('a\nb')]],
    ['break element', 'a<br>b', [p('a\nb')], 'a\\\nb'],
    [
      'headings 1 to 3',
      '# a\n\n## b\n\n### c',
      [
        ['heading-1', 'a'],
        ['heading-2', 'b'],
        ['heading-3', 'c'],
      ],
    ],
    [
      'headings 4 to 6 keep their level',
      '#### a\n\n##### b\n\n###### c',
      [
        ['heading-3', { level: 4 }, 'a'],
        ['heading-3', { level: 5 }, 'b'],
        ['heading-3', { level: 6 }, 'c'],
      ],
    ],
    ['heading with its own id', '## a <a href="#x" id="x"></a>', [['heading-2', { id: 'x' }, 'a']]],
    ['aligned heading', '<h2 align="center">a <em>b</em></h2>', [['heading-2', { align: 'center' }, 'a italic(b)']]],
    ['aligned paragraph', '<p align="right">a</p>', [['paragraph', { align: 'end' }, 'a']]],
    ['marks', '**a** _b_ ~~c~~ `d`', [p('bold(a) italic(b) strikethrough(c) code(d)')]],
    ['nested marks', '**a _b_ `c`**', [p('bold(a )italic(bold(b))bold( )code(bold(c))')]],
    ['HTML marks', '<kbd>a</kbd> <sup>b</sup> <sub>c</sub>', [p('keyboard(a) superscript(b) subscript(c)')]],
    [
      'HTML for Markdown marks',
      '<strong>a</strong> <i>b</i> <del>c</del>',
      [p('bold(a) italic(b) strikethrough(c)')],
      '**a** _b_ ~~c~~',
    ],
    ['colour', '<mark style="color:red;background-color:$info;">a</mark>', [p('color(a)')]],
    [
      'HTML without a mark stays',
      '<u>a</u> b',
      [p('{expression {"expression":"","raw":"<u>"}}a{expression {"expression":"","raw":"</u>"}} b')],
    ],
    ['what is no HTML is text', 'List<T> x', [p('List<T> x')], 'List\\<T> x'],
    ['remark in a line', 'a <!-- b --> c', [p('a {expression {"expression":"","raw":"<!-- b -->"}} c')]],
    ['link', '[a](https://b.c)', [p('{link {"ref":{"kind":"url","url":"https://b.c"}} a}')]],
    ['link to a page', '[a](b.md)', [p('{link {"ref":{"kind":"page","page":"b"}} a}')]],
    ['link with title', '[a](b.md "c")', [p('{link {"ref":{"kind":"page","page":"b"},"title":"c"} a}')]],
    ['bold link', '**[a](b.md)**', [p('{link {"ref":{"kind":"page","page":"b"}} bold(a)}')]],
    [
      'HTML link with attributes',
      '<a href="b.md" target="_blank">a</a> c',
      [p('{link {"ref":{"kind":"page","page":"b"},"attributes":{"target":"_blank"}} a} c')],
    ],
    ['reference link', '[a][b]\n\n[b]: c.md', [p('{link {"ref":{"kind":"page","page":"c"}} a}')], '[a](c.md)'],
    [
      'address',
      'see https://a.b/c_d',
      [p('see {link {"ref":{"kind":"url","url":"https://a.b/c_d"}} https://a.b/c_d}')],
      'see [https://a.b/c_d](https://a.b/c_d)',
    ],
    ['mention', '[a](b.md "mention")', [p('{mention {"ref":{"kind":"page","page":"b"},"text":"a"}}')]],
    [
      'button that searches',
      '<a class="button primary" data-action="search" data-query="tea">Find</a> x',
      [p('{button {"label":"Find","kind":"primary","action":{"action":"search","query":"tea"}}} x')],
    ],
    [
      'button',
      '<a href="b.md" class="button secondary" data-icon="gear">Go on</a> x',
      [p('{button {"label":"Go on","kind":"secondary","icon":"gear","ref":{"kind":"page","page":"b"}}} x')],
    ],
    ['emoji', 'a :smile: b', [p('a {emoji {"code":"1f604"}} b')]],
    ['no emoji', 'at 10:30:15, :not_known:', [p('at 10:30:15, :not_known:')]],
    ['escaped emoji', 'a \\:smile: b', [p('a :smile: b')]],
    [
      'emoji without a name',
      '<span data-gb-custom-inline data-tag="emoji" data-code="1f9ff-200d">x</span> a',
      [p('{emoji {"code":"1f9ff-200d"}} a')],
      '<span data-gb-custom-inline data-tag="emoji" data-code="1f9ff-200d">\u{1f9ff}\u200d</span> a',
    ],
    ['icon', '<i class="fa-gear" style="color:blue;">:gear:</i> a', [p('{icon {"icon":"gear","color":"blue"}} a')]],
    [
      'expression',
      '<code class="expression">space.vars.a_b</code> c',
      [p('{expression {"expression":"space.vars.a_b"}} c')],
    ],
    [
      'expression with signs of Markdown',
      '<code class="expression">a\\*b\\*2 + \\`v${c}\\`</code> c',
      [p('{expression {"expression":"a*b*2 + `v${c}`"}} c')],
      '<code class="expression">a&#x2A;b&#x2A;2 + &#x60;v&#x24;&#x7B;c}&#x60;</code> c',
    ],
    [
      'expression with signs between blanks',
      '<code class="expression">a * b * 2 < c</code> c',
      [p('{expression {"expression":"a * b * 2 < c"}} c')],
      '<code class="expression">a &#x2A; b &#x2A; 2 &#x3C; c</code> c',
    ],
    ['inline formula', 'a $$x_1$$ and 5$', [p('a {inline-math {"formula":"x_1"}} and 5$')]],
    ['formula', '$$\na\nb\n$$', [['math', { formula: 'a\nb' }]]],
    ['inline image', 'a ![b](assets/c)', [p('a {inline-image {"ref":{"kind":"file","file":"c"},"alt":"b"}}')]],
    [
      'inline image of a size',
      '<img src="assets/c" alt="b" data-size="line"> a',
      [p('{inline-image {"ref":{"kind":"file","file":"c"},"alt":"b","size":"line"}} a')],
    ],
    ['image of its own', '![b](assets/c)', [['images', ['image', { ref: { kind: 'file', file: 'c' }, alt: 'b' }]]]],
    [
      'figure',
      '<figure><img src="assets/c" alt="b" width="50%"><figcaption><p>d <em>e</em></p></figcaption></figure>',
      [
        [
          'images',
          ['image', { ref: { kind: 'file', file: 'c' }, width: { unit: '%', value: 50 }, alt: 'b' }, p('d italic(e)')],
        ],
      ],
    ],
    [
      'figure of full width',
      '<div data-full-width="true"><figure><img src="assets/c" alt=""><figcaption></figcaption></figure></div>',
      [['images', { fullWidth: true }, ['image', { ref: { kind: 'file', file: 'c' } }]]],
    ],
    [
      'dark image',
      '<figure><picture><source srcset="assets/d" media="(prefers-color-scheme: dark)"><img src="assets/c" alt=""></picture><figcaption></figcaption></figure>',
      [['images', ['image', { ref: { kind: 'file', file: 'c' }, refDark: { kind: 'file', file: 'd' } }]]],
    ],
    [
      'drawing',
      '<img src="assets/c" alt="" class="gitbook-drawing">',
      [['drawing', { ref: { kind: 'file', file: 'c' } }]],
    ],
    [
      'list',
      '* a\n* b\n  * c',
      [['list-unordered', ['list-item', p('a')], ['list-item', p('b'), ['list-unordered', ['list-item', p('c')]]]]],
    ],
    ['ordered list', '3. a\n4. b', [['list-ordered', { start: 3 }, ['list-item', p('a')], ['list-item', p('b')]]]],
    [
      'tasks',
      '* [x] a\n* [ ] b',
      [['list-tasks', ['list-item', { checked: true }, p('a')], ['list-item', { checked: false }, p('b')]]],
    ],
    [
      'empty item',
      '* a\n*\n* b',
      [['list-unordered', ['list-item', p('a')], ['list-item', p('')], ['list-item', p('b')]]],
    ],
    ['quote', '> a\n>\n> * b', [['blockquote', p('a'), ['list-unordered', ['list-item', p('b')]]]]],
    ['divider', 'a\n\n---\n\nb', [p('a'), ['divider'], p('b')], 'a\n\n***\n\nb'],
    [
      'fence',
      '```js\na\n\nb\n```',
      [['code', { syntax: 'js' }, ['code-line', 'a'], ['code-line', ''], ['code-line', 'b']]],
    ],
    [
      'fence with more than a language',
      '```js {1} x\na\n```',
      [['code', { syntax: 'js', meta: '{1} x' }, ['code-line', 'a']]],
    ],
    [
      'code tag',
      '{% code title="a.js" overflow="wrap" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}',
      [['code', { syntax: 'js', title: 'a.js', overflow: 'wrap', lineNumbers: true }, ['code-line', 'a']]],
    ],
    [
      'highlighted code',
      '<pre class="language-js"><code class="lang-js">a &#x3C;T>\n<strong>  b\n</strong>c\n</code></pre>',
      [
        [
          'code',
          { syntax: 'js' },
          ['code-line', 'a <T>'],
          ['code-line', { highlighted: true }, '  b'],
          ['code-line', 'c'],
        ],
      ],
      '<pre class="language-js"><code class="lang-js">a &#x3C;T&#x3E;\n<strong>  b\n</strong>c\n</code></pre>',
    ],
    ['hint', '{% hint style="danger" %}\na\n{% endhint %}', [['hint', { style: 'danger' }, p('a')]]],
    [
      'hint with apostrophes and spaces',
      "{%   hint style='warning'  %}\n\n- a\n\n{%endhint%}",
      [['hint', { style: 'warning' }, ['list-unordered', ['list-item', p('a')]]]],
      '{% hint style="warning" %}\n* a\n{% endhint %}',
    ],
    [
      'hint in one line',
      '{% hint style="info" %} a **b** {% endhint %}',
      [['hint', { style: 'info' }, p('a bold(b)')]],
      '{% hint style="info" %}\na **b**\n{% endhint %}',
    ],
    [
      'closing tag behind text',
      '{% hint style="info" %}\na\nb {% endhint %}',
      [['hint', { style: 'info' }, p('a b')]],
      '{% hint style="info" %}\na b\n{% endhint %}',
    ],
    [
      'hint right after text',
      'a\n{% hint style="info" %}\nb\n{% endhint %}\nc',
      [p('a'), ['hint', { style: 'info' }, p('b')], p('c')],
      'a\n\n{% hint style="info" %}\nb\n{% endhint %}\n\nc',
    ],
    [
      'hint in a list',
      '1. a\n\n   {% hint style="info" %}\n   b\n\n   ```\n   c\n   ```\n   {% endhint %}\n\n2. d',
      [
        [
          'list-ordered',
          ['list-item', p('a'), ['hint', { style: 'info' }, p('b'), ['code', ['code-line', 'c']]]],
          ['list-item', p('d')],
        ],
      ],
    ],
    [
      'hint right after HTML',
      '<details>\n<summary>a</summary>\n{% hint style="info" %}\n* b\n\n  c\n{% endhint %}\n</details>',
      [['expandable', p('a'), ['hint', { style: 'info' }, ['list-unordered', ['list-item', p('b'), p('c')]]]]],
      '<details>\n\n<summary>a</summary>\n\n{% hint style="info" %}\n* b\n\n  c\n{% endhint %}\n\n</details>',
    ],
    [
      'tags in a fence are code',
      '```\n{% hint %}\n{% endhint %}\n```',
      [['code', ['code-line', '{% hint %}'], ['code-line', '{% endhint %}']]],
    ],
    ['escaped tag is text', '\\{% hint %}', [p('{% hint %}')]],
    [
      'figure at once followed by a tag',
      '{% hint style="info" %}\n<figure><img src="assets/c" alt=""><figcaption></figcaption></figure>\n{% endhint %}\n\na',
      [['hint', { style: 'info' }, ['images', ['image', { ref: { kind: 'file', file: 'c' } }]]], p('a')],
      '{% hint style="info" %}\n![](assets/c)\n{% endhint %}\n\na',
    ],
    [
      'tabs',
      '{% tabs %}\n{% tab title="a \\"b\\" \'c\'" %}\nd\n{% endtab %}\n\n{% tab title="e" %}\n> f\n{% endtab %}\n{% endtabs %}',
      [
        [
          'tabs',
          ['tabs-item', { title: 'a "b" \'c\'' }, p('d')],
          ['tabs-item', { title: 'e' }, ['blockquote', p('f')]],
        ],
      ],
    ],
    [
      'stepper',
      '{% stepper %}\n{% step %}\n## a\n{% endstep %}\n\n{% step %}\nb\n{% endstep %}\n{% endstepper %}',
      [['stepper', ['stepper-step', ['heading-2', 'a']], ['stepper-step', p('b')]]],
    ],
    [
      'columns',
      '{% columns %}\n{% column width="25%" valign="middle" %}\na\n{% endcolumn %}\n{% endcolumns %}',
      [['columns', ['column', { width: { unit: '%', value: 25 }, verticalAlignment: 'middle' }, p('a')]]],
    ],
    [
      'condition',
      '{% if visitor.claims.a == "b" %}\nc\n{% endif %}',
      [['if', { expression: 'visitor.claims.a == "b"' }, p('c')]],
    ],
    [
      'updates',
      '{% updates format="full" %}\n{% update date="2026-01-01" tags="a,b" %}\nc\n{% endupdate %}\n{% endupdates %}',
      [
        [
          'updates',
          { format: 'full' },
          [
            'update',
            {
              date: '2026-01-01',
              tags: [
                { kind: 'tag', tag: 'a' },
                { kind: 'tag', tag: 'b' },
              ],
            },
            p('c'),
          ],
        ],
      ],
    ],
    [
      'details',
      '<details>\n\n<summary>a <strong>b</strong></summary>\n\n* c\n\n</details>',
      [['expandable', p('a bold(b)'), ['list-unordered', ['list-item', p('c')]]]],
    ],
    [
      'open details in HTML alone',
      '<details open><summary>a</summary><p>b</p></details>',
      [['expandable', { defaultExpanded: true }, p('a'), p('b')]],
      '<details open>\n\n<summary>a</summary>\n\nb\n\n</details>',
    ],
    [
      'content reference',
      '{% content-ref url="b.md" %}\n[b.md](b.md)\n{% endcontent-ref %}',
      [['content-ref', { ref: { kind: 'page', page: 'b' } }]],
    ],
    ['embed', '{% embed url="https://a.b" %}', [['embed', { url: 'https://a.b' }]]],
    [
      'embed with caption',
      '{% embed url="https://a.b" %}\nc\n{% endembed %}',
      [['embed', { url: 'https://a.b' }, p('c')]],
    ],
    ['file', '{% file src="assets/a" %}', [['file', { ref: { kind: 'file', file: 'a' } }]]],
    [
      'include',
      '{% include "includes/a" %}',
      [['reusable-content', { ref: { kind: 'reusable-content', reusableContent: 'a' } }]],
    ],
    [
      'OpenAPI file',
      '{% openapi src="assets/a" path="/b" method="get" %}\n[a](assets/a)\n{% endopenapi %}',
      [['swagger', { ref: { kind: 'file', file: 'a' }, path: '/b', method: 'get' }]],
    ],
    [
      'OpenAPI operation',
      '{% openapi-operation spec="a" path="/b" method="get" %}\n[c](https://d.e)\n{% endopenapi-operation %}',
      [
        [
          'openapi-operation',
          { ref: { kind: 'openapi', spec: 'a' }, path: '/b', method: 'get', link: { title: 'c', url: 'https://d.e' } },
        ],
      ],
    ],
    [
      'OpenAPI operation with a text',
      '{% openapi-operation spec="a" path="/b" method="get" %}\nc\n{% endopenapi-operation %}',
      [['openapi-operation', { ref: { kind: 'openapi', spec: 'a' }, path: '/b', method: 'get' }], p('c')],
      '{% openapi-operation spec="a" path="/b" method="get" %}\n\nc',
    ],
    [
      'OpenAPI file with a text',
      '{% swagger src="assets/a" path="/b" method="get" %}\nc\n{% endswagger %}',
      [['swagger', { ref: { kind: 'file', file: 'a' }, path: '/b', method: 'get' }], p('c')],
      '{% openapi src="assets/a" path="/b" method="get" %}\n[a](assets/a)\n{% endopenapi %}\n\nc',
    ],
    [
      'OpenAPI webhook with a text',
      '{% openapi-webhook spec="a" name="b" method="post" %}\nc\n{% endopenapi-webhook %}',
      [['openapi-webhook', { ref: { kind: 'openapi', spec: 'a' }, name: 'b', method: 'post' }], p('c')],
      '{% openapi-webhook spec="a" name="b" method="post" %}\n\nc',
    ],
    [
      'OpenAPI schemas',
      '{% openapi-schemas spec="a" schemas="B,C" grouped="true" %}',
      [['openapi-schemas', { ref: { kind: 'openapi', spec: 'a' }, schemas: ['B', 'C'], grouped: true }]],
    ],
    [
      'OpenAPI webhook',
      '{% openapi-webhook spec="a" name="b" method="post" %}',
      [['openapi-webhook', { ref: { kind: 'openapi', spec: 'a' }, name: 'b', method: 'post' }]],
    ],
    [
      'integration',
      '{% @mermaid/diagram content="a\n  --> b" fullWidth="false" %}',
      [
        [
          'integration',
          { integration: 'mermaid', block: 'diagram', props: { content: 'a\n  --> b' }, fullWidth: false },
        ],
      ],
    ],
    [
      'prompt',
      '{% prompt description="a" icon="b" %}\n```\nc\n```\n{% endprompt %}',
      [['prompt', { description: 'a', icon: 'b' }, ['code', ['code-line', 'c']]]],
    ],
    ['annotation', '[a](#user-content-fn-1)[^1]\n\n[^1]: b', [p('{annotation {} a}')]],
    ['footnote', 'a[^x]\n\n[^x]: b', [p('a{annotation {} }')], 'a[^1]\n\n[^1]: b'],
    ['table', '| a | **b** |\n| - | :-: |\n| c \\| d | `e` |', [['table', p('bold(b)'), p('c | d'), p('code(e)')]]],
    ['table with breaks', '| a |\n| - |\n| b<br>c |', [['table', p('b\nc')]]],
    [
      'HTML in the way of others',
      '<ul><li>a</li><li><p>b</p><ol start="2"><li>c</li></ol></li></ul>',
      [
        [
          'list-unordered',
          ['list-item', p('a')],
          ['list-item', p('b'), ['list-ordered', { start: 2 }, ['list-item', p('c')]]],
        ],
      ],
      '* a\n* b\n\n  2. c',
    ],
  ];

  it.each(cases.map(([name, source, blocks, written]) => ({ name, source, blocks, written: written ?? source })))(
    '$name',
    ({ source, blocks, written }) => {
      const document = read(source);
      expect(document.nodes.map(sketch)).toEqual(blocks);
      expect(validateDocument(document)).toEqual([]);
      const back = write(document);
      expect(back.trimEnd()).toBe(written);
      expect(read(back)).toEqual(document);
    },
  );
});

describe('what is not understood', () => {
  const raw = (text: string): unknown[] => [
    'code',
    { syntax: 'gitbook-raw' },
    ...text.split('\n').map((line) => ['code-line', line]),
  ];
  const cases: [string, string, unknown[]][] = [
    ['unknown tag', '{% what a="b" %}\n\nc\n\n{% endwhat %}', [raw('{% what a="b" %}'), p('c'), raw('{% endwhat %}')]],
    ['unknown tag alone', '{% what %}', [raw('{% what %}')]],
    ['tags in a comment are none', '<!--\n{% hint %}\n-->', [raw('<!--\n{% hint %}\n-->')]],
    ['tag that never closes', '{% hint style="info" %}\n\na', [raw('{% hint style="info" %}'), p('a')]],
    ['tag that was never opened', 'a\n\n{% endhint %}', [p('a'), raw('{% endhint %}')]],
    [
      'unknown style',
      '{% hint style="purple" %}\n\na\n\n{% endhint %}',
      [raw('{% hint style="purple" %}'), p('a'), raw('{% endhint %}')],
    ],
    ['text between tabs', '{% tabs %}\n\na\n\n{% endtabs %}', [raw('{% tabs %}'), p('a'), raw('{% endtabs %}')]],
    [
      'unknown element',
      '<section class="a">\n\nb\n\n</section>',
      [raw('<section class="a">'), p('b'), raw('</section>')],
    ],
    ['element that never closes', '<div class="a">\n\nb', [raw('<div class="a">'), p('b')]],
    ['script', '<script>\nlet a = "<b>";\n\nc();\n</script>', [raw('<script>\nlet a = "<b>";\n\nc();\n</script>')]],
    ['comment', '<!-- a\n\nb -->', [raw('<!-- a\n\nb -->')]],
    ['unused definition', 'a\n\n[b]: c.md "d"', [p('a'), raw('[b]: c.md "d"')]],
    ['unused footnote', 'a\n\n[^b]: c', [p('a'), raw('[^b]: c')]],
    ['unfinished markup', '<div class=', [raw('<div class=')]],
  ];

  it.each(cases)('%s is kept word for word and written without a fence', (_name, source, blocks) => {
    const document = read(source);
    expect(document.nodes.map(sketch)).toEqual(blocks);
    expect(write(document).trimEnd()).toBe(source);
    expect(read(write(document))).toEqual(document);
  });

  it('is reported with its line, also behind frontmatter', () => {
    const { problems } = parseMarkdown('---\nicon: a\n---\n\n# A\n\n{% what %}\n');
    expect(problems).toEqual([
      { line: 7, column: 1, rule: 'unsupported-markup', message: expect.stringContaining('{% what %}') as unknown },
    ]);
  });

  it('what no document can hold is replaced', () => {
    const document = read('a\0b\ud800c\u{F0000}d\n\n<div title="\0">\n\n```\n\0\n```\n');
    expect(validateDocument(document)).toEqual([]);
    expect(document.nodes[0] === undefined ? '' : lineText(document.nodes[0].nodes ?? [])).toBe(
      'a\uFFFDb\uFFFDc\uFFFDd',
    );
  });

  it('holds what is nested too deeply', () => {
    const source = `${'> '.repeat(100)}deep`;
    const document = read(source);
    expect(validateDocument(document)).toEqual([]);
    expect(JSON.stringify(document)).toContain('deep');
    expect(read(write(document))).toEqual(document);
  });
});

it.each([
  ['[b.md](docs/b.md "mention")', undefined],
  ['[docs/b.md](docs/b.md "mention")', undefined],
  ['<a data-mention href="docs/b.md">b.md</a>', undefined],
  ['[docs](../docs/ "mention")', undefined],
  ['[about b](docs/b.md "mention")', 'about b'],
])('a mention shows the title of its page unless it has words of its own: %s', (source, words) => {
  const [paragraph] = parseMarkdown(source).document.nodes;
  const mention = paragraph?.nodes?.find((node) => node.object === 'inline' && node.type === 'mention');
  const url = /[(="]((?:docs|\.\.)\/[^" )]*)/.exec(source)?.[1];
  expect(mention).toMatchObject({ data: { ref: { kind: 'url', url } } });
  expect((mention as { data: { text?: string } }).data.text).toBe(words);
});

describe('HTML tables', () => {
  const cards =
    '<table data-card-size="large" data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td><strong>a</strong></td><td><a href="b.md">b.md</a></td><td><a href="assets/c">assets/c</a></td></tr></tbody></table>';

  it('cards keep their view, target and cover', () => {
    const document = read(cards);
    const [table] = document.nodes;
    expect(table?.data).toMatchObject({
      view: { type: 'cards', cardSize: 'large', columns: ['c1'], targetDefinition: 'c2', coverDefinition: 'c3' },
      records: { r1: { values: { c1: 'r1:c1', c2: { kind: 'page', page: 'b' }, c3: ['c'] } } },
    });
    expect(write(document).trimEnd()).toBe(cards);
  });

  it('cells hold blocks, typed columns values', () => {
    const source =
      '<table data-full-width="true"><thead><tr><th width="120">a</th><th data-type="checkbox">b</th><th data-type="rating" data-max="5">c</th><th data-type="select" data-multiple>d</th></tr></thead><tbody><tr><td><p>x</p><ul><li>y</li></ul></td><td>true</td><td>4</td><td><span data-option="o">o</span></td></tr></tbody></table>';
    const document = read(source);
    const [table] = document.nodes;
    expect(table?.data).toMatchObject({
      fullWidth: true,
      view: { columnWidths: { c1: 120 } },
      records: { r1: { values: { c2: true, c3: 4, c4: ['o'] } } },
    });
    expect(table?.fragments?.[0]?.nodes.map(sketch)).toEqual([p('x'), ['list-unordered', ['list-item', p('y')]]]);
    expect(validateDocument(document)).toEqual([]);
    expect(write(document).trimEnd()).toBe(source);
  });

  it('Markdown in a cell is read, and written where HTML has no form for it', () => {
    const document = read(
      '<table><tr><td>\n\n{% hint style="info" %}\na\n{% endhint %}\n\n</td><td>b</td></tr></table>',
    );
    expect(document.nodes.map(sketch)).toEqual([['table', ['hint', { style: 'info' }, p('a')], p('b')]]);
    expect(read(write(document))).toEqual(document);
  });

  it('columns of options are read and written as GitBook writes them, and as earlier versions wrote them', () => {
    const source =
      '<table data-search="true"><thead><tr><th>a</th><th data-type="select" data-multiple>State<select><option value="o1" label="Open" color="blue"></option><option value="o2" label="Done, gone" color="green"></option></select></th><th data-hidden>secret</th></tr></thead><tbody><tr><td>x</td><td><span data-option="o1">Open</span>, <span data-option="o2">Done, gone</span></td><td>y</td></tr></tbody></table>';
    const document = read(source);
    const options = [
      { value: 'o1', label: 'Open', color: 'blue' },
      { value: 'o2', label: 'Done, gone', color: 'green' },
    ];
    expect(document.nodes[0]?.data).toMatchObject({
      search: true,
      view: { columns: ['c1', 'c2'] },
      definition: { c2: { type: 'select', title: 'State', multiple: true, options }, c3: { title: 'secret' } },
      records: { r1: { values: { c2: ['o1', 'o2'] } } },
    });
    expect(validateDocument(document)).toEqual([]);
    expect(write(document).trimEnd()).toBe(source);
    const untyped = source.replace(' data-type="select"', '');
    expect(read(untyped)).toEqual(document);
    const json = JSON.stringify(options).replaceAll('"', '&quot;');
    const earlier = source
      .replace(/<select>.*<\/select>/, '')
      .replace('data-multiple', `data-multiple data-options="${json}"`);
    expect(read(earlier)).toEqual(document);
  });

  it.each([
    ['a class', '<table class="x"><tr id="y"><td style="color:red">a</td><td>b</td></tr></table>', 3],
    ['a section of a class', '<table><tbody class="x"><tr><td>a</td><td>b</td></tr></tbody></table>', 1],
    ['widths', '<table><colgroup><col width="9"></colgroup><tr><td>a</td><td>b</td></tr></table>', 1],
  ])('%s costs itself, not the table', (_name, source, losses) => {
    const { document, problems } = parseMarkdown(source);
    expect(document.nodes.map(sketch)).toEqual([['table', p('a'), p('b')]]);
    expect(problems.map(({ message }) => message)).toHaveLength(losses);
  });

  it('merged cells are cells of their own, beside empty ones', () => {
    const { document, problems } = parseMarkdown(
      '<table><thead><tr><th colspan="2">h</th></tr></thead><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>',
    );
    expect(document.nodes[0]?.data).toMatchObject({
      definition: { c1: { title: 'h' }, c2: { title: '' } },
      records: { r1: { values: { c1: 'r1:c1', c2: 'r1:c2' } }, r2: { values: { c1: '', c2: 'r2:c2' } } },
    });
    expect(document.nodes.map(sketch)).toEqual([['table', p('a'), p('b'), p('c')]]);
    expect(problems).toEqual([
      {
        line: 1,
        column: 1,
        rule: 'simplified-table',
        message: 'the merged cells of a table are read as cells of their own',
      },
    ]);
  });

  it('a caption stands above the table, blocks in a head are its words, a second head is a row', () => {
    const document = read(
      '<table><caption>all</caption><thead><tr><th><p>one</p><p>two</p></th></tr><tr><th>x</th></tr></thead><tr><td>a</td></tr></table>',
    );
    expect(document.nodes.map(sketch)).toEqual([p('all'), ['table', p('x'), p('a')]]);
    expect(document.nodes[1]?.data).toMatchObject({ definition: { c1: { title: 'one two' } } });
    expect(read(write(document))).toEqual(document);
  });

  it('a condition between rows goes on to hold for them', () => {
    const source = '<table><tbody>\n{% if visitor.claims.beta %}\n<tr><td>a</td></tr>\n{% endif %}\n</tbody></table>';
    expect(JSON.stringify(read(source).nodes.map(sketch))).toContain('visitor.claims.beta');
  });

  /** Each row has a cell for every column, however few are written. */
  it.each([
    ['in HTML', `<table><tr>${'<td>a</td>'.repeat(200)}</tr>${'<tr><td>b</td></tr>'.repeat(200)}</table>`],
    ['in Markdown', `| a |\n| - |\n${'|x'.repeat(200)}|\n${'| b |\n'.repeat(200)}`],
  ])('a table of too many cells is kept verbatim: %s', (_name, source) => {
    const { document, problems } = parseMarkdown(source);
    expect(document.nodes.every(({ type }) => type !== 'table')).toBe(true);
    expect(problems[0]?.message).toContain('kept verbatim');
    const half = parseMarkdown(source.replace(/((?:<tr><td>b<\/td><\/tr>|\| b \|\n)){160}/, '')).document;
    expect(half.nodes.map(({ type }) => type)).toEqual(['table']);
  });
});

describe('pages', () => {
  const source = `---
description: A
icon: gear
hidden: true
cover: assets/c
coverY: 3
layout:
  cover:
    visible: true
    size: full
  title:
    visible: false
if: visitor.claims.a
vars:
  a: 1
some key:
  - b
---

# The \`x\` page

a
`;

  it('frontmatter and title are read and written back', () => {
    const { frontmatter, title, document } = parseMarkdown(source);
    expect(title).toBe('The x page');
    expect(frontmatter).toMatchObject({
      description: 'A',
      icon: 'gear',
      hidden: true,
      cover: 'assets/c',
      coverY: 3,
      condition: 'visitor.claims.a',
      variables: { a: 1 },
      layout: { cover: true, coverSize: 'full', title: false },
      extra: { 'some key': ['b'] },
    });
    expect(document.nodes.map(sketch)).toEqual([p('a')]);
    const { extra: _extra, ...head } = frontmatter;
    expect(parseMarkdown(serializePage({ title: 'The x page', frontmatter: head }, document))).toEqual(
      parseMarkdown(source),
    );
    expect(serializePage({ title: 'The x page', frontmatter: head }, document)).toContain('# The `x` page');
  });

  it('the heading of the source is used only while the page has that title', () => {
    const { document } = parseMarkdown(source);
    expect(serializePage({ title: 'Renamed' }, document)).toContain('# Renamed');
  });

  it('frontmatter that is no YAML is kept', () => {
    const broken = '---\n: a: b: {\n---\n\n# T\n\na\n';
    const { document, problems } = parseMarkdown(broken);
    expect(problems).toHaveLength(1);
    expect(serializePage({ title: 'T' }, document)).toBe(broken);
  });

  it('a later heading of the first level is no title', () => {
    const { title, document } = parseMarkdown('a\n\n# b\n');
    expect(title).toBeUndefined();
    expect(document.nodes.map(sketch)).toEqual([p('a'), ['heading-1', 'b']]);
  });
});

describe('references', () => {
  it('are placeholders until they are rendered', () => {
    const document = parseMarkdown(
      '# T\n\n[a](b.md) <a href="b.md" class="button primary">x</a> {% include "y" %}\n\n{% include "includes/z" %}\n',
      { resolve },
    ).document;
    const markdown = serializeMarkdown(document);
    expect(placeholdersIn(markdown)).toEqual([
      { kind: 'page', page: 'b' },
      { kind: 'page', page: 'b' },
      { kind: 'reusable-content', reusableContent: 'z' },
    ]);
    const shown = renderPlaceholders(markdown, (ref) => (ref.kind === 'page' ? 'new path (1)/"b".md' : 'z'));
    expect(shown).toContain('[a](new%20path%20%281%29/%22b%22.md)');
    expect(shown).toContain('href="new%20path%20%281%29/%22b%22.md"');
    expect(shown).toContain('{% include "z" %}');
  });

  it('that no path leads to are addresses that are read back', () => {
    const refs: ContentRef[] = [
      { kind: 'user', user: 'u' },
      { kind: 'anchor', anchor: 'a b', page: 'p', space: 's' },
      { kind: 'openapi', spec: 'x' },
    ];
    for (const ref of refs) expect(parseReferenceUri(referenceUri(ref))).toEqual(ref);
    expect(parseReferenceUri('bindery:user?x=1')).toBeUndefined();
    expect(parseReferenceUri('https://a.b')).toBeUndefined();
  });

  it('null drops a link and keeps its text', () => {
    const { document } = parseMarkdown('a [**b**](c) d', { resolve: () => null });
    expect(document.nodes.map(sketch)).toEqual([p('a bold(b) d')]);
  });
});

describe('laws', () => {
  const pieces = [
    'word',
    'two words',
    '**b**',
    '_i_',
    '`c`',
    '[l](u)',
    '![i](s)',
    '<b>x</b>',
    '<div>',
    '</div>',
    '<details>',
    '<summary>s</summary>',
    '</details>',
    '<p>',
    '</p>',
    '<table><tr><td>y</td></tr></table>',
    '<!-- c -->',
    '{% hint style="info" %}',
    '{% endhint %}',
    '{% tabs %}',
    '{% tab title="t" %}',
    '{% endtab %}',
    '{% endtabs %}',
    '{% embed url="e" %}',
    '{% code %}',
    '{% endcode %}',
    '```',
    '$$',
    '> ',
    '* ',
    '1. ',
    '    ',
    '| a | b |\n| - | - |\n| c | d |',
    '# ',
    '---',
    '[^1]',
    '[^1]: f',
    '[r]: u',
    '[r]',
    '\\',
    ':smile:',
    '<',
    '&',
    '*',
    '_',
    '~',
  ];
  const texts = (of: readonly string[]): fc.Arbitrary<string> =>
    fc
      .array(fc.tuple(fc.constantFrom(...of), fc.constantFrom('\n', '\n\n', ' ', '')), { maxLength: 14 })
      .map((parts) => parts.flat().join(''));
  const run = { numRuns: ROUNDS, ...(Number(process.env.SEED ?? 0) ? { seed: Number(process.env.SEED) } : {}) };

  it(`every document is read back from what it is written as (${ROUNDS} documents)`, () => {
    fc.assert(
      fc.property(documents, (document) => {
        const markdown = serializeMarkdown(document, { render: referenceUri });
        const back = parseMarkdown(markdown, { page: false, resolve: parseReferenceUri }).document;
        expect(withoutKeys(back)).toEqual(withoutKeys(document));
      }),
      run,
    );
  });

  it(`any text gives a valid document, and reading what was written changes nothing (${ROUNDS} texts)`, () => {
    fc.assert(
      fc.property(texts(pieces), (source) => {
        const first = parseMarkdown(source, { page: false }).document;
        expect(validateDocument(first)).toEqual([]);
        expect(parseMarkdown(serializeMarkdown(first), { page: false }).document).toEqual(first);
      }),
      { ...run, examples: [['<p>\n</div><b>x</b>\n'], ['[^1]: f\n     ```\nword\n']] },
    );
  });

  it(`no word is lost, whatever tags are left open (${ROUNDS} texts)`, () => {
    const wordsOf = (document: Document): string[] => deriveDocument(document).text.match(/[a-z]+/g) ?? [];
    fc.assert(
      fc.property(
        texts([
          'one',
          'two',
          '<b>',
          '</b>',
          '<i>',
          '<table><tr><td>',
          '</td></tr></table>',
          '<li>',
          '</ul>',
          '<p>',
          '{% tabs %}',
          '{% tab title="t" %}',
          '{% endtab %}',
          '{% endhint %}',
          '**',
          '> ',
          '* ',
        ]),
        (source) => {
          const first = parseMarkdown(source, { page: false }).document;
          const words = source.replace(/<[^>]*>|\{%[^%]*%\}/g, ' ').match(/[a-z]+/g) ?? [];
          for (const word of ['one', 'two'])
            expect(wordsOf(first).join(' ').split(word)).toHaveLength(words.join(' ').split(word).length);
          expect(validateDocument(parseMarkdown(serializeMarkdown(first), { page: false }).document)).toEqual([]);
        },
      ),
      run,
    );
  });
});

describe('the checker', () => {
  const source =
    '# T\n\n## a\n\n[l](u) **m** $$x$$\n\n{% hint style="info" %}\n| c |\n| - |\n| d |\n{% endhint %}\n\n```js\nz\n```\n';

  it('finds source and document equal', () => {
    const { document, title } = parseMarkdown(source);
    const check = checkPage(source, document, { ...(title === undefined ? {} : { title }) });
    expect(check).toMatchObject({ missing: [], surplus: [], missingWords: [], verbatim: 0 });
    expect(check.facts).toBeGreaterThan(8);
  });

  it('counts the names of icons as no text, in headings and cells of Markdown and of HTML', () => {
    const icons =
      '# <i class="fa-gears">:gears:</i> T\n\n## <i class="fa-x">:x:</i> a\n\n<h2><i class="fa-eye-slash">:eye-slash:</i> b</h2>\n\n' +
      '| <i class="fa-box-open">:box-open:</i> c |\n| - |\n| d <i class="fa-x">:x:</i> |\n';
    const { document, title } = parseMarkdown(icons);
    const check = checkPage(icons, document, { ...(title === undefined ? {} : { title }) });
    expect(check).toMatchObject({ missing: [], surplus: [], missingWords: [], verbatim: 0 });
  });

  it.each([
    [
      'flattened to text',
      (document: Document) => ({
        ...document,
        nodes: [
          {
            object: 'block',
            type: 'paragraph',
            isVoid: false,
            data: {},
            nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'a l m x c d z', marks: [] }] }],
          },
        ] as Block[],
      }),
      8,
      0,
    ],
    [
      'verbatim',
      (document: Document) => ({
        ...document,
        nodes: [
          {
            object: 'block',
            type: 'code',
            isVoid: false,
            data: { syntax: 'gitbook-raw' },
            nodes: [
              {
                object: 'block',
                type: 'code-line',
                isVoid: false,
                data: {},
                nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: source, marks: [] }] }],
              },
            ],
          },
        ] as Block[],
      }),
      8,
      0,
    ],
    ['without its last block', (document: Document) => ({ ...document, nodes: document.nodes.slice(0, -1) }), 1, 1],
  ])('names what is missing of a document that is %s', (_name, spoil, missing, words) => {
    const { document, title } = parseMarkdown(source);
    const check = checkPage(source, spoil(document), { ...(title === undefined ? {} : { title }) });
    expect(check.missing.length).toBeGreaterThanOrEqual(missing);
    expect(check.missingWords).toHaveLength(words);
  });
});

describe('cost', () => {
  it.each([
    ['deep quotes', '> '.repeat(2_000) + 'a'],
    ['deep lists', Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth * 2)}* a`).join('\n')],
    ['open tags', '{% hint style="info" %}\n'.repeat(2_000)],
    ['open quotes in tags', '{% hint style="\n'.repeat(2_000)],
    ['open elements', '<div>\n\n'.repeat(2_000)],
    ['open brackets', '[a'.repeat(2_000)],
  ])('%s are read in bounded time and depth', (_name, source) => {
    const start = process.cpuUsage().user;
    const { document } = parseMarkdown(source);
    expect(validateDocument(document)).toEqual([]);
    expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(10);
  });

  it('the words of every line are there', () => {
    expect(lineText(read('a *b* [c](d)').nodes[0]?.nodes ?? [])).toBe('a b c');
  });
});

describe('the table of constructs in the documentation', () => {
  /** The names in the last column of all tables of the reference. */
  const named = new Set(
    readFileSync('docs/reference/markdown.md', 'utf8')
      .split('\n## Limits')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
      .flatMap((line) =>
        [...(line.replaceAll('\\|', '').split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
      ),
  );

  it.each([
    ['block', Object.keys(BLOCKS)],
    ['inline', Object.keys(INLINES)],
    ['mark', MARK_ORDER],
  ] as const)('names every type of %s that the model has', (_, types) => {
    expect(types.filter((type) => !named.has(type))).toEqual([]);
  });
});
