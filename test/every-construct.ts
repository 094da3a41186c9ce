import {
  block,
  codeBlock,
  document,
  fragment,
  inline,
  leaf,
  mark,
  paragraph,
  plain,
  text,
} from '../src/formats/document/build.js';
import { MARK_ORDER } from '../src/formats/document/node-kinds.js';
import type {
  Block,
  BlockType,
  ContentRef,
  Document,
  Inline,
  Node,
  TableDefinition,
  TableRecord,
} from '../src/formats/document/types.js';

/** Ids of things that a document may refer to. */
export interface Targets {
  readonly file: string;
  readonly page: string;
  readonly space: string;
  readonly collection: string;
  readonly user: string;
  readonly reusableContent: string;
}

const words = (value: string): Block<'paragraph'> => paragraph(plain(value));
const line = (value: string, highlighted?: boolean): Block<'code-line'> =>
  block('code-line', highlighted === undefined ? {} : { highlighted }, [plain(value)]);

/** A document in which every block, inline and mark stands, each with every property that it can have. */
export function everyConstruct(targets: Targets): Document {
  const image = { kind: 'file', file: targets.file } as const;
  const dark = { kind: 'url', url: 'https://example.com/dark.png' } as const;
  return document([
    ...headings(),
    paragraph(...inlines(targets, image, dark)),
    block('paragraph', { align: 'center' }, [
      text(
        ...MARK_ORDER.map((type) =>
          leaf(`${type} text`, [
            type === 'color' ? { object: 'mark', type, data: { text: 'red', background: '$primary' } } : mark(type),
          ]),
        ),
      ),
    ]),
    ...lists(),
    block('divider', {}),
    block('blockquote', {}, [words('Quoted words')]),
    ...(['info', 'warning', 'danger', 'success'] as const).map((style) =>
      block('hint', { style, icon: 'bell' }, [words(`A hint of ${style}`)]),
    ),
    block('if', { expression: 'visitor.claims.isBetaUser' }, [words('Only for some')]),
    block('images', { align: 'right', fullWidth: true, withFrame: true }, [
      block(
        'image',
        {
          ref: image,
          refDark: dark,
          width: 320,
          height: { unit: '%', value: 50 },
          alt: 'A pixel',
          attributes: { id: 'pixel' },
        },
        [],
        [fragment('caption', [words('The caption')])],
      ),
    ]),
    block('file', { ref: image }, [], [fragment('caption', [words('A file to take home')])]),
    block('drawing', { ref: image }),
    block('embed', { url: 'https://example.com/video', fullWidth: true }, [], [fragment('caption', [words('A film')])]),
    block(
      'code',
      {
        syntax: 'sh',
        title: 'install.sh',
        overflow: 'wrap',
        lineNumbers: true,
        fullWidth: true,
        expandable: true,
        collapsedLineCount: 3,
        meta: 'copy',
      },
      [
        line('npm ci', true),
        block('code-line', {}, [
          plain('npm run '),
          inline('expression', { expression: 'space.vars.product' }),
          note('A note in code'),
        ]),
      ],
    ),
    block('math', { formula: 'e^{i\\pi} + 1 = 0' }),
    block(
      'expandable',
      { defaultExpanded: true },
      [],
      [
        fragment('expandable-title', [words('What is inside?')], 'expandable-title'),
        fragment('expandable-body', [words('This is')], 'expandable-body'),
      ],
    ),
    block('tabs', { fullWidth: true }, [
      block('tabs-item', { title: 'First', icon: 'bell', slug: 'first' }, [words('In the first tab')]),
    ]),
    gridTable(targets, image),
    cardsTable(image, dark),
    ...specifications(image),
    block('content-ref', { ref: { kind: 'page', page: targets.page } }),
    block('integration', {
      integration: 'diagrams',
      block: 'flow',
      props: { zoom: 2, nested: { of: ['a', 'list'] } },
      action: { action: '@ui.url.open', url: 'https://example.com/flow' },
      url: 'https://example.com/flow',
      fullWidth: true,
    }),
    block('reusable-content', {
      ref: { kind: 'reusable-content', reusableContent: targets.reusableContent, space: targets.space },
    }),
    block('stepper', {}, [block('stepper-step', { icon: 'bell' }, [words('The first step')])]),
    block('columns', { fullWidth: true }, [
      block('column', { width: { unit: '%', value: 40 }, verticalAlignment: 'middle' }, [words('The left column')]),
      block('column', { width: 200 }, [words('The right column')]),
    ]),
    block('updates', { format: 'short' }, [
      block('update', { date: '2026-01-31T00:00:00.000Z', tags: [{ kind: 'tag', tag: 'new', space: targets.space }] }, [
        words('What is new'),
      ]),
    ]),
    block('prompt', { description: 'Explain it', icon: 'bell', openInAIProviders: true, defaultExpanded: 'partial' }, [
      codeBlock('Explain this page'),
    ]),
  ]);
}

