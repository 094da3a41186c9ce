import { type Attrs, type DOMOutputSpec, Fragment, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model';
import type { Data, Json } from './content.js';

/**
 * The types of blocks that hold other blocks, and what they hold. Names in the schema are those of the model, with
 * underscores, since its expressions know no other signs.
 */
const CONTAINERS: Readonly<Record<string, string>> = {
  blockquote: 'block+',
  hint: 'block+',
  if: 'block+',
  tabs: 'tabs_item+',
  stepper: 'stepper_step+',
  columns: 'column+',
  updates: 'update+',
  prompt: 'code_block+',
  list_ordered: 'list_item+',
  list_unordered: 'list_item+',
  list_tasks: 'list_item+',
  images: 'image+',
};

/** Blocks that stand in a certain other one only. */
const PARTS: Readonly<Record<string, string>> = {
  tabs_item: 'block+',
  stepper_step: 'block+',
  column: 'block+',
  update: 'block+',
  list_item: 'block+',
};

/**
 * The fields of every block: its key, its data, and all other fields of a block that came from a document, which are
 * kept.
 */
const blockAttributes = { key: { default: null }, data: { default: {} }, rest: { default: null } };

const dataOf = (attributes: Attrs): Data => attributes['data'] as Data;

function block(content: string, tag: string, more: Partial<NodeSpec> = {}): NodeSpec {
  const toDOM: NodeSpec['toDOM'] = ({ type, attrs }) => {
    const { start } = dataOf(attrs);
    return [tag, { class: type.name, ...(tag === 'ol' && typeof start === 'number' && { start }) }, 0];
  };
  return { content, attrs: blockAttributes, toDOM, ...more };
}

const grouped = (spec: NodeSpec): NodeSpec => ({ group: 'block', ...spec });

const tagOf = (name: string): string =>
  name === 'blockquote' ? 'blockquote' : name === 'list_ordered' ? 'ol' : name.startsWith('list_') ? 'ul' : 'div';

const PARSED: Readonly<Record<string, NodeSpec['parseDOM']>> = {
  list_item: [
    {
      tag: 'li',
      getAttrs: (element) => {
        const box = element.querySelector(':scope > input[type=checkbox]');
        return box ? { data: { checked: box.hasAttribute('checked') } } : null;
      },
    },
  ],
  blockquote: [{ tag: 'blockquote' }],
  list_ordered: [{ tag: 'ol' }],
  list_unordered: [{ tag: 'ul' }],
  list_tasks: [{ tag: 'ul:has(> li > input[type=checkbox])', priority: 60 }],
};

const containers = Object.fromEntries(
  Object.entries(CONTAINERS).map(([name, content]) => [
    name,
    grouped(block(content, tagOf(name), { defining: true, ...(PARSED[name] && { parseDOM: PARSED[name] }) })),
  ]),
);

const parts = Object.fromEntries(
  Object.entries(PARTS).map(([name, content]) => [
    name,
    block(content, 'div', { defining: true, ...(PARSED[name] && { parseDOM: PARSED[name] }) }),
  ]),
);

/** The text of paragraphs, headings, titles and captions. */
const line: Partial<NodeSpec> = { content: 'inline*' };

const alignment = (attributes: Attrs): string => {
  const { align } = dataOf(attributes);
  return typeof align === 'string' ? `align-${align}` : '';
};

const HEADINGS = [1, 2, 3, 4, 5, 6];

const lines: Record<string, NodeSpec> = {
  paragraph: {
    ...line,
    group: 'block',
    // `isFiller`: it stands where a block has none, so that one can write there, and is no block while it is empty.
    attrs: { ...blockAttributes, isFiller: { default: false } },
    parseDOM: [{ tag: 'p' }],
    toDOM: ({ attrs }) => ['p', { class: alignment(attrs) }, 0],
  },
  heading: {
    ...line,
    group: 'block',
    defining: true,
    attrs: { ...blockAttributes, level: { default: 2 } },
    parseDOM: HEADINGS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: ({ attrs }) => [`h${String(attrs['level'])}`, { class: alignment(attrs) }, 0],
  },
};

/** Lines of code of a text. */
function linesOf(text: string, schema: Schema): Fragment {
  const lines = text.replace(/\n$/, '').split('\n');
  return Fragment.from(
    lines.flatMap((each) => schema.nodes['code_line']?.create(null, each === '' ? null : schema.text(each)) ?? []),
  );
}

const codes: Record<string, NodeSpec> = {
  code_block: grouped(
    block('code_line+', 'div', {
      defining: true,
      isolating: true,
      parseDOM: [{ tag: 'pre', getContent: (element, of) => linesOf(element.textContent ?? '', of) }],
    }),
  ),
  code_line: block('(text | inline_atom)*', 'div', {
    code: true,
    whitespace: 'pre',
    marks: 'annotation',
    defining: true,
  }),
};

const expandables: Record<string, NodeSpec> = {
  expandable: grouped(block('expandable_title expandable_body', 'div', { defining: true, isolating: true })),
  expandable_title: {
    ...line,
    attrs: { ...blockAttributes, fragment: { default: null } },
    toDOM: named,
    defining: true,
  },
  expandable_body: { content: 'block+', attrs: { fragment: { default: null } }, toDOM: named },
};

const images: Record<string, NodeSpec> = {
  image: block('caption', 'div', { isolating: true }),
  caption: { ...line, attrs: { ...blockAttributes, fragment: { default: null } }, toDOM: named },
};

/** The roles are those that the library for tables looks for; no cell spans others. */
const cellAttributes = { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } };
const tables: Record<string, NodeSpec> = {
  table: grouped({
    content: 'table_row+',
    tableRole: 'table',
    isolating: true,
    attrs: blockAttributes,
    parseDOM: [{ tag: 'table' }],
    toDOM: () => ['table', ['tbody', 0]],
  }),
  table_row: {
    content: '(table_header | table_cell)*',
    tableRole: 'row',
    // The id of a record and its fields besides the columns that are shown.
    attrs: { record: { default: null }, rest: { default: null } },
    parseDOM: [{ tag: 'tr' }],
    toDOM: () => ['tr', 0],
  },
  table_header: {
    content: 'inline*',
    tableRole: 'header_cell',
    isolating: true,
    // The definition of the column, and the blocks of the title where it is more than plain text.
    attrs: { ...cellAttributes, column: { default: null }, title: { default: null } },
    parseDOM: [{ tag: 'th' }],
    // A header without words says nothing to those who hear it.
    toDOM: ({ content }) => (content.size === 0 ? ['td', 0] : ['th', { scope: 'col' }, 0]),
  },
  table_cell: {
    content: 'block+',
    tableRole: 'cell',
    isolating: true,
    // The value of a cell in the document, where it is not the usual one.
    attrs: { ...cellAttributes, content: { default: null } },
    parseDOM: [{ tag: 'td' }],
    toDOM: () => ['td', 0],
  },
};

