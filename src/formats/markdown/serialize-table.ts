import type { AlignType, RootContent, TableCell } from 'mdast';
import { fragmentNamed } from '../document/text.js';
import type { Block, ContentRef, TableDefinition, TableRecord, TableValue } from '../document/types.js';
import { ownEntry } from '../document/own-entry.js';
import { escapeHtml, keepSpaces, openTag } from './html.js';
import { flowHtml, htmlNode, isPlainLine, lineHtml } from './serialize-html.js';
import { html, toPhrasing } from './serialize-inlines.js';
import type { SerializeContext } from './serialize-context.js';

type Table = Block<'table'>;

/** A table as GFM if that is sufficient, else as HTML. */
export function tableNodes(table: Table, writing: SerializeContext): RootContent[] {
  const definitions = orderedDefinitions(table);
  const rows = orderedRecords(table);
  if (isSimple(table, definitions, rows)) {
    const mark = writing.footnotes.length;
    const nodes = gfmTable(table, definitions, rows, writing);
    if (nodes !== undefined) return nodes;
    writing.footnotes.length = mark;
  }
  return htmlTable(table, definitions, rows, writing);
}

/** Shown columns in their order, then the hidden ones by id. */
function orderedDefinitions(table: Table): TableDefinition[] {
  const { definition, view } = table.data;
  const shown = view.columns.flatMap((id) => ownEntry(definition, id) ?? []);
  const hidden = Object.values(definition).filter((column) => !view.columns.includes(column.id));
  hidden.sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
  return [...shown, ...hidden];
}

function orderedRecords(table: Table): TableRecord[] {
  return Object.values(table.data.records).sort((a, b) =>
    a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0,
  );
}

function isSimple(table: Table, definitions: readonly TableDefinition[], rows: readonly TableRecord[]): boolean {
  const { view, fullWidth, search } = table.data;
  if (
    view.type !== 'grid' ||
    view.hideHeader ||
    fullWidth !== undefined ||
    search !== undefined ||
    definitions.length === 0
  )
    return false;
  if (view.columnWidths !== undefined || view.stickyHeader !== undefined || view.stickyFirstColumn !== undefined)
    return false;
  if (
    definitions.some(
      (column) => column.type !== 'text' || column.verticalAlignment !== undefined || !view.columns.includes(column.id),
    )
  )
    return false;
  return rows.every((row) => definitions.every((column) => isSimpleCell(table, ownEntry(row.values, column.id))));
}

function isSimpleCell(table: Table, value: TableValue | undefined): boolean {
  if (value === undefined || value === '') return true;
  const blocks = cellBlocks(table, value);
  const [only] = blocks ?? [];
  return blocks?.length === 1 && only?.type === 'paragraph' && only.data.align === undefined;
}

function cellBlocks(table: Table, value: TableValue | undefined): readonly Block[] | undefined {
  return typeof value === 'string' ? fragmentNamed(table, value)?.nodes : undefined;
}

function gfmTable(
  table: Table,
  definitions: readonly TableDefinition[],
  rows: readonly TableRecord[],
  writing: SerializeContext,
): RootContent[] | undefined {
  const align = definitions.map((column): AlignType =>
    column.type !== 'text' || column.textAlignment === 'left' ? null : column.textAlignment,
  );
  const header = definitions.map((column) =>
    cell(fragmentNamed(table, `title:${column.id}`)?.nodes, column.title, writing),
  );
  const body = rows.map((row) =>
    definitions.map((column) =>
      cell(cellBlocks(table, ownEntry(row.values, column.id)), textValue(ownEntry(row.values, column.id)), writing),
    ),
  );
  const all = [header, ...body];
  if (all.some((cells) => cells.some((one) => one === undefined))) return undefined;
  const children = all.map((cells) => ({ type: 'tableRow' as const, children: cells.flatMap((one) => one ?? []) }));
  return [{ type: 'table', align, children }];
}