function headings(): Block[] {
  return [
    block('heading-1', { id: 'one', align: 'start' }, [plain('The first heading')]),
    block('heading-2', { id: 'two', align: 'center' }, [plain('The second heading')]),
    block('heading-3', { id: 'three', align: 'end' }, [plain('The third heading')]),
    block('heading-3', { level: 5 }, [plain('A heading of the fifth level')]),
  ];
}

function lists(): Block[] {
  return [
    block('list-ordered', { start: 7 }, [block('list-item', {}, [words('The seventh')])]),
    block('list-unordered', {}, [
      block('list-item', {}, [
        words('A point'),
        block('list-unordered', {}, [block('list-item', {}, [words('A point in a point')])]),
      ]),
    ]),
    block('list-tasks', {}, [
      block('list-item', { checked: true }, [words('Done')]),
      block('list-item', { checked: false }, [words('Open')]),
    ]),
  ];
}

function references({ file, page, space, collection, user, reusableContent }: Targets): ContentRef[] {
  return [
    { kind: 'file', file, space },
    { kind: 'url', url: 'https://example.com/' },
    { kind: 'page', page, space },
    { kind: 'anchor', anchor: 'two', page, space },
    { kind: 'user', user },
    { kind: 'collection', collection },
    { kind: 'space', space },
    { kind: 'reusable-content', reusableContent, space },
    { kind: 'openapi', spec: 'pets' },
  ];
}

function note(words_: string): Inline {
  return inline(
    'annotation',
    {},
    [plain('a word')],
    [fragment('body', [words(words_), codeBlock('in code')], 'annotation-body')],
  );
}

function inlines(
  targets: Targets,
  ref: Extract<ContentRef, { kind: 'file' }>,
  refDark: Extract<ContentRef, { kind: 'url' }>,
): Node[] {
  const picture = inline('inline-image', {
    ref,
    refDark,
    caption: 'The caption of a small one',
    alt: 'A small pixel',
    size: 'line',
    attributes: { width: '20' },
  });
  return [
    plain('Everything that stands in a line: '),
    ...references(targets).map((target) =>
      inline('link', { ref: target, title: 'On hover', attributes: { rel: 'nofollow' } }, [
        plain(`to a ${target.kind}`),
      ]),
    ),
    inline('link', { ref: { kind: 'url', url: 'https://example.com/picture' } }, [picture]),
    inline('emoji', { code: '1f680' }),
    inline('icon', { icon: 'gear', color: 'violet' }),
    inline('expression', { expression: 'space.vars.product', raw: '<br class="x">' }),
    inline('inline-math', { formula: 'a^2' }),
    picture,
    note('What the word means'),
    inline('button', { label: 'Look for it', kind: 'secondary', action: { action: 'search', query: 'pixel' } }),
    inline('mention', { ref: { kind: 'user', user: targets.user }, text: 'Ada' }),
    inline('button', {
      label: 'Read on',
      kind: 'primary',
      icon: 'arrow-right',
      ref: { kind: 'page', page: targets.page },
      size: 'large',
    }),
    plain('.'),
  ];
}

const COLUMNS: readonly TableDefinition[] = [
  { id: 'text', title: 'Text', type: 'text', textAlignment: 'right', verticalAlignment: 'top' },
  { id: 'number', title: 'Number', type: 'number' },
  { id: 'checkbox', title: 'Checkbox', type: 'checkbox' },
  { id: 'files', title: 'Files', type: 'files' },
  { id: 'users', title: 'Users', type: 'users', multiple: true },
  { id: 'rating', title: 'Rating', type: 'rating', max: 5 },
  {
    id: 'select',
    title: 'Select',
    type: 'select',
    multiple: false,
    options: [{ value: 's', label: 'Small', color: 'blue' }],
  },
  { id: 'ref', title: 'Reference', type: 'content-ref' },
  { id: 'image', title: 'Image', type: 'image' },
];

