import fc from 'fast-check';
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
  ContentRef,
  Document,
  FileOrUrlRef,
  Inline,
  Leaf,
  Mark,
  Node,
} from '../src/formats/document/types.js';

/*
 * Documents in the form in which the reader makes them: equal marks of neighbours joined, no empty
 * texts, lists with items, table ids by position.
 */

const letters = 'abcXYZ019';
const special = [
  ...' *_`~[]()<>!#&\\|$:{%}-+=."\'/@^?;,',
  'é',
  '漢',
  '😀',
  'http://',
  'www.',
  ':smile:',
  '{%',
  '1.',
  '- ',
  '<b>',
  '&amp;',
  '$$',
];

/** Text full of what has a meaning in Markdown and HTML. */
const words = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...letters) },
      { weight: 2, arbitrary: fc.constantFrom(...special) },
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join(''));
/** One word or more of harmless text, for places that hold names. */
const name = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
/** Text for attributes of tags and HTML. */
const attribute = fc
  .array(fc.constantFrom(...letters, ' ', '"', "'", '\\', '%', '}', '&', '<', '=', 'é'), {
    minLength: 1,
    maxLength: 10,
  })
  .map((parts) => parts.join(''));
const code = fc
  .array(fc.constantFrom(...letters, ...special, '\t', '  '), { maxLength: 12 })
  .map((parts) => parts.join(''));

const url = fc.oneof(
  name.map((value) => `https://example.com/${value}`),
  name.map((value) => `../${value}.md#${value}`),
  name.map((value) => `https://example.com/a b(${value})?x=1&y=2`),
);

const ref: fc.Arbitrary<ContentRef> = fc.oneof(
  url.map((value): ContentRef => ({ kind: 'url', url: value })),
  name.map((value): ContentRef => ({ kind: 'page', page: value })),
  name.map((value): ContentRef => ({ kind: 'anchor', anchor: value, page: `p${value}` })),
  name.map((value): ContentRef => ({ kind: 'space', space: value })),
);

const fileRef: fc.Arbitrary<FileOrUrlRef> = fc.oneof(
  url.map((value): FileOrUrlRef => ({ kind: 'url', url: value })),
  name.map((value): FileOrUrlRef => ({ kind: 'file', file: value })),
);

const marks: fc.Arbitrary<Mark[]> = fc
  .uniqueArray(
    fc.oneof(
      fc
        .constantFrom(
          'bold' as const,
          'italic' as const,
          'strikethrough' as const,
          'superscript' as const,
          'subscript' as const,
          'keyboard' as const,
          'code' as const,
        )
        .map(mark),
      fc
        .constantFrom('blue' as const, 'default' as const)
        .map((color): Mark => ({ object: 'mark', type: 'color', data: { text: color, background: 'yellow' } })),
    ),
    { maxLength: 2, selector: (made) => made.type },
  )
  .map((made) => made.sort((a, b) => MARK_ORDER.indexOf(a.type) - MARK_ORDER.indexOf(b.type)));

const leaves: fc.Arbitrary<Leaf> = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: words }, { weight: 1, arbitrary: fc.constant('a\nb') }),
    fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: marks }),
  )
  .map(([value, own]) => leaf(value, own));

/** Joins what the reader would join. */
export function lineOf(parts: readonly (Leaf | Inline)[]): Node[] {
  const nodes: Node[] = [];
  for (const part of parts) {
    const last = nodes[nodes.length - 1];
    if (part.object === 'inline') {
      nodes.push(part);
    } else if (last?.object === 'text') {
      const before = last.leaves[last.leaves.length - 1];
      if (before !== undefined && JSON.stringify(before.marks) === JSON.stringify(part.marks)) before.text += part.text;
      else last.leaves.push({ ...part });
    } else {
      nodes.push(text({ ...part }));
    }
  }
  return nodes.length === 0 ? [plain('')] : nodes;
}

