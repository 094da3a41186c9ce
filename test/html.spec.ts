import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import {
  block,
  codeBlock,
  document,
  fragment,
  inline,
  leaf,
  paragraph,
  plain,
  rawBlock,
  text,
} from '../src/formats/document/build.js';
import { anchorsOf } from '../src/formats/document/anchors.js';
import { referencesIn } from '../src/formats/document/derive.js';
import type { Block, Document, Mark, Node } from '../src/formats/document/types.js';
import { parseMarkdown } from '../src/formats/markdown/parse.js';
import { SpecificationParser } from '../src/authoring/content/specification-parser.js';
import { SpecificationParts } from '../src/formats/openapi/specification-parts.js';
import { safeAddress } from '../src/kernel/common/safe-address.js';
import { firstWords } from '../src/formats/html/first-words.js';
import type { WorkerTask } from '../src/kernel/platform/workers/worker-task.js';
import { TaskLimitExceeded, WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { iconElement } from '../src/formats/html/icons.js';
import { factsOf } from '../src/formats/html/reference-facts.js';
import { RenderedContentCache } from '../src/formats/html/rendered-content-cache.js';
import { RENDER_DOCUMENT, type RenderOrder } from '../src/formats/html/rendering-tasks.js';
import type { ReferenceResolver } from '../src/formats/html/render-context.js';
import { everyConstruct, withKeys } from './every-construct.js';
import { attributeOf, EVERYTHING, ReadHtml, rendered, shownWords } from './rendered-html.js';

const TARGETS = { file: 'f', page: 'p', space: 's', collection: 'c', user: 'u', reusableContent: 'r' };
const words = (value: string): Block<'paragraph'> => paragraph(plain(value));

async function html(nodes: readonly Block[], resolver: Partial<ReferenceResolver> = {}): Promise<string> {
  return (await rendered(document(nodes), { ...EVERYTHING, ...resolver })).html;
}

const inLine = async (node: Node, resolver?: Partial<ReferenceResolver>): Promise<string> =>
  (await html([paragraph(node)], resolver)).replace(/^<p>|<\/p>$/g, '');
const ofMarkdown = async (source: string): Promise<string> =>
  (await rendered(parseMarkdown(source, { page: false }).document, EVERYTHING)).html;

describe('a document as HTML', () => {
  it('shows every construct, with all its words', async () => {
    const source = withKeys(everyConstruct(TARGETS));
    const { html: made, outline } = await rendered(source, EVERYTHING);
    const read = new ReadHtml(made);
    expect(read.faults()).toEqual([]);
    expect(read.missing(shownWords(source))).toEqual([]);
    expect(read.missing(['Only for some'])).toEqual(['Only for some']);
    expect(outline).toEqual([
      { id: 'one', title: 'The first heading', level: 1 },
      { id: 'two', title: 'The second heading', level: 2 },
      { id: 'three', title: 'The third heading', level: 3 },
    ]);
  });

  it('gives every place that links may lead to its id', async () => {
    const source = everyConstruct(TARGETS);
    const ids = new ReadHtml((await rendered(source, EVERYTHING)).html).elements.flatMap(
      (element) => attributeOf(element, 'id') ?? [],
    );
    for (const anchor of anchorsOf(source).values()) expect(ids).toContain(anchor);
  });

  it.each<[string, Block[], string]>([
    ['a paragraph', [block('paragraph', { align: 'center' }, [plain('a\nb')])], '<p class="align-center">a<br>b</p>'],
    ['an empty paragraph', [paragraph()], ''],
    [
      'an ordered list',
      [block('list-ordered', { start: 3 }, [block('list-item', {}, [words('a')])])],
      '<ol start="3"><li>a</li></ol>',
    ],
    [
      'a list with blocks',
      [block('list-unordered', {}, [block('list-item', {}, [words('a'), words('b')])])],
      '<ul><li><p>a</p><p>b</p></li></ul>',
    ],
    [
      'a task',
      [block('list-tasks', {}, [block('list-item', { checked: true }, [words('a')])])],
      '<ul class="tasks"><li class="done"><label><input type="checkbox" disabled checked><span>a</span></label></li></ul>',
    ],
    ['a divider', [block('divider', {})], '<hr>'],
    ['a quote', [block('blockquote', {}, [words('a')])], '<blockquote><p>a</p></blockquote>'],
    ['a condition that is still open', [block('if', { expression: 'visitor.claims.a' }, [words('a')])], ''],
    [
      'an expandable',
      [
        block(
          'expandable',
          {},
          [],
          [fragment('expandable-title', [words('a')]), fragment('expandable-body', [words('b')])],
        ),
      ],
      '<details class="expandable" id="a"><summary>a</summary><div class="expandable-body"><p>b</p></div></details>',
    ],
    [
      'columns',
      [block('columns', {}, [block('column', { width: { unit: '%', value: 33 } }, [words('a')])])],
      '<div class="columns"><div class="column w-35"><p>a</p></div></div>',
    ],
    [
      'a code block',
      [codeBlock('a\nb', { title: 't' })],
      '<div class="code"><div class="code-head"><span class="code-title">t</span><button class="copy" type="button" hidden data-copy="">Copy</button></div><pre tabindex="0"><code><span class="line">a\n</span><span class="line">b</span></code></pre></div>',
    ],
  ])('renders %s', async (_, nodes, expected) => {
    expect(await html(nodes)).toBe(expected);
  });

  it.each<[Mark['type'], string]>([
    ['bold', '<strong>a</strong>'],
    ['italic', '<em>a</em>'],
    ['code', '<code>a</code>'],
    ['keyboard', '<kbd>a</kbd>'],
    ['strikethrough', '<s>a</s>'],
    ['superscript', '<sup>a</sup>'],
    ['subscript', '<sub>a</sub>'],
    ['color', '<mark class="text-red ground-info">a</mark>'],
  ])('renders the mark %s', async (type, expected) => {
    const mark: Mark =
      type === 'color'
        ? { object: 'mark', type, data: { text: 'red', background: '$info' } }
        : { object: 'mark', type };
    expect(await inLine(text(leaf('a', [mark])))).toBe(expected);
  });

  it('keeps headings in order below the title of the page, whichever is the first', async () => {
    const levels = async (source: string): Promise<string[]> =>
      [...(await ofMarkdown(source)).matchAll(/<(h\d)/g)].map(([, name = '']) => name);
    expect(await levels('## a\n\n### b\n\n## c')).toEqual(['h2', 'h3', 'h2']);
    expect(await levels('# a\n\n## b\n\n### c\n\n#### d')).toEqual(['h2', 'h3', 'h4', 'h5']);
    expect(await levels('> a\n\n### b')).toEqual(['h2']);
    expect(await levels('## a\n\n#### b\n\n##### c\n\n## d')).toEqual(['h2', 'h3', 'h4', 'h2']);
  });

  it('gives headings of reusable contents ids of their own, each time', async () => {
    const reused = document([block('heading-2', {}, [plain('Again')])]);
    const nodes = [
      block('heading-2', {}, [plain('Again')]),
      ...['r', 'r'].map((id) => block('reusable-content', { ref: { kind: 'reusable-content', reusableContent: id } })),
    ];
    const { html: made, outline } = await rendered(document(nodes), { ...EVERYTHING, reusable: () => reused });
    expect(outline.map(({ id }) => id)).toEqual(['again', 'again-1', 'again-2']);
    expect(new ReadHtml(made).faults()).toEqual([]);
  });

  it('never follows reusable contents into themselves, nor without an end', async () => {
    const holder: Document = document([
      words('once'),
      block('reusable-content', { ref: { kind: 'reusable-content', reusableContent: 'r' } }),
    ]);
    expect(await html(holder.nodes, { reusable: () => holder })).toBe(
      '<p>once</p><p>once</p><p class="missing">This content is not available</p>',
    );
    expect(await html(holder.nodes, { reusable: () => undefined })).toBe(
      '<p>once</p><p class="missing">This content is not available</p>',
    );
    const many: Document = document(
      Array.from({ length: 60 }, () =>
        block('reusable-content', { ref: { kind: 'reusable-content', reusableContent: 'r' } }),
      ),
    );
    await html(many.nodes, { reusable: () => document([...many.nodes, words('x')]) }).then((text) =>
      expect(text.length).toBeLessThan(20_000),
    );
  });

  it('ends where a page becomes more than anybody reads', async () => {
    const many = document(Array.from({ length: 300 }, () => words('words '.repeat(200))));
    const made = await html(
      Array.from({ length: 400 }, () =>
        block('reusable-content', { ref: { kind: 'reusable-content', reusableContent: 'r' } }),
      ),
      { reusable: () => many },
    );
    expect(made.length).toBeGreaterThan(10e6);
    expect(made.length).toBeLessThan(30e6);
  });

  it('numbers annotations, and says below the page what they say', async () => {
    const note = inline(
      'annotation',
      {},
      [plain('word')],
      [fragment('body', [words('Its meaning'), codeBlock('x')], 'annotation-body')],
    );
    const read = new ReadHtml(await html([paragraph(note, plain(' and '), note)]));
    expect(read.faults()).toEqual([]);
    expect(read.all('section')).toHaveLength(1);
    expect(read.text).toMatch(/word1 and word2.*Its meaning/);
  });

  it('shows tabs one at a time without a script: each has its radio button, and the first is chosen', async () => {
    const made = await html([
      block(
        'tabs',
        {},
        ['a', 'b'].map((title) => block('tabs-item', { title }, [words(`in ${title}`)])),
      ),
    ]);
    const inputs = new ReadHtml(made).all('input');
    expect(
      inputs.map((input) => [attributeOf(input, 'type'), attributeOf(input, 'name'), attributeOf(input, 'checked')]),
    ).toEqual([
      ['radio', '~tabs', ''],
      ['radio', '~tabs', undefined],
    ]);
    expect(made).toContain('<div class="panel" id="b"><p>in b</p></div>');
  });

  it('folds long code, and marks lines', async () => {
    const made = await html([
      block(
        'code',
        { expandable: true, collapsedLineCount: 2, lineNumbers: true, overflow: 'wrap' },
        ['a', 'b', 'c'].map((line, index) =>
          block('code-line', index === 1 ? { highlighted: true } : {}, [plain(line)]),
        ),
      ),
    ]);
    expect(made).toContain('class="code numbered wrapped"');
    expect(made).toContain('<span class="line highlighted">b\n</span><span class="line folded">c</span>');
    expect(new ReadHtml(made).faults()).toEqual([]);
  });
});

describe('code in colours', () => {
  const plainCode = (value: string, syntax: string): Promise<string> => html([codeBlock(value, { syntax })]);

  it('is coloured by the names of its languages, also those that people use', async () => {
    expect(await plainCode('const a = 1;', 'js')).toContain('<span class="sk">const </span>');
    expect(await plainCode('{"a": 1}', 'JSON')).toContain('<span class="sn">1</span>');
    expect(await plainCode('package main', 'golang')).toContain('class="sk"');
  });

  it('goes on from one part to the next', async () => {
    const long = `/*\n${'words of a remark\n'.repeat(100)}*/\nconst a = 1;`;
    const made = await plainCode(long, 'js');
    expect(made.match(/<span class="sc">words of a remark\n?<\/span>/g)).toHaveLength(100);
    expect(made).toContain('<span class="sk">const </span>');
  });

  it('stays plain where the language is not known or the code is very long', async () => {
    for (const name of ['nothing', 'constructor', '__proto__', '"><script>'])
      expect(await plainCode('const a = 1;', name)).toContain('<span class="line">const a = 1;</span>');
    expect(await plainCode('const a = 1;\n'.repeat(10_000), 'js')).not.toContain('class="sk"');
  });

  it('finds its own colours where several pages are rendered at once', async () => {
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        plainCode(`const name${index} = ${index};`, index % 2 === 0 ? 'js' : 'ts'),
      ),
    );
    for (const [index, made] of pages.entries()) expect(made).toContain(`<span class="sn">name${index} </span>`);
  });

  it('keeps its annotations', async () => {
    const line = block('code-line', {}, [
      plain('const '),
      inline('annotation', {}, [plain('value')], [fragment('body', [words('A note')], 'annotation-body')]),
      plain(' = 1;'),
    ]);
    const made = await html([block('code', { syntax: 'js' }, [line])]);
    expect(made).toContain('<span class="sk">const </span><span class="annotation">');
    expect(new ReadHtml(made).text).toContain('const value = 1;');
  });
});