/** Whole blocks and inlines of the document, for those without text of their own and those that are only kept. */
const atoms: Record<string, NodeSpec> = {
  block_atom: {
    group: 'block',
    atom: true,
    draggable: true,
    attrs: { key: { default: null }, block: {} },
    parseDOM: [
      { tag: 'hr', getAttrs: () => ({ block: { object: 'block', type: 'divider', isVoid: true, data: {} } }) },
    ],
    toDOM: ({ attrs }) => {
      const { type } = attrs['block'] as { readonly type: string };
      return type === 'divider' ? ['hr'] : ['div', { class: 'block_atom' }, type];
    },
    leafText: () => '',
  },
  inline_atom: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { inline: {} },
    toDOM: ({ attrs }) => ['span', { class: 'inline_atom' }, atomText(attrs['inline'] as AtomContent)],
    leafText: ({ attrs }) => atomText(attrs['inline'] as AtomContent),
  },
};

export type AtomContent = Readonly<{ type: string; data?: Data }>;

/** The text that stands for an inline without text of its own. */
export function atomText({ type, data = {} }: AtomContent): string {
  const { code, expression, raw, formula, label, text, alt, icon } = data;
  if (type === 'emoji' && typeof code === 'string') return emojiOf(code);
  const shown = [expression, formula, label, text, alt, icon, raw].find(
    (each): each is string => typeof each === 'string' && each !== '',
  );
  return shown ?? type;
}

