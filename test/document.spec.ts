import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anchorOf, anchorsOf } from '../src/formats/document/anchors.js';
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
} from '../src/formats/document/build.js';
import { countWords, deriveDocument } from '../src/formats/document/derive.js';
import { canonicalJson, hashDocument, withoutKeys } from '../src/formats/document/hash.js';
import { assignKeys } from '../src/formats/document/keys.js';
import { BLOCKS, INLINES } from '../src/formats/document/node-kinds.js';
import { childBlocks } from '../src/formats/document/text.js';
import type { Block, Document } from '../src/formats/document/types.js';
import { validateDocument } from '../src/formats/document/validate.js';
import { parseMarkdown } from '../src/formats/markdown/parse.js';
import { documents } from './document-arbitrary.js';

const ROUNDS = Number(process.env.ROUNDS ?? 0) || 100;
const read = (source: string): Document => parseMarkdown(source, { page: false }).document;
const counter = (prefix: string): (() => string) => {
  let last = 0;
  return () => `${prefix}${(last += 1)}`;
};

function allBlocks(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((each) => {
    const inLine = (each.nodes ?? []).flatMap((node) => (node.object === 'inline' ? childBlocks(node) : []));
    return [each, ...allBlocks([...childBlocks(each), ...inLine])];
  });
}

describe('the model', () => {
  it('knows the types of the interface and three newer ones', () => {
    expect(Object.keys(BLOCKS)).toHaveLength(35 + 3);
    expect(Object.keys(INLINES)).toHaveLength(9);
  });
});

