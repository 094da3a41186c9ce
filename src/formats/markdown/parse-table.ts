import type { Table } from 'mdast';
import { block, fragment, paragraph } from '../document/build.js';
import type {
  Block,
  CardsView,
  Fragment,
  GridView,
  Node,
  TableDefinition,
  TableRecord,
  TableSelectOption,
  TableValue,
} from '../document/types.js';
import { fileOrUrl, referenceOf } from './parse-context.js';
import { nodeText } from './node-text.js';
import type { Element, MarkupNode } from './nest-markup.js';
import type { BlockReading } from './block-reading.js';
import { holdsFlow } from './flow-content.js';

/** Collects a table column by column; ids are `c1`, `c2` … for columns and `r1`, `r2` … for rows. */
class TableBuilder {
  readonly definition: Record<string, TableDefinition> = {};
  readonly records: Record<string, TableRecord> = {};
  readonly fragments: Fragment[] = [];

  column(definition: TableDefinition, title: readonly Node[]): void {
    this.definition[definition.id] = definition;
    if (!isPlainLine(title)) this.fragments.push(fragment(`title:${definition.id}`, [paragraph(...title)]));
  }

  row(index: number, values: readonly { column: string; value: TableValue | readonly Block[] }[]): void {
    const record: TableRecord = { orderIndex: orderIndex(index), values: {} };
    for (const { column, value } of values) {
      if (!isBlocks(value)) {
        record.values[column] = value;
      } else if (isEmptyCell(value)) {
        record.values[column] = '';
      } else {
        const name = `r${index + 1}:${column}`;
        record.values[column] = name;
        this.fragments.push(fragment(name, value));
      }
    }
    this.records[`r${index + 1}`] = record;
  }

  finish(view: GridView | CardsView, fullWidth?: boolean): Block<'table'> {
    const data = {
      view,
      records: this.records,
      definition: this.definition,
      ...(fullWidth === undefined ? {} : { fullWidth }),
    };
    return block('table', data, undefined, this.fragments);
  }
}

function isBlocks(value: TableValue | readonly Block[]): value is readonly Block[] {
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item === 'object' && item !== null && 'object' in item) &&
    value.length > 0
  );
}

function isEmptyCell(blocks: readonly Block[]): boolean {
  const [only] = blocks;
  return (
    blocks.length === 1 &&
    only?.type === 'paragraph' &&
    Object.keys(only.data).length === 0 &&
    isPlainLine(only.nodes ?? []) &&
    plainText(only.nodes ?? []) === ''
  );
}

/** A text key for sorting rows: a letter for the number of digits, then the digits. */
export function orderIndex(index: number): string {
  const digits = String(index);
  return String.fromCharCode(96 + digits.length) + digits;
}

function isPlainLine(nodes: readonly Node[]): boolean {
  return nodes.every(
    (node) =>
      node.object === 'text' && node.leaves.every((leaf) => leaf.marks.length === 0 && !leaf.text.includes('\n')),
  );
}

function plainText(nodes: readonly Node[]): string {
  let value = '';
  for (const node of nodes) {
    if (node.object === 'text') value += node.leaves.map((leaf) => leaf.text).join('');
    else if (node.nodes !== undefined) value += plainText(node.nodes);
  }
  return value;
}

/** A GFM table: a grid of text columns. Rows may be longer than the header; no cell is dropped. */
export function markdownTable(reader: BlockReading, node: Table): Block {
  const [header, ...rows] = node.children;
  const width = Math.max(...node.children.map((row) => row.children.length));
  const builder = new TableBuilder();
  const columns: string[] = [];
  for (let index = 0; index < width; index++) {
    const id = `c${index + 1}`;
    const title = reader.lines.ofMarkdown(header?.children[index]?.children ?? []);
    columns.push(id);
    builder.column({ id, type: 'text', title: plainText(title), textAlignment: node.align?.[index] ?? 'left' }, title);
  }
  rows.forEach((row, index) => {
    const values = columns.map((column, at) => ({
      column,
      value: [paragraph(...reader.lines.ofMarkdown(row.children[at]?.children ?? []))],
    }));
    builder.row(index, values);
  });
  return builder.finish({ type: 'grid', columns, hideHeader: false });
}

interface Column {
  header: Element | undefined;
  definition: TableDefinition;
  hidden: boolean;
  /** Position in the source. */
  at: number;
}

