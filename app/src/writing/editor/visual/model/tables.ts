import type { Node } from 'prosemirror-model';
import { attributesOf, frameOf } from './block-frame.js';
import type { ContentBlock, ContentFragment, Data, Json } from './content.js';
import { contentOfLine, lineNodes, plainText } from './lines.js';
import { rowOrder } from './row-order.js';
import { typeNamed } from './schema.js';

/** Makes nodes of blocks. */
type ReadBlocks = (blocks: readonly ContentBlock[]) => Node[];
/** The blocks in a node. */
type BlocksIn = (parent: Node) => ContentBlock[];

type Row = Readonly<{ orderIndex: string; values: Data }>;
type Definition = Readonly<{ id: string; title: string; type: string }> & Data;

interface TableFields {
  readonly view: Readonly<{ columns: readonly string[] }> & Data;
  readonly records: Readonly<Record<string, Row>>;
  readonly definition: Readonly<Record<string, Definition>>;
}

/** The fields of a column that is added. */
export const NEW_COLUMN = { type: 'text', textAlignment: 'left' } as const;

const titleName = (id: string): string => `title:${id}`;

/** The table of a block whose shown columns are all text; columns that are not shown stay with their rows. */
export function tableNode(block: ContentBlock, read: ReadBlocks): Node {
  const { view, records, definition, ...data } = block.data as unknown as TableFields & Data;
  const named = new Map((block.fragments ?? []).map((each) => [each.fragment ?? '', each]));
  const columns = view.columns.map((id) => definition[id]);
  if (columns.length === 0 || columns.some((column) => column?.type !== 'text'))
    throw new RangeError('the table has columns of other kinds than text');
  const hidden = Object.fromEntries(Object.entries(definition).filter(([id]) => !view.columns.includes(id)));
  const { columns: _columns, ...look } = view;
  const attributes = attributesOf({ ...block, data: { ...data, view: look, hidden } });
  const header = columns.map((column) => headerCell(column as Definition, named.get(titleName(column?.id ?? ''))));
  const rows = Object.entries(records)
    .sort(([, one], [, other]) => (one.orderIndex < other.orderIndex ? -1 : one.orderIndex > other.orderIndex ? 1 : 0))
    .map(([id, record]) => rowNode(id, record, view.columns, named, read));
  return typeNamed('table').create(attributes, [typeNamed('table-row').create(null, header), ...rows]);
}

function headerCell({ title, ...column }: Definition, fragment: ContentFragment | undefined): Node {
  const [paragraph, ...more] = fragment?.nodes ?? [];
  if (fragment && (paragraph?.type !== 'paragraph' || more.length > 0))
    throw new RangeError('the title of a column is not one paragraph');
  const { nodes: _nodes, ...rest } = fragment ?? { nodes: [] };
  const kept = fragment ? { rest, paragraph: attributesOf(paragraph as ContentBlock) } : null;
  const line = lineNodes(paragraph?.nodes ?? [plainText(title)], fragment !== undefined);
  return typeNamed('table-header').create({ column, title: kept }, line);
}

function rowNode(
  id: string,
  { values, ...rest }: Row,
  columns: readonly string[],
  named: ReadonlyMap<string, ContentFragment>,
  read: ReadBlocks,
): Node {
  const cells = columns.map((column) => {
    const value = values[column];
    const fragment = typeof value === 'string' ? named.get(value) : undefined;
    const { nodes = [], ...kept } = fragment ?? {};
    const isUsual = fragment ? isNamed(kept, `${id}:${column}`) : value === '';
    const attributes = isUsual ? null : { content: fragment ? { fragment: kept } : { value } };
    return typeNamed('table-cell').create(attributes, read(nodes));
  });
  const hidden = Object.fromEntries(Object.entries(values).filter(([column]) => !columns.includes(column)));
  return typeNamed('table-row').create({ record: id, rest: { ...rest, values: hidden } }, cells);
}

