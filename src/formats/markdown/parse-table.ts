import type { Table } from 'mdast';
import { block, fragment, paragraph, plain } from '../document/build.js';
import type {
  Block,
  CardsView,
  Fragment,
  GridView,
  Node,
  TableData,
  TableDefinition,
  TableRecord,
  TableValue,
} from '../document/types.js';
import { fileOrUrl, referenceOf, report } from './parse-context.js';
import { columnsOf } from './parse-limits.js';
import { nodeText } from './node-text.js';
import type { Element, MarkupNode } from './nest-markup.js';
import type { BlockReading } from './block-reading.js';
import { holdsFlow } from './flow-content.js';
import { htmlRows } from './html-rows.js';
import { alignOf, type Column, definitionOf, isHiddenColumn, isOptions, tableView } from './table-columns.js';

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

  finish(view: GridView | CardsView, settings: Pick<TableData, 'fullWidth' | 'search'> = {}): Block<'table'> {
    const data = { view, records: this.records, definition: this.definition, ...settings };
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
  const width = columnsOf(node);
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

/**
 * An HTML table: a grid, or cards with `data-view="cards"`. Merged cells and attributes without a meaning are given up;
 * a caption and other content between the rows stands above the table. Undefined for a table with more cells than a
 * document may have, and for one with tags between its rows, as conditions of rows.
 */
export function htmlTable(reader: BlockReading, node: Element): Block[] | undefined {
  const rows = htmlRows(node);
  const first = rows?.head ?? rows?.body[0];
  if (rows === undefined || first === undefined) return undefined;
  const width = rows.body.reduce((most, row) => Math.max(most, row.length), rows.head?.length ?? 0);
  const cells = width * rows.body.length;
  if (cells > reader.reading.cells) return undefined;
  reader.reading.cells -= cells;
  for (const loss of rows.losses) report(reader.reading, node, 'simplified-table', loss);
  const columns: Column[] = [];
  for (let at = 0; at < width; at++) {
    const header = rows.head?.[at];
    const align = rows.body.map((row) => alignOf(row[at])).find((value) => value !== undefined);
    columns.push({ header, at, definition: definitionOf(header, align) });
  }
  const ordered = [...columns.filter((column) => !isHiddenColumn(column)), ...columns.filter(isHiddenColumn)];
  const builder = new TableBuilder();
  ordered.forEach((column, index) => {
    column.definition.id = `c${index + 1}`;
    const title = titleOf(reader, column.header);
    column.definition.title = plainText(title);
    builder.column(column.definition, title);
  });
  rows.body.forEach((row, index) => {
    builder.row(
      index,
      ordered.map(({ definition, at }) => ({ column: definition.id, value: cellValue(reader, definition, row[at]) })),
    );
  });
  const fullWidth = flagOf(node, 'data-full-width');
  const search = flagOf(node, 'data-search');
  const table = builder.finish(tableView(node, ordered, rows.head === undefined), {
    ...(fullWidth === undefined ? {} : { fullWidth }),
    ...(search === undefined ? {} : { search }),
  });
  return [...reader.ofMixed(rows.others), table];
}

function flagOf(node: Element, attribute: string): boolean | undefined {
  const value = node.attributes.get(attribute);
  return value === undefined ? undefined : value !== 'false';
}

/** The line above a column, without its options; blocks in it are given up, their words are kept. */
function titleOf(reader: BlockReading, header: Element | undefined): Node[] {
  const parts = (header?.children ?? []).filter((child) => !isOptions(child));
  if (header === undefined || !holdsFlow(parts)) return reader.lines.ofMixed(parts);
  report(reader.reading, header, 'simplified-table', 'the blocks in the head of a table are read as one line');
  const words = parts.map(nodeText).join(' ').replace(/\s+/g, ' ').trim();
  return [plain(words)];
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
  reader.reading.at = cell;
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