describe('formulas', () => {
  it('are MathML, or stand as they are written', async () => {
    expect(await ofMarkdown('$$a^2$$')).toContain('<msup><mi>a</mi><mn>2</mn></msup>');
    for (const formula of [
      '\\frac{',
      '\\href{javascript:alert(1)}{x}',
      '\\includegraphics{http://x}',
      '\\htmlStyle{color:red}{x}',
      '{'.repeat(2_000) + '}'.repeat(2_000),
      `\\def\\a{\\a\\a}\\a`,
    ]) {
      const read = new ReadHtml(await html([block('math', { formula })]));
      expect(read.faults()).toEqual([]);
      expect(read.missing([formula])).toEqual([]);
    }
    expect(
      new ReadHtml(
        await html([block('math', { formula: '\\colorbox{red}{x} \\color{blue} y \\fcolorbox{a}{b}{c}' })]),
      ).faults(),
    ).toEqual([]);
  });
});

describe('3b-29 links', () => {
  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['tel:+123', 'tel:+123'],
    ['../a/b.md#c', '../a/b.md#c'],
    ['/a:b', '/a:b'],
    ['?a=b:c', '?a=b:c'],
    ['javascript:alert(1)', undefined],
    ['JavaScript:alert(1)', undefined],
    [' java\nscript:alert(1)', undefined],
    ['\u0001javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['vbscript:x', undefined],
    ['file:///etc/passwd', undefined],
    ['blob:https://x/y', undefined],
    ['a b:c', undefined],
  ])('lead to %j as %j', async (address, expected) => {
    expect(safeAddress(address)).toBe(expected);
    const made = await inLine(inline('link', { ref: { kind: 'url', url: address } }, [plain('a')]), {
      link: () => ({ href: address }),
    });
    expect(made.startsWith('<a ')).toBe(expected !== undefined);
  });

  it('open outside as the site wants it', async () => {
    const link = inline(
      'link',
      {
        ref: { kind: 'url', url: 'https://example.com' },
        title: 'A "title"',
        attributes: { onclick: 'x', style: 'y' },
      },
      [plain('a')],
    );
    expect(await inLine(link)).toBe(
      '<a href="https://example.com" rel="noopener" target="_blank" title="A &#x22;title&#x22;">a</a>',
    );
    expect(await inLine(link, { externalTarget: 'self' })).toBe(
      '<a href="https://example.com" rel="noopener" title="A &#x22;title&#x22;">a</a>',
    );
  });

  it('are words where they lead nowhere', async () => {
    const nowhere: Partial<ReferenceResolver> = { link: () => ({}), image: () => undefined, file: () => undefined };
    expect(await inLine(inline('link', { ref: { kind: 'page', page: 'x' } }, [plain('a')]), nowhere)).toBe('a');
    expect(
      await inLine(inline('button', { label: 'Go', kind: 'primary', ref: { kind: 'page', page: 'x' } }), nowhere),
    ).toBe('<span class="button primary">Go</span>');
    const read = new ReadHtml(await html(everyConstruct(TARGETS).nodes, nowhere));
    expect(read.faults()).toEqual([]);
    expect(read.all('img')).toEqual([]);
  });
});