/** The block of a table, made anew: rows and columns that were added get their ids here. */
export function tableBlock(table: Node, blocksIn: BlocksIn): ContentBlock {
  const { data: given, ...frame } = frameOf(table, true);
  const { view, hidden, ...data } = given as unknown as { readonly view: Data; readonly hidden?: Data } & Data;
  const [header, ...rows] = table.children;
  const ids = new Set<string>(Object.keys(hidden ?? {}));
  const columns = (header?.children ?? []).map((cell) => columnOf(cell, ids));
  const fragments: ContentFragment[] = columns.flatMap(({ fragment }) => fragment ?? []);
  const order = rowOrder(rows.map(({ attrs }) => restOf(attrs).orderIndex));
  const taken = new Set<string>();
  const records = rows.map((row, index): [string, Row] => {
    const id = freeName(row.attrs['record'], 'r', taken);
    const { values, ...rest } = restOf(row.attrs);
    const shown = row.children.flatMap((cell, at): [string, Json][] => {
      const column = columns[at];
      if (!column) return [];
      const { value, fragment } = cellOf(cell, `${id}:${column.definition.id}`, blocksIn);
      if (fragment) fragments.push(fragment);
      return value === undefined ? [] : [[column.definition.id, value]];
    });
    return [id, { ...rest, orderIndex: order[index] ?? '', values: { ...values, ...Object.fromEntries(shown) } }];
  });
  const definition = Object.fromEntries(columns.map((column) => [column.definition.id, column.definition]));
  return {
    ...frame,
    data: {
      ...data,
      view: { ...view, columns: columns.map((column) => column.definition.id) },
      records: Object.fromEntries(records),
      definition: { ...definition, ...hidden },
    },
    fragments,
  };
}

type RowRest = Readonly<{ orderIndex?: string; values: Data }>;

function restOf(attributes: Node['attrs']): RowRest {
  return (attributes['rest'] as RowRest | null) ?? { values: {} };
}

/** An id that is still free, `wanted` if it is. */
function freeName(wanted: unknown, letter: string, taken: Set<string>): string {
  let name = typeof wanted === 'string' && !taken.has(wanted) ? wanted : '';
  for (let index = taken.size + 1; name === ''; index += 1)
    if (!taken.has(`${letter}${index}n`)) name = `${letter}${index}n`;
  taken.add(name);
  return name;
}

type Column = Readonly<{ definition: Definition; fragment?: ContentFragment }>;

/** The column below a cell of the first row; in tables from elsewhere that is a cell like others. */
function columnOf(cell: Node, ids: Set<string>): Column {
  const column: Data = (cell.attrs['column'] as Data | null) ?? NEW_COLUMN;
  const id = freeName(column['id'], 'c', ids);
  const kept = cell.attrs['title'] as { rest: object; paragraph: Node['attrs'] } | null;
  const line = lineIn(cell);
  const shown = line.textBetween(0, line.content.size, '', (leaf) => leaf.type.spec.leafText?.(leaf) ?? '');
  const definition = { ...column, id, title: shown.replaceAll('\n', ' ') } as Definition;
  if (!kept && line.children.every((node) => node.isText && node.marks.length === 0)) return { definition };
  const frame = kept ? frameOf(line, false, 'paragraph', kept.paragraph) : EMPTY_PARAGRAPH;
  const fragment = { object: 'fragment' as const, ...kept?.rest, fragment: titleName(id) };
  return { definition, fragment: { ...fragment, nodes: [{ ...frame, nodes: contentOfLine(line.content) }] } };
}

const EMPTY_PARAGRAPH: ContentBlock = { object: 'block', type: 'paragraph', isVoid: false, data: {} };

/** The first line in a cell. */
function lineIn(cell: Node): Node {
  const [first] = cell.children;
  return cell.isTextblock || !first || first.isLeaf ? cell : lineIn(first);
}

/** The value of a cell, and the fragment with its content. */
function cellOf(cell: Node, name: string, blocksIn: BlocksIn) {
  const blocks = cell.isTextblock ? lineBlocks(cell) : blocksIn(cell);
  const kept = cell.attrs['content'] as CellContent | null;
  if (blocks.length === 0) return { value: kept && 'value' in kept ? kept.value : '' };
  const known = kept && 'fragment' in kept ? kept.fragment : { object: 'fragment' as const, fragment: name };
  return { value: known.fragment ?? name, fragment: { ...known, nodes: blocks } };
}

/** The paragraph of a title that stands among cells. */
function lineBlocks({ content }: Node): ContentBlock[] {
  return content.size === 0 ? [] : [{ ...EMPTY_PARAGRAPH, nodes: contentOfLine(content) }];
}

/** Content of a cell that is not the usual one: a fragment of another name, or a value that names none. */
type CellContent = { readonly fragment: Omit<ContentFragment, 'nodes'> } | { readonly value: Json | undefined };

function isNamed(fragment: Partial<ContentFragment>, name: string): boolean {
  return fragment.fragment === name && Object.keys(fragment).length === 2;
}