/** An HTML table: a grid, or cards with `data-view="cards"`. Tables with merged cells are not supported. */
export function htmlTable(reader: BlockReading, node: Element): Block[] | undefined {
  const rows = tableRows(node);
  if (rows === undefined || rows.body.length + (rows.head === undefined ? 0 : 1) === 0) return undefined;
  if (!isKnown(node.attributes, TABLE_ATTRIBUTES)) return undefined;
  const width = Math.max(rows.head?.length ?? 0, ...rows.body.map((row) => row.length));
  const columns: Column[] = [];
  for (let at = 0; at < width; at++) {
    const header = rows.head?.[at];
    const hidden = header?.attributes.has('data-hidden') === true;
    const align = rows.body.map((row) => alignOf(row[at])).find((value) => value !== undefined);
    columns.push({ header, hidden, at, definition: definitionOf(header, align) });
  }
  if (columns.some((column) => column.header !== undefined && holdsFlow(column.header.children))) return undefined;
  const ordered = [...columns.filter((column) => !column.hidden), ...columns.filter((column) => column.hidden)];
  const builder = new TableBuilder();
  ordered.forEach((column, index) => {
    column.definition.id = `c${index + 1}`;
    const title = reader.lines.ofMixed(column.header?.children ?? []);
    column.definition.title = plainText(title);
    builder.column(column.definition, title);
  });
  rows.body.forEach((row, index) => {
    builder.row(
      index,
      ordered.map(({ definition, at }) => ({ column: definition.id, value: cellValue(reader, definition, row[at]) })),
    );
  });
  const full = node.attributes.get('data-full-width');
  return [
    builder.finish(viewOf(node, ordered, rows.head === undefined), full === undefined ? undefined : full !== 'false'),
  ];
}

const TABLE_ATTRIBUTES = [
  'data-view',
  'data-card-size',
  'data-full-width',
  'data-header-hidden',
  'data-column-title-hidden',
  'data-search',
  'data-sticky-header',
  'data-sticky-first-column',
];
const HEADER_ATTRIBUTES = [
  'width',
  'align',
  'valign',
  'style',
  'data-hidden',
  'data-type',
  'data-card-target',
  'data-card-cover',
  'data-card-cover-dark',
  'data-max',
  'data-multiple',
  'data-options',
  'data-new-sizing',
];
const CELL_ATTRIBUTES = ['align', 'valign', 'style', 'data-object-fit'];

function isKnown(attributes: ReadonlyMap<string, string>, known: readonly string[]): boolean {
  return [...attributes].every(
    ([name, value]) =>
      known.includes(name) && (name !== 'style' || /^text-align:\s*(left|center|right);?$/.test(value)),
  );
}

/** The cells of head and body; `undefined` if the table has content other than rows and cells. */
function tableRows(node: Element): { head: Element[] | undefined; body: Element[][] } | undefined {
  const body: Element[][] = [];
  let head: Element[] | undefined;
  const visit = (children: readonly MarkupNode[], isHead: boolean): boolean =>
    children.every((child) => {
      if (child.kind === 'text') return child.value.trim() === '';
      if (child.kind !== 'element') return false;
      if (['thead', 'tbody', 'tfoot'].includes(child.name) && child.attributes.size === 0)
        return visit(child.children, child.name === 'thead');
      if (child.name !== 'tr' || child.attributes.size > 0) return false;
      const cells = cellsOf(child);
      if (cells === undefined) return false;
      const allHeaders = cells.length > 0 && cells.every((cell) => cell.name === 'th');
      if (head === undefined && body.length === 0 && (isHead || allHeaders)) head = cells;
      else if (isHead) return false;
      else body.push(cells);
      return true;
    });
  return visit(node.children, false) ? { head, body } : undefined;
}

function cellsOf(row: Element): Element[] | undefined {
  const cells: Element[] = [];
  for (const child of row.children) {
    if (child.kind === 'text' && child.value.trim() === '') continue;
    if (child.kind !== 'element' || (child.name !== 'td' && child.name !== 'th')) return undefined;
    if (!isKnown(child.attributes, child.name === 'th' ? [...HEADER_ATTRIBUTES, ...CELL_ATTRIBUTES] : CELL_ATTRIBUTES))
      return undefined;
    cells.push(child);
  }
  return cells;
}

function alignOf(cell: Element | undefined): 'left' | 'center' | 'right' | undefined {
  const value = cell?.attributes.get('align') ?? /text-align:\s*(\w+)/.exec(cell?.attributes.get('style') ?? '')?.[1];
  return value === 'left' || value === 'center' || value === 'right' ? value : undefined;
}

function definitionOf(
  header: Element | undefined,
  bodyAlign: 'left' | 'center' | 'right' | undefined,
): TableDefinition {
  const base = { id: '', title: '' };
  const attributes = header?.attributes ?? new Map<string, string>();
  const multiple = attributes.has('data-multiple') && attributes.get('data-multiple') !== 'false';
  switch (attributes.get('data-type')) {
    case 'number':
      return { ...base, type: 'number' };
    case 'checkbox':
      return { ...base, type: 'checkbox' };
    case 'files':
      return { ...base, type: 'files' };
    case 'content-ref':
      return { ...base, type: 'content-ref' };
    case 'image':
      return { ...base, type: 'image' };
    case 'users':
      return { ...base, type: 'users', multiple };
    case 'rating':
      return { ...base, type: 'rating', max: Number(attributes.get('data-max') ?? 5) || 5 };
    case 'select':
      return { ...base, type: 'select', multiple, options: optionsOf(attributes.get('data-options')) };
    default: {
      const valign = attributes.get('valign');
      const vertical =
        valign === 'top' || valign === 'middle' || valign === 'bottom' ? ({ verticalAlignment: valign } as const) : {};
      return { ...base, type: 'text', textAlignment: alignOf(header) ?? bodyAlign ?? 'left', ...vertical };
    }
  }
}