const image: fc.Arbitrary<Inline> = fc
  .tuple(fileRef, fc.option(name, { nil: undefined }), fc.constantFrom(undefined, 'line' as const, 'original' as const))
  .map(([target, alt, size]) =>
    inline('inline-image', {
      ref: target,
      ...(alt === undefined ? {} : { alt }),
      ...(size === undefined ? {} : { size }),
    }),
  );

const inlines: fc.Arbitrary<Inline> = fc.oneof(
  fc
    .tuple(
      ref,
      fc.array(fc.oneof({ weight: 4, arbitrary: leaves }, { weight: 1, arbitrary: image }), {
        minLength: 1,
        maxLength: 2,
      }),
    )
    .map(([target, parts]) => inline('link', { ref: target }, lineOf(parts))),
  fc.constantFrom('1f604', '2764-fe0f', '1f9ff').map((value) => inline('emoji', { code: value })),
  fc.constantFrom({ icon: 'gear' }, { icon: 'house', color: 'blue' as const }).map((data) => inline('icon', data)),
  attribute.map((value) => inline('expression', { expression: value })),
  fc.constantFrom('x^2', '\\frac{1}{2}', 'a|b', 'a < b').map((formula) => inline('inline-math', { formula })),
  image,
  fc.tuple(ref, name).map(([target, value]) => inline('mention', { ref: target, text: `the ${value}` })),
  fc
    .tuple(ref, attribute, fc.constantFrom('primary' as const, 'secondary' as const))
    .map(([target, label, kind]) => inline('button', { label, kind, ref: target, icon: 'gear' })),
  fc.tuple(leaves, fc.array(name, { minLength: 1, maxLength: 2 })).map(([words_, body]) =>
    inline('annotation', {}, lineOf([words_]), [
      fragment(
        'annotation-body',
        body.map((value) => paragraph(plain(value))),
        'annotation-body',
      ),
    ]),
  ),
);

export const line: fc.Arbitrary<Node[]> = fc
  .array(fc.oneof({ weight: 4, arbitrary: leaves }, { weight: 1, arbitrary: inlines }), { minLength: 1, maxLength: 5 })
  .map(lineOf);

const optionalField = <K extends string, V>(key: K, value: fc.Arbitrary<V>): fc.Arbitrary<{ [P in K]?: V }> =>
  fc.option(value, { nil: undefined }).map((made) => (made === undefined ? {} : { [key]: made }) as { [P in K]?: V });

const paragraphs: fc.Arbitrary<Block> = fc
  .tuple(
    line,
    fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom({ align: 'center' as const }, { align: 'end' as const }) },
    ),
  )
  .map(([nodes, data]) => block('paragraph', data, nodes));

const headings: fc.Arbitrary<Block> = fc
  .tuple(fc.constantFrom(1, 2, 3, 4, 5, 6), line, fc.constantFrom({}, { id: 'an-id' }, { align: 'center' as const }))
  .map(([level, nodes, data]) => {
    if (level === 1) return block('heading-1', data, nodes);
    if (level === 2) return block('heading-2', data, nodes);
    return block('heading-3', level > 3 ? { ...data, level: level === 4 ? 4 : level === 5 ? 5 : 6 } : data, nodes);
  });

const codes: fc.Arbitrary<Block> = fc
  .tuple(
    fc.array(code, { minLength: 1, maxLength: 4 }),
    optionalField('syntax', fc.constantFrom('js', 'c++', 'objective-c')),
    optionalField('title', attribute),
    optionalField('lineNumbers', fc.boolean()),
    optionalField('overflow', fc.constantFrom('wrap' as const, 'scroll' as const)),
  )
  .map(([lines, ...data]) => codeBlock(lines.join('\n'), Object.assign({}, ...data) as object));

