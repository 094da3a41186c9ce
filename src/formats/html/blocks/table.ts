import type { ElementContent, Properties } from 'hast';
import { recordsOf, type Table } from '../../document/table.js';
import type { GridView, TableDefinition } from '../../document/types.js';
import { ownEntry } from '../../document/own-entry.js';
import { classes, el, isEmpty } from '../elements.js';
import type { RenderContext } from '../render-context.js';
import { sideOfRow } from '../diff/changed.js';
import { changeAttributes } from '../diff/diff-marks.js';
import { blockName } from '../block-names.js';
import { cellBlock, cellContent, titleContent } from './cells.js';

/** In pixels: the style sheet has widths in steps of ten up to it. */
const WIDEST_COLUMN = 1000;

/** A table, which scrolls by itself if it is wider than the page. */
export function renderGrid(table: Table & { data: { view: GridView } }, context: RenderContext): ElementContent[] {
  const { view, definition, fullWidth } = table.data;
  const columns = view.columns.flatMap((id) => ownEntry(definition, id) ?? []);
  if (columns.length === 0) return [];
  const inside = { ...context, isOutlined: false };
  const rows = recordsOf(table).map((record) =>
    el(
      'tr',
      changeAttributes(context.diff?.rows.get(record)),
      columns.map((column, index) =>
        el(
          'td',
          {
            class: classes(columnClass(column), view.stickyFirstColumn === true && index === 0 && 'sticky'),
            ...columnChange(column, context),
            ...blockName(cellBlock(table, column, ownEntry(record.values, column.id)), context),
          },
          cellContent(
            table,
            column,
            ownEntry(record.values, column.id),
            sideOfRow(record, inside),
            context.diff?.cells.get(record)?.get(column.id),
          ),
        ),
      ),
    ),
  );
  return [
    el(
      'div',
      {
        class: classes('table', fullWidth && 'wide', view.stickyHeader && 'sticky-header'),
        role: 'group',
        ariaLabel: context.labels.table,
        tabIndex: 0,
      },
      el('table', {}, columnWidths(columns, view), headerOf(table, columns, view, inside), el('tbody', {}, rows)),
    ),
  ];
}

function headerOf(
  table: Table,
  columns: readonly TableDefinition[],
  view: GridView,
  context: RenderContext,
): ElementContent[] {
  const titles = columns.map((column) => titleContent(table, column, context));
  if (titles.every(isEmpty)) return [];
  const cells = titles.map((title, index) => {
    const column = columns[index];
    return el(
      isEmpty(title) ? 'td' : 'th',
      {
        scope: isEmpty(title) ? undefined : 'col',
        ...(column && columnChange(column, context)),
        class: classes(column && columnClass(column), view.stickyFirstColumn === true && index === 0 && 'sticky'),
      },
      title,
    );
  });
  return [el('thead', { class: view.hideHeader ? 'visually-hidden' : undefined }, el('tr', {}, cells))];
}

/** Marks the cells of a column that only one version has. */
function columnChange(column: TableDefinition, { diff }: RenderContext): Properties {
  const mark = diff?.columns.get(column);
  return mark?.change === 'changed' ? {} : changeAttributes(mark);
}

function columnWidths(columns: readonly TableDefinition[], { columnWidths: given }: GridView): ElementContent[] {
  const widths = columns.map(({ id }) => (given ? ownEntry(given, id) : undefined));
  if (widths.every((width) => width === undefined)) return [];
  return [
    el(
      'colgroup',
      {},
      widths.map((width) => el('col', { class: width === undefined ? undefined : widthClass(width) })),
    ),
  ];
}

/** Widths are classes, since pages allow no styles of elements, and `col` has no attribute for them. */
function widthClass(width: number): string | undefined {
  const rounded = Math.min(WIDEST_COLUMN, Math.round(width / 10) * 10);
  const tens = rounded % 100;
  const parts = [rounded - tens, tens].filter((part) => part > 0);
  return parts.length > 0 ? parts.map((part) => `width-${part}`).join(' ') : undefined;
}

function columnClass(column: TableDefinition): string | undefined {
  if (column.type === 'number') return 'align-end';
  if (column.type !== 'text') return undefined;
  const align =
    column.textAlignment === 'center' ? 'align-center' : column.textAlignment === 'right' ? 'align-end' : '';
  const vertical =
    column.verticalAlignment === 'middle' || column.verticalAlignment === 'bottom'
      ? `valign-${column.verticalAlignment}`
      : '';
  return `${align} ${vertical}`.trim();
}