describe('files', () => {
  it('are opened by one link and kept by another', async () => {
    const shown = await html([block('file', { ref: { kind: 'file', file: 'f' } })], {
      file: () => ({ name: 'plan "A".pdf', href: '/plan.pdf', size: 1200 }),
    });
    expect(shown).toContain('<a class="box file" href="/plan.pdf">');
    expect(shown).toContain('<span class="box-action">Open</span>');
    expect(shown).toMatch(
      /<a class="box box-download" href="\/plan.pdf" download aria-label="Download: plan &#x22;A&#x22;.pdf">Download<\/a>/,
    );
    const gone = await html([block('file', { ref: { kind: 'file', file: 'f' } })], { file: () => undefined });
    expect(gone).not.toMatch(/<a |Open|Download/);
  });
});

describe('pictures', () => {
  const shown = (data: Block<'image'>['data'], resolver?: Partial<ReferenceResolver>): Promise<string> =>
    html([block('images', {}, [block('image', data)])], resolver);

  it('have their size, so that nothing moves', async () => {
    expect(await shown({ ref: { kind: 'file', file: 'f' }, alt: 'A' })).toContain(
      '<img src="/picture.png" alt="A" width="640" height="320" loading="lazy" decoding="async">',
    );
    expect(await shown({ ref: { kind: 'file', file: 'f' }, width: 100 })).toContain('width="100" height="50"');
    expect(await shown({ ref: { kind: 'file', file: 'f' }, height: 100 })).toContain('width="200" height="100"');
    expect(await shown({ ref: { kind: 'file', file: 'f' }, width: { unit: '%', value: 50 } })).toContain(
      '<figure class="w-50"><img src="/picture.png" alt="" width="640" height="320"',
    );
  });

  it('have another file for dark themes', async () => {
    const made = await shown({
      ref: { kind: 'file', file: 'f' },
      refDark: { kind: 'url', url: 'https://example.com/dark.png' },
    });
    expect(made.match(/class="only-(light|dark)"/g)).toEqual(['class="only-light"', 'class="only-dark"']);
  });

  it('come from nowhere that is not safe', async () => {
    for (const url of ['javascript:x', 'data:image/svg+xml,<svg onload=x>', 'mailto:a@b'])
      expect(await shown({ ref: { kind: 'url', url }, alt: 'A' })).not.toContain('<img');
  });
});