const highlighted: fc.Arbitrary<Block> = fc
  .array(fc.tuple(name, fc.boolean()), { minLength: 1, maxLength: 4 })
  .filter((lines) => lines.some(([, marked]) => marked))
  .map((lines) =>
    block(
      'code',
      { syntax: 'js' },
      lines.map(([value, marked]) =>
        block('code-line', marked ? { highlighted: true } : {}, [plain(`  ${value} <T> &`)]),
      ),
    ),
  );

const images: fc.Arbitrary<Block> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fileRef,
        optionalField('alt', name),
        optionalField('refDark', fileRef),
        optionalField('width', fc.constantFrom(120, { unit: '%', value: 50 })),
        fc.option(line, { nil: undefined }),
      ),
      { minLength: 1, maxLength: 2 },
    ),
    optionalField('align', fc.constantFrom('center' as const, 'left' as const)),
    optionalField('fullWidth', fc.boolean()),
  )
  .map(([made, ...data]) =>
    block(
      'images',
      Object.assign({}, ...data) as object,
      made.map(([target, alt, dark, width, caption]) =>
        block(
          'image',
          { ref: target, ...alt, ...dark, ...width },
          undefined,
          caption === undefined ? [] : [fragment('caption', [paragraph(...caption)])],
        ),
      ),
    ),
  );

const simple: fc.Arbitrary<Block> = fc.oneof(
  fc.constant(block('divider', {})),
  fc.constantFrom('x^2', 'a\nb', '\\begin{x}\n\n\\end{x}').map((formula) => block('math', { formula })),
  fc
    .tuple(url, optionalField('fullWidth', fc.boolean()))
    .map(([value, data]) => block('embed', { url: value, ...data })),
  name.map((file) => block('file', { ref: { kind: 'file', file } })),
  name.map((file) => block('drawing', { ref: { kind: 'file', file } })),
  ref.map((target) => block('content-ref', { ref: target })),
  name.map((value) => block('reusable-content', { ref: { kind: 'reusable-content', reusableContent: value } })),
  fc
    .tuple(name, name)
    .map(([spec, path]) =>
      block('openapi-operation', { ref: { kind: 'openapi', spec }, path: `/${path}/{id}`, method: 'get' }),
    ),
  fc
    .tuple(fileRef, name)
    .map(([target, path]) => block('swagger', { ref: target, path: `/${path}`, method: 'post', expanded: true })),
  fc
    .tuple(name, fc.array(name, { minLength: 1, maxLength: 2 }))
    .map(([spec, schemas]) => block('openapi-schemas', { ref: { kind: 'openapi', spec }, schemas, grouped: true })),
  fc
    .tuple(name, name)
    .map(([spec, value]) => block('openapi-webhook', { ref: { kind: 'openapi', spec }, name: value, method: 'post' })),
  fc.tuple(attribute, fc.jsonValue({ maxDepth: 2 })).map(([content, value]) =>
    block('integration', {
      integration: 'mermaid',
      block: 'diagram',
      props: { content: `${content}\n  next`, value: value as string },
    }),
  ),
);

const tables = (content: fc.Arbitrary<Block[]>): fc.Arbitrary<Block> =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 0, max: 3 }),
      fc.boolean(),
      fc.boolean(),
      fc.array(
        fc.oneof(
          { weight: 3, arbitrary: line.map((nodes) => [paragraph(...nodes)]) },
          { weight: 1, arbitrary: content },
          { weight: 1, arbitrary: fc.constant<Block[]>([]) },
        ),
        { minLength: 12, maxLength: 12 },
      ),
      fc.constantFrom('left' as const, 'center' as const),
    )
    .map(([columns, rows, cards, wide, cells, textAlignment]) => {
      const ids = Array.from({ length: columns }, (_, index) => `c${index + 1}`);
      const fragments: ReturnType<typeof fragment>[] = [];
      const records = Object.fromEntries(
        Array.from({ length: rows }, (_, row) => [
          `r${row + 1}`,
          {
            orderIndex: `a${row}`,
            values: Object.fromEntries(
              ids.map((id, column) => {
                const blocks = cells[row * columns + column] ?? [];
                const value = `r${row + 1}:${id}`;
                if (blocks.length === 0) return [id, ''];
                fragments.push(fragment(value, blocks));
                return [id, value];
              }),
            ),
          },
        ]),
      );
      const definition = Object.fromEntries(
        ids.map((id) => [id, { id, type: 'text' as const, title: `Title ${id}`, textAlignment }]),
      );
      const view = cards
        ? { type: 'cards' as const, cardSize: 'medium' as const, columns: ids }
        : { type: 'grid' as const, columns: ids, ...(wide ? { columnWidths: { c1: 120 } } : {}), hideHeader: false };
      return block('table', { view, records, definition }, undefined, fragments);
    });