describe('validateDocument', () => {
  const good = document([paragraph(plain('a'))]);
  const with_ = (node: unknown): unknown => ({ ...good, nodes: [node] });
  const p = (data: unknown, nodes: unknown = [plain('a')]): unknown => ({
    object: 'block',
    type: 'paragraph',
    isVoid: false,
    data,
    nodes,
  });
  const nested = (depth: number): Block =>
    depth === 0 ? paragraph(plain('a')) : block('blockquote', {}, [nested(depth - 1)]);

  const cases: [string, unknown, string, RegExp][] = [
    ['no object', 'text', '', /object/],
    ['another object', { ...good, object: 'page' }, 'object', /document/],
    ['nodes missing', { object: 'document', data: {} }, 'nodes', /list/],
    ['schema version', { ...good, data: { schemaVersion: '1' } }, 'data.schemaVersion', /integer/],
    ['unknown block', with_({ object: 'block', type: 'poem', nodes: [] }), 'nodes.0', /poem/],
    [
      'a name of Object.prototype',
      with_({ object: 'block', type: 'constructor', nodes: [] }),
      'nodes.0',
      /constructor/,
    ],
    ['part outside of its whole', with_(block('list-item', {}, [paragraph()])), 'nodes.0', /list-item/],
    ['text at the top', with_(plain('a')), 'nodes.0', /text/],
    ['block in a paragraph', with_(p({}, [paragraph()])), 'nodes.0.nodes.0', /paragraph/],
    [
      'link in a link',
      with_(
        p({}, [
          inline('link', { ref: { kind: 'url', url: 'a' } }, [
            inline('link', { ref: { kind: 'url', url: 'a' } }, [plain('a')]),
          ]),
        ]),
      ),
      'nodes.0.nodes.0.nodes.0',
      /link/,
    ],
    ['item of a list that is none', with_(block('list-ordered', {}, [paragraph()])), 'nodes.0.nodes.0', /paragraph/],
    ['unknown field of a closed object', with_(p({ colour: 'red' })), 'nodes.0.data.colour', /field/],
    ['wrong alignment', with_(p({ align: 'left' })), 'nodes.0.data.align', /start, center, end/],
    [
      'wrong style',
      with_({ object: 'block', type: 'hint', isVoid: false, data: { style: 'tip' }, nodes: [] }),
      'nodes.0.data.style',
      /info/,
    ],
    [
      'missing style',
      with_({ object: 'block', type: 'hint', isVoid: false, data: {}, nodes: [] }),
      'nodes.0.data.style',
      /missing/,
    ],
    [
      'heading id',
      with_({ object: 'block', type: 'heading-1', isVoid: false, data: { id: 'A b' }, nodes: [] }),
      'nodes.0.data.id',
      /match/,
    ],
    ['wrong isVoid', with_({ object: 'block', type: 'divider', isVoid: false, data: {} }), 'nodes.0.isVoid', /true/],
    [
      'nodes of a void block',
      with_({ object: 'block', type: 'divider', isVoid: true, data: {}, nodes: [paragraph()] }),
      'nodes.0.nodes',
      /absent/,
    ],
    [
      'wrong reference',
      with_({ object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'url', url: 'a' } } }),
      'nodes.0.data.ref.kind',
      /file/,
    ],
    [
      'reference without its id',
      with_({ object: 'block', type: 'content-ref', isVoid: true, data: { ref: { kind: 'page' } } }),
      'nodes.0.data.ref.page',
      /missing/,
    ],
    [
      'missing fragment',
      with_({ object: 'block', type: 'expandable', isVoid: true, data: {}, fragments: [] }),
      'nodes.0.fragments',
      /expandable-title/,
    ],
    [
      'two title paragraphs',
      with_(
        block('expandable', {}, undefined, [
          fragment('expandable-title', [paragraph(), paragraph()], 'expandable-title'),
          fragment('expandable-body', [paragraph()], 'expandable-body'),
        ]),
      ),
      'nodes.0.fragments.0.nodes',
      /at most 1/,
    ],
    [
      'unknown mark',
      with_(
        p({}, [
          { object: 'text', leaves: [{ object: 'leaf', text: 'a', marks: [{ object: 'mark', type: 'shiny' }] }] },
        ]),
      ),
      'nodes.0.nodes.0.leaves.0.marks.0.type',
      /bold/,
    ],
    [
      'wrong colour',
      with_(
        p({}, [
          text(leaf('a', [{ object: 'mark', type: 'color', data: { text: 'mauve' as 'red', background: 'default' } }])),
        ]),
      ),
      'nodes.0.nodes.0.leaves.0.marks.0.data.text',
      /default/,
    ],
    [
      'table without a view',
      with_({
        object: 'block',
        type: 'table',
        isVoid: true,
        data: { records: {}, definition: {}, view: {} },
        fragments: [],
      }),
      'nodes.0.data.view.type',
      /grid, cards/,
    ],
    [
      'cell value',
      with_({
        object: 'block',
        type: 'table',
        isVoid: true,
        data: {
          records: { r: { orderIndex: 'a', values: { c: { kind: 'x' } } } },
          definition: {},
          view: { type: 'grid', columns: [], hideHeader: false },
        },
        fragments: [],
      }),
      'nodes.0.data.records.r.values.c',
      /must be/,
    ],
    ['NUL in text', with_(p({}, [plain('a\0')])), 'nodes.0.nodes.0.leaves.0.text', /NUL/],
    [
      'NUL in data',
      with_({ object: 'block', type: 'math', isVoid: true, data: { formula: '\0' } }),
      'nodes.0.data.formula',
      /NUL/,
    ],
    ['half a character', with_(p({}, [plain('\ud800')])), 'nodes.0.nodes.0.leaves.0.text', /Unicode/],
    ['too deep', with_(nested(40)), Array.from({ length: 33 }, () => 'nodes.0').join('.'), /32 deep/],
  ];

  it.each(cases.map(([name, value, path, message]) => ({ name, value, path, message })))(
    'names the path: $name',
    ({ value, path, message }) => {
      const faults = validateDocument(value);
      expect(faults).toContainEqual({ path, message: expect.stringMatching(message) as unknown });
    },
  );

  it('accepts any block of the top level in every container', () => {
    const inner = [
      block(
        'table',
        { view: { type: 'grid', columns: [], hideHeader: false }, records: {}, definition: {} },
        undefined,
        [],
      ),
      block('divider', {}),
    ];
    const containers: Block[] = [
      block('hint', { style: 'info' }, inner),
      block('blockquote', {}, inner),
      block('list-unordered', {}, [block('list-item', {}, inner)]),
      block('tabs', {}, [block('tabs-item', {}, inner)]),
      block('stepper', {}, [block('stepper-step', {}, inner)]),
      block('columns', {}, [block('column', {}, inner)]),
      block('if', { expression: 'a' }, inner),
      block('expandable', {}, undefined, [
        fragment('expandable-title', [paragraph()], 'expandable-title'),
        fragment('expandable-body', inner, 'expandable-body'),
      ]),
    ];
    expect(validateDocument(document(containers))).toEqual([]);
  });

  it(`accepts every generated document (${ROUNDS})`, () => {
    fc.assert(
      fc.property(documents, (made) => expect(validateDocument(made)).toEqual([])),
      { numRuns: ROUNDS },
    );
  });

  it('refuses a million nodes and a depth of ten thousand quickly', () => {
    const many = { ...good, nodes: Array.from({ length: 1_000_000 }, () => p({}, [])) };
    let deep: unknown = paragraph();
    for (let level = 0; level < 10_000; level++)
      deep = { object: 'block', type: 'blockquote', isVoid: false, data: {}, nodes: [deep] };
    const start = process.cpuUsage().user;
    expect(validateDocument(many).map((fault) => fault.message)).toContainEqual(
      expect.stringContaining('more than 100000 nodes'),
    );
    expect(validateDocument(with_(deep)).map((fault) => fault.message)).toContainEqual(
      expect.stringContaining('32 deep'),
    );
    expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(3);
  });

  it.each([
    ['columns and rows', 101, [], 100],
    ['a column that is shown many times', 1, Array.from({ length: 101 }, () => 'c0'), 100],
  ])('counts the empty cells of a table: %s', (_name, columns, shown, rows) => {
    const definition = Object.fromEntries(
      Array.from({ length: columns }, (_, index) => [`c${index}`, { id: `c${index}`, title: '', type: 'checkbox' }]),
    );
    const records = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${index}`, { orderIndex: 'a', values: {} }]));
    const view = { type: 'grid', columns: shown, hideHeader: false };
    const table = (count: number): unknown => ({
      object: 'block',
      type: 'table',
      isVoid: true,
      data: { view, definition, records: records(count) },
      fragments: [],
    });
    expect(validateDocument(with_(table(rows - 1)))).toEqual([]);
    expect(validateDocument(with_(table(rows)))).toEqual([
      { path: 'nodes.0.data.records', message: 'the tables of the document have more than 10000 cells' },
    ]);
  });

  it('lists a bounded number of faults', () => {
    expect(validateDocument({ ...good, nodes: Array.from({ length: 500 }, () => 1) })).toHaveLength(50);
  });
});

describe('assignKeys', () => {
  const keyed = (source: string): Document => assignKeys(read(source), undefined, counter('a'));
  const keysByText = (made: Document): Record<string, string | undefined> =>
    Object.fromEntries(
      allBlocks(made.nodes)
        .filter((each) => each.type === 'paragraph')
        .map((each) => [JSON.stringify(withoutKeys(each.nodes)), each.key]),
    );
  const rewritten = (before: string, after: string): { old: Document; now: Document } => {
    const old = keyed(before);
    return { old, now: assignKeys(read(after), old, counter('b')) };
  };

  it('gives every block a key of its own', () => {
    const made = keyed('# a\n\n* b\n* c\n\n| d |\n| - |\n| e |\n\nf[^1]\n\n[^1]: g\n');
    const keys = allBlocks(made.nodes).map((each) => each.key);
    expect(keys).not.toContain(undefined);
    expect(new Set(keys).size).toBe(keys.length);
    expect(JSON.stringify(made)).toContain('"text":"g"');
  });

  it('keeps all keys of an unchanged page', () => {
    const { old, now } = rewritten('a\n\n* b\n  * c\n\n```\nd\n```\n', 'a\n\n* b\n  * c\n\n```\nd\n```\n');
    expect(now).toEqual(old);
  });

  const cases: [string, string, string, number][] = [
    ['insertion before', 'a\n\nb\n\nc', 'x\n\na\n\nb\n\nc', 1],
    ['insertion between', 'a\n\nb', 'a\n\nx\n\nb', 1],
    ['deletion', 'a\n\nb\n\nc', 'a\n\nc', 0],
    ['edited paragraph', 'a\n\nthe quick brown fox jumps\n\nc', 'a\n\nthe quick red fox jumps\n\nc', 0],
    ['edited and inserted', 'the quick brown fox jumps\n\nc', 'new\n\nthe quick red fox jumps\n\nc', 1],
    ['moved paragraph', 'a\n\nb\n\nc', 'c\n\na\n\nb', 0],
    ['deep in a list', '* a\n* b\n  * c\n  * d', '* a\n* b\n  * x\n  * c\n  * d', 2],
    [
      'in a hint',
      '{% hint style="info" %}\na\n\nb\n{% endhint %}',
      '{% hint style="info" %}\na\n\nx\n\nb\n{% endhint %}',
      1,
    ],
    ['in a table', '| a |\n| - |\n| b |\n| c |', '| a |\n| - |\n| b |\n| x |', 0],
    ['wholly new word in the same place', 'a\n\nb\n\nc', 'a\n\nz\n\nc', 0],
  ];
  it.each(cases.map(([name, before, after, fresh]) => ({ name, before, after, fresh })))(
    '$name',
    ({ before, after, fresh }) => {
      const { old, now } = rewritten(before, after);
      const known = new Set(allBlocks(old.nodes).map((each) => each.key));
      expect(allBlocks(now.nodes).filter((each) => !known.has(each.key))).toHaveLength(fresh);
      const before_ = keysByText(old);
      for (const [words, key] of Object.entries(keysByText(now)))
        if (words in before_) expect(key).toBe(before_[words]);
    },
  );

  it('a page of thousands of equal blocks takes no time to speak of', () => {
    const old = assignKeys(read(Array.from({ length: 3_000 }, () => 'x').join('\n\n')), undefined, counter('a'));
    const start = process.cpuUsage().user;
    const now = assignKeys(
      read(`y\n\n${Array.from({ length: 3_100 }, () => 'x').join('\n\n')}\n\ny`),
      old,
      counter('b'),
    );
    expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(5);
    expect(now.nodes.filter((each) => each.key?.startsWith('a') === true)).toHaveLength(3_000);
  });

  it('keys are unique whatever the document brings', () => {
    const twice = { ...paragraph(plain('a')), key: 'k' };
    const made = assignKeys(document([twice, { ...twice }]), undefined, counter('n'));
    expect(made.nodes.map((each) => each.key)).toEqual(['k', 'n1']);
  });

  it(`rewriting with any document keeps keys unique and content equal (${ROUNDS})`, () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const now = assignKeys(after, assignKeys(before, undefined, counter('a')), counter('b'));
        const keys = allBlocks(now.nodes).map((each) => each.key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(withoutKeys(now)).toEqual(withoutKeys(after));
      }),
      { numRuns: ROUNDS },
    );
  });
});

describe('hashDocument', () => {
  it('does not depend on the order of fields, but on everything else', () => {
    expect(canonicalJson({ b: [1, { d: undefined, c: 'é' }], a: null })).toBe('{"a":null,"b":[1,{"c":"é"}]}');
    expect(hashDocument({ a: 1, b: 2 })).toBe(hashDocument({ b: 2, a: 1 }));
    expect(hashDocument(read('a'))).not.toBe(hashDocument(read('b')));
    expect(hashDocument(read('a'))).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('deriveDocument', () => {
  const source = `Before.

# One *two*

text [l](https://a.b) \`code\`

#### Deeper

under deeper

## One two

{% hint style="info" %}
hinted ![alt](i.png)

### Inner

inside
{% endhint %}

## Own <a href="#own-id" id="own-id"></a>

| H [x](https://h.i) |
| - |
| cell [c](https://c.d) |

[^1]

[^1]: noted [n](https://n.o)
`;

  it('cuts the text into sections by headings of level 1 to 3', () => {
    const { sections } = deriveDocument(read(source));
    expect(sections.map(({ idx, id, level, title, body }) => [idx, id, level, title, body])).toEqual([
      [0, '', 0, '', 'Before.'],
      [1, 'one-two', 1, 'One two', 'text l code\nDeeper\nunder deeper'],
      [2, 'one-two-1', 2, 'One two', 'hinted alt'],
      [3, 'inner', 3, 'Inner', 'inside'],
      [4, 'own-id', 2, 'Own', 'H x\ncell c\nnoted n'],
    ]);
  });

  it('finds every reference and the block and section it is in', () => {
    const made = assignKeys(read(source), undefined, counter('k'));
    const { references } = deriveDocument(made);
    expect(references.map(({ ref, section, usage }) => [ref.kind === 'url' ? ref.url : ref, section, usage])).toEqual([
      ['https://a.b', 1, 'link'],
      ['i.png', 2, 'image'],
      ['https://h.i', 4, 'link'],
      ['https://c.d', 4, 'link'],
      ['https://n.o', 4, 'link'],
    ]);
    const keys = new Set(allBlocks(made.nodes).map((each) => each.key));
    for (const reference of references) expect(keys).toContain(reference.node);
  });

  it('finds references in cards, buttons, mentions, images and files', () => {
    const made = parseMarkdown(
      '<table data-view="cards"><thead><tr><th></th><th data-card-target data-type="content-ref"></th><th data-card-cover data-type="files"></th></tr></thead><tbody><tr><td>a</td><td><a href="p">p</a></td><td><a href="f">f</a></td></tr></tbody></table>\n\n<a href="b" class="button primary">B</a> [m](m "mention")\n\n<figure><picture><source srcset="d" media="(prefers-color-scheme: dark)"><img src="i"></picture></figure>\n\n{% file src="x" %}\n\n{% content-ref url="c" %}\n[c](c)\n{% endcontent-ref %}\n\n{% embed url="e" %}\n',
      {
        page: false,
        resolve: (target) =>
          ['f', 'd', 'i', 'x'].includes(target) ? { kind: 'file', file: target } : { kind: 'page', page: target },
      },
    ).document;
    expect(deriveDocument(made).references.map(({ ref, usage }) => [Object.values(ref)[1], usage])).toEqual([
      ['p', 'table'],
      ['f', 'table'],
      ['b', 'button'],
      ['m', 'mention'],
      ['i', 'image'],
      ['d', 'image'],
      ['x', 'block'],
      ['c', 'block'],
      ['e', 'block'],
    ]);
  });

  it('counts words in any script', () => {
    expect(countWords("It's 3 o’clock, x_y z-w")).toBe(5);
    expect(countWords('漢字テスト')).toBe(5);
    expect(deriveDocument(read('# a\n\nb c')).words).toBe(3);
  });

  it.each([
    ['Hello, World!', 'hello-world'],
    ['  Crème brûlée  ', 'creme-brulee'],
    ["Don't", 'dont'],
    ['v1.2_x + y', 'v1.2_x-+-y'],
    ['<buffer> section', 'less-than-buffer-greater-than-section'],
    ['漢字', '漢字'],
    ['???', ''],
  ])('the anchor of %s is %s', (title, anchor) => {
    expect(anchorOf(title)).toBe(anchor);
  });

  it('keeps explicit ids over equal titles', () => {
    const { sections } = deriveDocument(read('## a\n\n## b <a href="#a" id="a"></a>\n\n## ???\n'));
    expect(sections.map((section) => section.id)).toEqual(['a-1', 'a', 'heading']);
  });

  it('gives thousands of equal titles anchors of their own', () => {
    const anchors = [
      ...anchorsOf(
        document(Array.from({ length: 50_000 }, () => block('heading-1', {}, [text(leaf('Note'))]))),
      ).values(),
    ];
    expect([anchors.at(0), anchors.at(1), anchors.at(-1), new Set(anchors).size]).toEqual([
      'note',
      'note-1',
      'note-49999',
      50_000,
    ]);
  });

  it('marks do not split words', () => {
    expect(deriveDocument(document([paragraph(text(leaf('wo'), leaf('rd', [mark('bold')])))])).words).toBe(1);
  });
});