function gridTable({ file, page, user }: Targets, image: Extract<ContentRef, { kind: 'file' }>): Block<'table'> {
  const values: TableRecord['values'] = {
    text: 'cell',
    number: 1234.5,
    checkbox: true,
    files: [file],
    users: [user],
    rating: 4,
    select: ['s'],
    ref: { kind: 'page', page },
    image: { ref: image, objectFit: 'contain', alt: 'A pixel in a cell' },
  };
  return table(
    {
      type: 'grid',
      columns: COLUMNS.map(({ id }) => id),
      columnWidths: { text: 240, number: 80 },
      hideHeader: false,
      useNewSizing: true,
      stickyHeader: true,
      stickyFirstColumn: true,
    },
    { first: { orderIndex: 'a', values }, second: { orderIndex: 'b', values: { text: null } } },
    [fragment('cell', [words('The words of a cell')])],
  );
}

function cardsTable(image: ContentRef, dark: ContentRef): Block<'table'> {
  return table(
    {
      type: 'cards',
      cardSize: 'large',
      columns: ['text'],
      targetDefinition: 'ref',
      coverDefinition: 'image',
      coverDefinitionDark: 'files',
      hideColumnTitle: true,
      wrap: true,
    },
    {
      card: {
        orderIndex: 'a',
        values: { text: 'card', ref: { kind: 'url', url: 'https://example.com/card' }, image, files: dark },
      },
    },
    [fragment('card', [words('The words of a card')])],
  );
}

function table(
  view: Block<'table'>['data']['view'],
  records: Record<string, TableRecord>,
  fragments: ReturnType<typeof fragment>[],
): Block<'table'> {
  return block(
    'table',
    {
      view,
      records,
      definition: Object.fromEntries(COLUMNS.map((column) => [column.id, column])),
      fullWidth: true,
      search: true,
    },
    [],
    fragments,
  );
}

function specifications(ref: Extract<ContentRef, { kind: 'file' }>): Block[] {
  const spec = { kind: 'openapi', spec: 'pets' } as const;
  const link = { title: 'pets.yaml', url: 'https://example.com/pets.yaml' };
  return [
    block('swagger', { ref, path: '/pets', method: 'get', expanded: true, fullWidth: true, link }),
    block('openapi-operation', { ref: spec, path: '/pets', method: 'post', fullWidth: true, link }),
    block('openapi-schemas', { ref: spec, schemas: ['Pet', 'Owner'], grouped: false, fullWidth: true, link }),
    block('openapi-webhook', { ref: spec, name: 'petAdopted', method: 'post', fullWidth: true, link }),
  ];
}

const META: Partial<Record<BlockType, object>> = {
  'heading-1': { id: 'shown-as-one' },
  expandable: { id: 'what-is-inside' },
  'tabs-item': { id: 'tab-one' },
  swagger: { id: 'get-pets' },
  'openapi-operation': { id: 'post-pets' },
  'openapi-schemas': { id: 'schemas' },
  'openapi-webhook': { id: 'pet-adopted' },
  'reusable-content': { token: 'shown-to-readers' },
};

/** The same document with a key on every node and fragment, and `meta` on the blocks that can have it. */
export function withKeys(source: Document): Document {
  let count = 0;
  const dressed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(dressed);
    if (typeof value !== 'object' || value === null) return value;
    const node = value as Record<string, unknown>;
    const isNode = ['block', 'inline', 'text', 'fragment'].includes(String(node['object']));
    const meta = node['object'] === 'block' ? META[node['type'] as BlockType] : undefined;
    const entries = Object.entries(node).map(([name, member]) => [
      name,
      name === 'nodes' || name === 'fragments' || name === 'leaves' ? dressed(member) : member,
    ]);
    return { ...Object.fromEntries(entries), ...(isNode && { key: `key${(count += 1)}` }), ...(meta && { meta }) };
  };
  return dressed(source) as Document;
}

/** The types of all blocks and inlines in a document. */
export function typesIn(source: Document): Set<string> {
  const found = new Set<string>();
  const enter = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(enter);
    else if (typeof value === 'object' && value !== null) {
      const { object, type } = value as { object?: unknown; type?: unknown };
      if (typeof type === 'string' && ['block', 'inline', 'mark'].includes(String(object))) found.add(type);
      Object.values(value).forEach(enter);
    }
  };
  enter(source.nodes);
  return found;
}