const list = (content: fc.Arbitrary<Block[]>): fc.Arbitrary<Block> =>
  fc
    .tuple(
      fc.constantFrom('list-ordered' as const, 'list-unordered' as const, 'list-tasks' as const),
      fc.array(fc.tuple(line, content, fc.boolean()), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(1, 3),
    )
    .map(([type, items, start]) => {
      const made = items.map(([nodes, rest, checked]) =>
        block('list-item', type === 'list-tasks' ? { checked } : {}, [paragraph(...nodes), ...rest]),
      );
      return type === 'list-ordered' ? block(type, start === 1 ? {} : { start }, made) : block(type, {}, made);
    });

const containers = (content: fc.Arbitrary<Block[]>): fc.Arbitrary<Block> =>
  fc.oneof(
    list(content),
    content.map((nodes) => block('blockquote', {}, nodes)),
    fc
      .tuple(fc.constantFrom('info' as const, 'danger' as const), content)
      .map(([style, nodes]) => block('hint', { style }, nodes)),
    content.map((nodes) => block('if', { expression: 'visitor.claims.beta == true' }, nodes)),
    fc.array(fc.tuple(attribute, content), { minLength: 1, maxLength: 2 }).map((items) =>
      block(
        'tabs',
        {},
        items.map(([title, nodes]) => block('tabs-item', { title }, nodes)),
      ),
    ),
    fc.array(content, { minLength: 1, maxLength: 2 }).map((items) =>
      block(
        'stepper',
        {},
        items.map((nodes) => block('stepper-step', {}, nodes)),
      ),
    ),
    fc.array(content, { minLength: 1, maxLength: 2 }).map((items) =>
      block(
        'columns',
        {},
        items.map((nodes) => block('column', { width: { unit: '%', value: 50 } }, nodes)),
      ),
    ),
    fc.array(content, { minLength: 1, maxLength: 2 }).map((items) =>
      block(
        'updates',
        { format: 'full' },
        items.map((nodes) =>
          block(
            'update',
            {
              date: '2026-01-31',
              tags: [
                { kind: 'tag', tag: 'a' },
                { kind: 'tag', tag: 'b' },
              ],
            },
            nodes,
          ),
        ),
      ),
    ),
    fc
      .tuple(line, content)
      .map(([title, nodes]) =>
        block('expandable', {}, undefined, [
          fragment('expandable-title', [paragraph(...title)], 'expandable-title'),
          fragment('expandable-body', nodes.length === 0 ? [paragraph()] : nodes, 'expandable-body'),
        ]),
      ),
    tables(content),
  );

const leafBlocks = fc.oneof({ weight: 4, arbitrary: paragraphs }, headings, codes, highlighted, images, simple);

function blocks(depth: number): fc.Arbitrary<Block[]> {
  if (depth === 0) return fc.array(leafBlocks, { maxLength: 2 });
  return fc.array(
    fc.oneof({ weight: 3, arbitrary: leafBlocks }, { weight: 2, arbitrary: containers(blocks(depth - 1)) }),
    { maxLength: 3 },
  );
}

/** Any document of the model, nested up to three containers deep. */
export const documents: fc.Arbitrary<Document> = blocks(3).map((nodes) => document(nodes));