function textValue(value: TableValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** A GFM cell: line breaks are `<br>`; formulas and tags that contain a bar are not allowed there. */
function cell(blocks: readonly Block[] | undefined, words: string, writing: SerializeContext): TableCell | undefined {
  const nodes =
    blocks === undefined ? [{ type: 'text' as const, value: words }] : toPhrasing(blocks[0]?.nodes ?? [], writing);
  const children = JSON.stringify(nodes).includes('"break"') ? withBreaks(nodes) : nodes;
  keepEdgeSpaces(children);
  const fits = !JSON.stringify(children).includes('|') || !hasBar(children);
  return fits ? { type: 'tableCell', children } : undefined;
}

/** Writes spaces at the edges of a cell as references; otherwise they would count as padding. */
function keepEdgeSpaces(nodes: Phrasing): void {
  const first = nodes[0];
  if (first?.type === 'text' && /^[ \t]/.test(first.value)) {
    nodes.splice(0, 1, html(reference(first.value.charCodeAt(0))), { type: 'text', value: first.value.slice(1) });
  }
  const last = nodes[nodes.length - 1];
  if (last?.type === 'text' && /[ \t]$/.test(last.value)) {
    nodes.splice(
      -1,
      1,
      { type: 'text', value: last.value.slice(0, -1) },
      html(reference(last.value.charCodeAt(last.value.length - 1))),
    );
  }
}

function reference(code: number): string {
  return `&#x${code.toString(16)};`;
}

type Phrasing = TableCell['children'];

function withBreaks(nodes: Phrasing): Phrasing {
  return nodes.map((node) => {
    if (node.type === 'break') return html('<br>');
    return 'children' in node ? { ...node, children: withBreaks(node.children) } : node;
  });
}

function hasBar(nodes: Phrasing): boolean {
  return nodes.some((node) => {
    if (node.type === 'inlineMath' || node.type === 'html' || node.type === 'inlineCode')
      return node.value.includes('|');
    return 'children' in node && hasBar(node.children);
  });
}

function htmlTable(
  table: Table,
  definitions: readonly TableDefinition[],
  rows: readonly TableRecord[],
  writing: SerializeContext,
): RootContent[] {
  const pieces: RootContent[] = [];
  let text = openTag('table', tableAttributes(table));
  if (!(
    table.data.view.type === 'grid' &&
    table.data.view.hideHeader &&
    definitions.every((column) => isBareColumn(table, column))
  )) {
    const cells = definitions.map((column) => {
      const title = fragmentNamed(table, `title:${column.id}`);
      const inner =
        title === undefined ? keepSpaces(escapeHtml(column.title)) : lineHtml(title.nodes[0]?.nodes ?? [], writing);
      return `${openTag('th', headerAttributes(table, column))}${inner}${optionsHtml(column)}</th>`;
    });
    text += `<thead><tr>${cells.join('')}</tr></thead>`;
  }
  text += '<tbody>';
  for (const row of rows) {
    text += '<tr>';
    for (const column of definitions) {
      const value = ownEntry(row.values, column.id);
      const fit = typeof value === 'object' && value !== null && 'ref' in value ? value.objectFit : undefined;
      text += openTag('td', { 'data-object-fit': fit });
      const blocks = cellBlocks(table, value);
      const inner = blocks === undefined ? valueHtml(column, value, writing) : cellHtml(blocks, writing);
      if (inner === undefined) {
        pieces.push(htmlNode(text), ...writing.blocks(blocks ?? [], writing));
        text = '';
      } else {
        text += inner;
      }
      text += '</td>';
    }
    text += '</tr>';
  }
  pieces.push(htmlNode(`${text}</tbody></table>`));
  return pieces;
}

/** A column of a table without header that needs no header to be parsed back. */
function isBareColumn(table: Table, column: TableDefinition): boolean {
  const attributes = Object.values(headerAttributes(table, column)).filter((value) => value !== undefined);
  return column.title === '' && fragmentNamed(table, `title:${column.id}`) === undefined && attributes.length === 0;
}

function cellHtml(blocks: readonly Block[], writing: SerializeContext): string | undefined {
  const [only] = blocks;
  if (
    blocks.length === 1 &&
    only?.type === 'paragraph' &&
    only.data.align === undefined &&
    isPlainLine(only.nodes ?? [])
  ) {
    return lineHtml(only.nodes ?? [], writing);
  }
  return flowHtml(blocks, writing);
}

type Attributes = Record<string, string | number | true | undefined>;

function tableAttributes(table: Table): Attributes {
  const { view, fullWidth, search } = table.data;
  return {
    ...(view.type === 'cards'
      ? {
          'data-card-size': view.cardSize === 'large' ? 'large' : undefined,
          'data-column-title-hidden':
            view.hideColumnTitle === undefined ? undefined : view.hideColumnTitle ? true : 'false',
          'data-view': 'cards',
        }
      : {
          'data-header-hidden': view.hideHeader ? true : undefined,
          'data-sticky-header': view.stickyHeader === true ? true : undefined,
          'data-sticky-first-column': view.stickyFirstColumn === true ? true : undefined,
        }),
    'data-full-width': fullWidth === undefined ? undefined : String(fullWidth),
    'data-search': search === undefined ? undefined : String(search),
  };
}

function headerAttributes(table: Table, column: TableDefinition): Attributes {
  const { view } = table.data;
  const cards = view.type === 'cards' ? view : undefined;
  return {
    width: view.type === 'grid' && view.columnWidths ? ownEntry(view.columnWidths, column.id) : undefined,
    align: column.type === 'text' && column.textAlignment !== 'left' ? column.textAlignment : undefined,
    valign: column.type === 'text' ? column.verticalAlignment : undefined,
    'data-hidden': view.columns.includes(column.id) ? undefined : true,
    'data-card-target': cards?.targetDefinition === column.id ? true : undefined,
    'data-card-cover': cards?.coverDefinition === column.id ? true : undefined,
    'data-card-cover-dark': cards?.coverDefinitionDark === column.id ? true : undefined,
    'data-type': column.type === 'text' ? undefined : column.type,
    'data-max': column.type === 'rating' ? column.max : undefined,
    'data-multiple': (column.type === 'users' || column.type === 'select') && column.multiple ? true : undefined,
  };
}

/** The options of a column, as GitBook writes them. */
function optionsHtml(column: TableDefinition): string {
  if (column.type !== 'select' || column.options.length === 0) return '';
  const options = column.options.map(
    ({ value, label, color }) => `${openTag('option', { value, label, color })}</option>`,
  );
  return `<select>${options.join('')}</select>`;
}

function valueHtml(column: TableDefinition, value: TableValue | undefined, writing: SerializeContext): string {
  if (value === undefined || value === null || value === false) return '';
  if (value === true) return 'true';
  if (Array.isArray(value)) {
    if (column.type === 'files') return value.map((file) => linkHtml({ kind: 'file', file }, writing)).join(', ');
    if (column.type === 'select')
      return value
        .map(
          (option) => `${openTag('span', { 'data-option': option })}${escapeHtml(optionLabel(column, option))}</span>`,
        )
        .join(', ');
    return escapeHtml(value.join(', '));
  }
  if (typeof value === 'object') return linkHtml('ref' in value ? value.ref : value, writing);
  return escapeHtml(String(value));
}

function optionLabel(column: Extract<TableDefinition, { type: 'select' }>, option: string): string {
  return column.options.find((known) => known.value === option)?.label ?? option;
}

function linkHtml(ref: ContentRef, writing: SerializeContext): string {
  const target = writing.render(ref);
  return `${openTag('a', { href: target })}${escapeHtml(target)}</a>`;
}