describe('tables', () => {
  it('give their columns widths by classes that the style sheet has, in steps of ten pixels', async () => {
    const heads = [228, 44, 5000, 300].map((width) => `<th width="${width}">A</th>`).join('');
    const made = await ofMarkdown(`<table><thead><tr>${heads}</tr></thead><tbody><tr><td>a</td></tr></tbody></table>`);
    const classes = [...made.matchAll(/<col(?: class="([^"]*)")?>/g)].map(([, name]) => name);
    expect(classes).toEqual(['width-200 width-30', 'width-40', 'width-1000', 'width-300']);
    const sheet = readFileSync('assets/content.css', 'utf8');
    for (const name of classes.flatMap((each) => each?.split(' ') ?? [])) expect(sheet).toContain(`.${name} {`);
  });

  it('have headers with their scope, and cells without paragraphs', async () => {
    const made = await ofMarkdown('| a | b |\n| --- | ---: |\n| 1 | **2** |');
    expect(made).toContain(
      '<thead><tr><th scope="col">a</th><th scope="col" class="align-end">b</th></tr></thead><tbody><tr><td>1</td><td class="align-end"><strong>2</strong></td></tr></tbody>',
    );
  });

  it('as cards are one link each, and no link stands in another', async () => {
    const cell = (content: string): string =>
      `<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr>${content}<td><a href="https://example.com/to">x</a></td></tr></tbody></table>`;
    expect(await ofMarkdown(cell('<td><strong>Title</strong></td><td>More</td>'))).toContain(
      '<a class="card-link" href="https://example.com/to" rel="noopener" target="_blank"><strong>Title</strong></a>',
    );
    const linked = await ofMarkdown(cell('<td><a href="https://example.com/a">Title</a></td><td></td>'));
    expect(linked).toContain('aria-label="Title"');
    expect(new ReadHtml(linked).faults()).toEqual([]);
  });
});

describe('3b-29 markup that is not understood', () => {
  it.each([
    ['<!-- a remark -->', ''],
    ['{% unknown a="b" %}', '<p class="missing">This content is not available</p>'],
    ['{% endunknown %}', ''],
    [
      '{% file src="https://example.com/a.pdf" %}',
      '<p><a href="https://example.com/a.pdf" rel="noopener">https://example.com/a.pdf</a></p>',
    ],
    ['{% file src="javascript:x" %}', '<p class="missing">This content is not available</p>'],
    ['<script>alert(1)</script>', ''],
    ['<center onclick="x">words</center>', '<div class="raw">words</div>'],
    [
      '<p style="x" id="y">a <a href="javascript:x">b</a> <a href="https://example.com">c</a></p>',
      '<div class="raw"><p>a <span>b</span> <a href="https://example.com" rel="noopener">c</a></p></div>',
    ],
    ['<iframe src="https://example.com"></iframe>', '<p class="missing">This content is not available</p>'],
    [
      '<svg><a xlink:href="javascript:x"><text>y</text></a></svg>',
      '<p class="missing">This content is not available</p>',
    ],
    ['<b>'.repeat(5_000) + 'deep', ''],
  ])('%.80s', async (source, expected) => {
    expect(await html([rawBlock(source)])).toBe(expected);
  });

  it('is shown as it is written where it is a text', async () => {
    expect(await html([rawBlock('# a page\n\nthat could not be read')])).toContain('that could not be read');
  });
});

const SPECIFICATION = `
openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: 'https://{region}.example.com/v1', variables: { region: { default: eu } } }]
security: [{ token: [] }]
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }]
    post:
      summary: Change a pet
      description: "Changes **one** pet. <script>alert(1)</script>"
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses:
        '200': { description: The pet, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        '404': { description: No such pet }
webhooks:
  adopted: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }, responses: {} } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Pet:
      allOf: [{ $ref: '#/components/schemas/Named' }, { $ref: '#/components/schemas/Pet' }]
      required: [kind]
      properties:
        kind: { type: string, enum: [cat, dog], description: What it is }
        parent: { $ref: '#/components/schemas/Pet' }
        friends: { type: array, items: { oneOf: [{ $ref: '#/components/schemas/Pet' }, { $ref: '#/nowhere' }, { $ref: 'https://example.com/x' }] } }
    Named: { type: object, properties: { id: { type: string, readOnly: true }, name: { type: string, example: Rex } } }
`;

describe('operations of an API', () => {
  let api: SpecificationParts | undefined;
  const workers = new WorkerPool({ workerThreads: 1 }, { registry: new Registry() });
  afterAll(() => workers.onApplicationShutdown());
  const read = async (source: string): Promise<SpecificationParts | undefined> =>
    (await new SpecificationParser(workers).parts(Buffer.from(source))) ?? undefined;
  beforeAll(async () => {
    api = await read(SPECIFICATION);
  });
  const spec = { kind: 'openapi', spec: 'pets' } as const;
  const drawn = (node: Block): Promise<string> => html([node], { specification: () => api });

  it('say what they take and give', async () => {
    const shown = new ReadHtml(
      await drawn(block('openapi-operation', { ref: spec, path: '/pets/{id}', method: 'post' })),
    );
    expect(shown.faults()).toEqual([]);
    expect(
      shown.missing([
        'POST',
        '/pets/{id}',
        'Change a pet',
        'Changes one pet.',
        'https://eu.example.com/v1',
        'token · HTTP bearer',
        'id string · uuid required',
        'kind string required',
        'Possible values: cat, dog',
        'array of',
        '200 The pet',
        '404 No such pet',
        '"name": "Rex"',
      ]),
    ).toEqual([]);
    expect(
      shown.missing([
        `curl -X POST 'https://eu.example.com/v1/pets/{id}'`,
        `-H 'Authorization: Bearer <token>'`,
        `-H 'Content-Type: application/json'`,
      ]),
    ).toEqual([]);
  });

  it('end where a schema holds itself', async () => {
    const made = await drawn(block('openapi-schemas', { ref: spec, schemas: ['Pet', 'Nothing'] }));
    expect(new ReadHtml(made).faults()).toEqual([]);
    expect(made.length).toBeLessThan(50_000);
    expect(await drawn(block('openapi-webhook', { ref: spec, name: 'adopted', method: 'post' }))).toContain(
      'What it is',
    );
  });

  it('say their summary once, where the heading above is that already', async () => {
    const operation = block('openapi-operation', { ref: spec, path: '/pets/{id}', method: 'post' });
    const timesBelow = async (title: string): Promise<number> => {
      const shown = await html([block('heading-2', {}, [plain(title)]), operation], { specification: () => api });
      return (shown.match(/<(p|h2)[^>]*>Change a pet</g) ?? []).length;
    };
    expect([await timesBelow('Change a pet'), await timesBelow('Pets')]).toEqual([1, 1]);
  });

  it('name their method and path, and say so, where the specification does not have them', async () => {
    for (const specification of [() => undefined, () => api])
      expect(
        await html([block('openapi-operation', { ref: spec, path: '/none', method: 'delete' })], { specification }),
      ).toBe(
        '<div class="api"><div class="endpoint"><span class="method method-delete">DELETE</span><code class="path">/none</code></div><div class="api-source">pets</div><p class="missing">This content is not available</p></div>',
      );
  });

  it('are read in parts, of which only those that are asked for', async () => {
    expect(api?.at(['components', 'schemas', 'Named', 'properties', 'name', 'example'])).toBe('Rex');
    expect(api?.at(['paths', '/pets/{id}', 'post', 'summary'])).toBe('Change a pet');
    expect(api?.at(['info', 'title'])).toBe('Pets');
    for (const pointer of [
      ['paths', '/none'],
      ['components', 'schemas', 'constructor'],
      ['__proto__'],
      ['paths'],
      ['info', 'title', 'length'],
    ])
      expect(api?.at(pointer)).toBeUndefined();
    expect(await read('- a list')).toBeUndefined();
    expect(await read('{ "not": JSON }')).toBeUndefined();
    expect((await read('a: &a { b: *a }\nc: 1'))?.at(['c'])).toBeUndefined();
  });

  it('are read from Swagger 2, too', async () => {
    const old = await read(
      JSON.stringify({
        swagger: '2.0',
        host: 'example.com',
        basePath: '/v2',
        schemes: ['https'],
        consumes: ['application/json'],
        paths: {
          '/a': {
            put: {
              summary: 'Put it',
              parameters: [
                { in: 'body', name: 'b', required: true, schema: { $ref: '#/definitions/B' } },
                { in: 'query', name: 'q', type: 'integer', required: true },
              ],
              responses: { 200: { description: 'Yes', schema: { $ref: '#/definitions/B' } } },
            },
          },
        },
        definitions: { B: { properties: { size: { type: 'integer', default: 7 } } } },
      }),
    );
    const shown = new ReadHtml(
      await html([block('swagger', { ref: { kind: 'file', file: 'f' }, path: '/a', method: 'put' })], {
        specification: () => old,
      }),
    );
    expect(
      shown.missing([
        'Put it',
        'https://example.com/v2',
        'q integer required',
        'size integer',
        'Default: 7',
        '"size": 7',
        `'https://example.com/v2/a?q=1'`,
      ]),
    ).toEqual([]);
  });
});

describe('the checks of these tests', () => {
  it.each([
    '<p><div>a</div></p>',
    '<a href="/a"><a href="/b">b</a></a>',
    '<p onclick="x">a</p>',
    '<p style="x">a</p>',
    '<a href="javascript:x">a</a>',
    '<script>x</script>',
    '<p id="a"></p><p id="a"></p>',
    '<iframe></iframe>',
    '<p>a',
  ])('see what is wrong with %s', (bad) => {
    expect(new ReadHtml(bad).faults()).not.toEqual([]);
  });
});

describe('icons', () => {
  const drawingOf = (name: string) => JSON.stringify(iconElement(name, 'solid'));

  it.each([
    ['fa-rocket-launch', 'rocket'],
    ['rectangle-terminal', 'terminal'],
    ['books', 'book'],
    ['memo', 'file-lines'],
    ['sparkles', 'wand-magic-sparkles'],
    ['pen-line', 'pen'],
  ])('that are not there have the nearest one: %s', (name, near) => {
    expect(drawingOf(name)).toBe(drawingOf(near));
    expect(drawingOf(name)).not.toBe(drawingOf('qwertz'));
  });
});

describe('the first words of a document', () => {
  it.each([
    ['# Title\n\nThe first words. **Bold** ones, too.', 'The first words. Bold ones, too.'],
    ['```\ncode\n```\n\n> Quoted', 'Quoted'],
    ['| a |\n| - |\n| b |', ''],
    ['', ''],
    ['word '.repeat(100), `${'word '.repeat(30)}word…`],
  ])('of %j', (source, expected) => {
    expect(firstWords(parseMarkdown(source).document)).toBe(expected);
  });
});

describe('what a document became', () => {
  const pool = new WorkerPool({ workerThreads: 2 }, { registry: new Registry() });
  afterAll(() => pool.onApplicationShutdown());
  const base = { ...EVERYTHING, specification: () => undefined };
  const source = everyConstruct(TARGETS);
  const facts = (resolver: ReferenceResolver) => factsOf(referencesIn(source), resolver);

  it('is given again while all that it follows from is the same', async () => {
    const kept = new RenderedContentCache(pool);
    const made = await kept.render(JSON.stringify(source), facts(base));
    expect(made.html).toBe((await rendered(source, base)).html);
    expect(
      await kept.render(
        JSON.stringify(source),
        facts({ ...base, reusable: (ref) => structuredClone(base.reusable(ref)) }),
      ),
    ).toBe(made);
  });

  it.each<[string, Partial<ReferenceResolver>]>([
    [
      'where a link leads',
      { link: (ref) => (ref.kind === 'url' ? EVERYTHING.link(ref) : { ...EVERYTHING.link(ref), href: '/moved' }) },
    ],
    [
      'what a link is called',
      {
        link: (ref) => (ref.kind === 'url' ? EVERYTHING.link(ref) : { ...EVERYTHING.link(ref), title: 'Another name' }),
      },
    ],
    ['whether a link may be shown', { link: (ref) => (ref.kind === 'url' ? EVERYTHING.link(ref) : {}) }],
    [
      'the address of a picture',
      { image: (ref) => (ref.kind === 'url' ? EVERYTHING.image(ref) : { src: '/other.png' }) },
    ],
    ['whether a picture is there', { image: (ref) => (ref.kind === 'url' ? EVERYTHING.image(ref) : undefined) }],
    ['the size of a file', { file: () => ({ href: '/handbook.pdf', name: 'handbook.pdf', size: 9 }) }],
    ['a reusable content', { reusable: () => document([words('Other words')]) }],
    ['a long reusable content, at its end', { reusable: () => document([words(`${'long '.repeat(200)}end`)]) }],
    ['how searches are asked', { search: '/elsewhere?q=' }],
    ['where links out of the site open', { externalTarget: 'self' }],
    ['the weight of icons', { iconStyle: 'solid' }],
    ['the language', { labels: { copy: 'Kopieren', info: 'Hinweis' } }],
  ])('changes with %s', async (_, change) => {
    const kept = new RenderedContentCache(pool);
    const before = (await kept.render(JSON.stringify(source), facts(base))).html;
    const changed = { ...base, ...change };
    const after = (await kept.render(JSON.stringify(source), facts(changed))).html;
    expect(after).not.toBe(before);
    expect(after).toBe((await rendered(source, changed)).html);
    expect((await kept.render(JSON.stringify(source), facts(base))).html).toBe(before);
  });

  it('holds up nobody while a long document is rendered', async () => {
    const nodes = Array.from({ length: 3_000 }, (_, index) => block('heading-2', {}, [plain(`Heading ${index}`)]));
    let turns = 0;
    const count = setInterval(() => turns++, 1);
    const { html: made, outline } = await new RenderedContentCache(pool).render(
      JSON.stringify(document(nodes)),
      facts(base),
    );
    clearInterval(count);
    expect(turns).toBeGreaterThan(2);
    expect([outline.length, made.length > 4e5]).toEqual([3_000, true]);
  });

  describe('where a block takes more than it may', () => {
    const nodes = [
      words('before'),
      rawBlock('<p>one</p>'),
      block('math', { formula: 'x^2' }),
      rawBlock('<p>three</p>'),
    ];
    const before = facts(base);
    const asked: RenderOrder['asWritten'][] = [];
    /** Threads that each of these blocks is too much for, until it is left as it is written. */
    const failing = (...blocks: number[]): RenderedContentCache =>
      new RenderedContentCache({
        run: async <Input, Output>(task: WorkerTask<Input, Output>, input: Input): Promise<Output> => {
          if (task.name !== RENDER_DOCUMENT.name) return task.run(input);
          const { asWritten, place } = input as RenderOrder;
          asked.push(asWritten);
          const next = asWritten === 'all' ? undefined : blocks.find((index) => !asWritten.includes(index));
          if (next === undefined) return task.run(input);
          new Int32Array(place)[0] = next;
          throw new TaskLimitExceeded('takes more than it may');
        },
      });
    const written = '<span class="line">&#x3C;p>one&#x3C;/p></span>';

    beforeEach(() => void asked.splice(0));

    it('shows it as it is written, and everything else as ever', async () => {
      const { html: made } = await failing(1).render(JSON.stringify(document(nodes)), before);
      expect(made).toContain(written);
      expect(made).toContain('<div class="raw"><p>three</p></div>');
      expect(made).toContain('<math');
      expect(asked).toEqual([[], [1]]);
    });

    it('remembers that where the rest has changed, such as addresses of files', async () => {
      const kept = failing(1);
      await kept.render(JSON.stringify(document(nodes)), before);
      const { html: made } = await kept.render(JSON.stringify(document(nodes)), { ...before, externalTarget: 'self' });
      expect(made).toContain(written);
      expect(asked).toEqual([[], [1], [1]]);
      await kept.render(JSON.stringify(document([...nodes, words('more')])), before);
      expect(asked).toEqual([[], [1], [1], [], [1]]);
    });

    it('shows all as they are written where there are several', async () => {
      const { html: made } = await failing(3, 1, 2).render(JSON.stringify(document(nodes)), before);
      expect(made).toContain(written);
      expect(made).toContain('&#x3C;p>three&#x3C;/p>');
      expect(made).not.toContain('<math');
      expect(asked).toEqual([[], [3], [3, 1], 'all']);
    });
  });

  it('is the same in a thread', async () => {
    const long = document([...source.nodes, words('long '.repeat(50_000))]);
    expect((await new RenderedContentCache(pool).render(JSON.stringify(long), facts(base))).html).toBe(
      (await rendered(long, base)).html,
    );
  });

  it('changes with the document, and with a specification that is there', async () => {
    const kept = new RenderedContentCache(pool);
    await kept.render(JSON.stringify(document([words('a')])), facts(base));
    expect((await kept.render(JSON.stringify(document([words('b')])), facts(base))).html).toBe('<p>b</p>');
    const nodes = [
      block('openapi-operation', { ref: { kind: 'openapi', spec: 'pets' }, path: '/pets', method: 'get' }),
    ];
    const shown = async (summary: string): Promise<string> => {
      const specification = SpecificationParts.of({
        '': '{}',
        '/paths/~1pets': JSON.stringify({ get: { description: summary } }),
      });
      return (
        await kept.render(
          JSON.stringify(document(nodes)),
          factsOf([{ kind: 'openapi', spec: 'pets' }], { ...base, specification: () => specification }),
        )
      ).html;
    };
    expect(await shown('Gives all pets')).toContain('Gives all pets');
    expect(await shown('Gives some pets')).toContain('Gives some pets');
  });
});