function optionsOf(source: string | undefined): TableSelectOption[] {
  if (source === undefined) return [];
  try {
    const value: unknown = JSON.parse(source);
    if (!Array.isArray(value)) return [];
    return value.flatMap((item: unknown) => {
      if (typeof item !== 'object' || item === null) return [];
      const option = item as Partial<Record<keyof TableSelectOption, unknown>>;
      return [{ value: String(option.value), label: String(option.label), color: String(option.color) }];
    });
  } catch {
    return [];
  }
}

function viewOf(node: Element, columns: readonly Column[], noHead: boolean): GridView | CardsView {
  const shown = columns.filter((column) => !column.hidden).map((column) => column.definition.id);
  const { attributes } = node;
  const flagged = (name: string): string | undefined =>
    columns.find((column) => column.header?.attributes.has(name) === true)?.definition.id;
  if (attributes.get('data-view') === 'cards') {
    const target = flagged('data-card-target');
    const cover = flagged('data-card-cover');
    const dark = flagged('data-card-cover-dark');
    return {
      type: 'cards',
      cardSize: attributes.get('data-card-size') === 'large' ? 'large' : 'medium',
      columns: shown,
      ...(target === undefined ? {} : { targetDefinition: target }),
      ...(cover === undefined ? {} : { coverDefinition: cover }),
      ...(dark === undefined ? {} : { coverDefinitionDark: dark }),
      ...(attributes.has('data-column-title-hidden')
        ? { hideColumnTitle: attributes.get('data-column-title-hidden') !== 'false' }
        : {}),
    };
  }
  const widths = columns.flatMap(({ definition, header }) => {
    const width = Number.parseFloat(header?.attributes.get('width') ?? '');
    return Number.isFinite(width) ? [[definition.id, width] as const] : [];
  });
  return {
    type: 'grid',
    columns: shown,
    ...(widths.length === 0 ? {} : { columnWidths: Object.fromEntries(widths) }),
    hideHeader: attributes.has('data-header-hidden') ? attributes.get('data-header-hidden') !== 'false' : noHead,
    ...(attributes.has('data-sticky-header') ? { stickyHeader: true } : {}),
    ...(attributes.has('data-sticky-first-column') ? { stickyFirstColumn: true } : {}),
  };
}

/** Converts a cell to the type of its column; a value that does not fit the type is kept as content. */
function cellValue(
  reader: BlockReading,
  definition: TableDefinition,
  cell: Element | undefined,
): TableValue | readonly Block[] {
  if (cell === undefined) return '';
  const words = cell.children.map(nodeText).join('').trim();
  const content = (): readonly Block[] => reader.insideAtLeastOne(cell.children);
  const hrefs = linksOf(cell.children);
  switch (definition.type) {
    case 'text':
      return content();
    case 'number':
    case 'rating':
      return words === '' ? null : Number.isFinite(Number(words)) ? Number(words) : content();
    case 'checkbox':
      return words === '' || words === 'false' ? false : words === 'true' ? true : content();
    case 'users':
    case 'select':
      return words === '' ? [] : selectedOf(cell, words);
    case 'content-ref':
      if (words === '' && hrefs?.length !== 1) return null;
      return hrefs?.length === 1 ? referenceOf(reader.reading, hrefs[0] ?? '', 'link') : content();
    case 'image':
      if (words === '' && hrefs?.length !== 1) return null;
      return hrefs?.length === 1 ? imageValue(reader, cell, hrefs[0] ?? '') : content();
    case 'files': {
      if (hrefs === undefined || hrefs.length === 0) return words === '' ? null : content();
      const refs = hrefs.map((href) => fileOrUrl(reader.reading, href, 'file'));
      const ids = refs.flatMap((ref) => (ref.kind === 'file' ? [ref.file] : []));
      if (ids.length === refs.length) return ids;
      return refs.length === 1 ? (refs[0] ?? null) : content();
    }
  }
}

function imageValue(reader: BlockReading, cell: Element, href: string): TableValue {
  const ref = fileOrUrl(reader.reading, href);
  const fit = cell.attributes.get('data-object-fit');
  return fit === 'contain' || fit === 'fill' || fit === 'cover' ? { ref, objectFit: fit } : ref;
}

function selectedOf(cell: Element, words: string): string[] {
  const spans = cell.children.filter((child): child is Element => child.kind === 'element' && child.name === 'span');
  const options = spans.flatMap((span) => span.attributes.get('data-option') ?? []);
  return options.length > 0 ? options : words.split(',').map((word) => word.trim());
}

/** The targets of a cell that contains only links; `undefined` if it contains more. */
function linksOf(children: readonly MarkupNode[]): string[] | undefined {
  const targets: string[] = [];
  for (const child of children) {
    if (child.kind === 'text' && child.value.replaceAll(',', '').trim() === '') continue;
    if (child.kind !== 'element') return undefined;
    const target =
      child.name === 'img'
        ? child.attributes.get('src')
        : child.name === 'a'
          ? child.attributes.get('href')
          : undefined;
    if (target === undefined) return undefined;
    targets.push(target);
  }
  return targets;
}