function emojiOf(code: string): string {
  const points = code.split('-').map((part) => Number.parseInt(part, 16));
  return points.every((point) => point > 0 && point <= 0x10ffff) ? String.fromCodePoint(...points) : code;
}

function named({ type }: { readonly type: { readonly name: string } }): DOMOutputSpec {
  return ['div', { class: type.name }, 0];
}

const inlineNodes: Record<string, NodeSpec> = {
  text: { group: 'inline' },
  break: {
    group: 'inline',
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
    leafText: () => '\n',
  },
};

const simple = (tag: string, parsed: readonly string[] = [tag]): MarkSpec => ({
  parseDOM: parsed.map((each) => ({ tag: each })),
  toDOM: () => [tag, 0],
});

/** The order is that of the model, outermost first; the two that are inlines of the model come before them. */
const marks: Record<string, MarkSpec> = {
  link: {
    attrs: {
      data: {},
      // Further fields of the inline; `part` keeps neighbours with the same target apart.
      rest: { default: null },
      part: { default: 0 },
      // True for a link within an annotation.
      isInside: { default: false },
    },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (element) => {
          const url = element.getAttribute('href') ?? '';
          return isSafeAddress(url) ? { data: { ref: { kind: 'url', url } } } : false;
        },
      },
    ],
    toDOM: () => ['a', { role: 'link' }, 0],
  },
  annotation: {
    attrs: { data: { default: {} }, rest: { default: null }, part: { default: 0 }, fragments: {} },
    inclusive: false,
    toDOM: () => ['span', { class: 'annotation' }, 0],
  },
  bold: {
    ...simple('strong', ['strong', 'b']),
    parseDOM: [
      { tag: 'strong' },
      // Some editors put all that is copied into such an element.
      { tag: 'b', getAttrs: (element) => element.style.fontWeight !== 'normal' && null },
      { style: 'font-weight', getAttrs: (weight) => /^(?:bold(?:er)?|[6-9]00)$/.test(weight) && null },
    ],
  },
  italic: {
    ...simple('em', ['em', 'i']),
    parseDOM: [{ tag: 'em' }, { tag: 'i' }, { style: 'font-style=italic' }],
  },
  strikethrough: simple('s', ['s', 'del', 'strike']),
  superscript: simple('sup'),
  subscript: simple('sub'),
  keyboard: simple('kbd'),
  color: {
    attrs: { data: {} },
    toDOM: ({ attrs }) => {
      const { text, background } = attrs['data'] as Data;
      return ['span', { class: `color text-${nameOf(text)} background-${nameOf(background)}` }, 0];
    },
  },
  code: simple('code'),
};

function nameOf(color: Json | undefined): string {
  return typeof color === 'string' ? color.replace(/\W/g, '') : 'default';
}

/** Tells whether a link from elsewhere may be taken over. */
export function isSafeAddress(url: string): boolean {
  return /^(?:https?:|mailto:|tel:|[^:]*$|[^:]*[/?#])/i.test(url.trim()) && url.length <= 2048;
}

/** The blocks, inlines and marks of the editor. */
export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    ...lines,
    ...containers,
    ...parts,
    ...codes,
    ...expandables,
    ...images,
    ...tables,
    ...atoms,
    ...inlineNodes,
  },
  marks,
});

/** The name in the schema of a type of blocks: there is a mark for code, too. */
export const nodeName = (blockType: string): string =>
  blockType === 'code' ? 'code_block' : blockType.replaceAll('-', '_');

/** The type of blocks that a node stands for. */
export const blockType = (name: string): string => (name === 'code_block' ? 'code' : name.replaceAll('_', '-'));

/** The type of nodes for a type of blocks, or for another name in the schema. */
export function typeNamed(name: string) {
  const type = schema.nodes[nodeName(name)];
  if (!type) throw new Error(`the schema has no node ${name}`);
  return type;
}

/** A type of marks that the schema has. */
export function markNamed(name: string) {
  const type = schema.marks[name];
  if (!type) throw new Error(`the schema has no mark ${name}`);
  return type;
}
