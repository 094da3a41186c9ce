import { fragmentOf, imageOf, namesOf, recordsOf, starsOf, type Table } from '../../../document/table.js';
import { lineText } from '../../../document/text.js';
import type { Block, ContentRef, GridView, TableDefinition, TableRecord, TableValue } from '../../../document/types.js';
import { ownEntry } from '../../../document/own-entry.js';
import { widthOf } from '../../fonts/glyphs.js';
import { styled, type LayoutContext } from '../layout-context.js';
import { decorated, sideBySide, type StripColumn, type Strip, type Strips } from '../strip.js';
import { GREY, PALE, SHADE } from '../theme.js';
import { pictureStrips } from './media.js';
import { wordStrips } from './text.js';

const PADDING = 5;
const NARROWEST_COLUMN = 34;
/** Number of rows that determine the widths of columns. */
const SAMPLE = 60;
const TABLE_SIZE = 9;

/**
 * A table of rows and columns, whose header is repeated on every sheet; as a list of its rows if it has too many
 * columns.
 */
export function* layoutGrid(
  table: Table & { data: { view: GridView } },
  width: number,
  context: LayoutContext,
): Generator<Strip> {
  const { view, definition } = table.data;
  const definitions = view.columns.flatMap((id) => ownEntry(definition, id) ?? []);
  const records = recordsOf(table);
  const small = styled(context, {
    size: Math.min(context.style.size, definitions.length > 6 ? TABLE_SIZE - 1.5 : TABLE_SIZE),
  });
  if (definitions.length === 0) return;
  if (definitions.length * NARROWEST_COLUMN > width) {
    yield* asList(table, definitions, records, width, small);
    return;
  }
  const widths = columnWidths(table, view, definitions, records, width);
  const isHeadless =
    view.hideHeader ||
    definitions.every(({ id, title }) => title === '' && fragmentOf(table, `title:${id}`) === undefined);
  const heading = isHeadless ? undefined : headingOf(table, definitions, widths, width, small);
  if (heading) yield { ...heading, keep: true };
  for (const record of records)
    yield* row(
      definitions.map((column) => cellStrips(table, column, ownEntry(record.values, column.id), small)),
      widths,
      width,
      heading,
    );
}

type Cell = (width: number) => Strips;

function* row(
  cells: readonly Cell[],
  widths: readonly number[],
  width: number,
  heading: Strip | undefined,
  ground?: string,
): Generator<Strip> {
  let left = 0;
  const columns = cells.map((cell, index): StripColumn => {
    const own = widths[index] ?? NARROWEST_COLUMN;
    const column = { x: left + PADDING, strips: padded(cell(own - 2 * PADDING)) };
    left += own;
    return column;
  });
  for (const strip of sideBySide(columns, heading)) {
    yield {
      ...strip,
      paint: (canvas, x, y) => {
        if (ground !== undefined) canvas.fill(x, y, width, strip.height, ground);
        let edge = x;
        for (const own of [0, ...widths]) {
          edge += own;
          canvas.line(edge, y, edge, y + strip.height, PALE, 0.5);
        }
        canvas.line(x, y, x + width, y, PALE, 0.5);
        canvas.line(x, y + strip.height, x + width, y + strip.height, PALE, 0.5);
        return strip.paint(canvas, x, y);
      },
    };
  }
}

function* padded(strips: Strips): Generator<Strip> {
  yield { height: PADDING - 1, paint: () => undefined };
  yield* strips;
  yield { height: PADDING - 2, paint: () => undefined };
}

/** The header as one strip; undefined if it is too high to be repeated on every sheet. */
function headingOf(
  table: Table,
  definitions: readonly TableDefinition[],
  widths: readonly number[],
  width: number,
  context: LayoutContext,
): Strip | undefined {
  const bold = styled(context, { face: 'sans-bold' });
  const cells = definitions.map(({ id, title }): Cell => (own) => {
    const titled = fragmentOf(table, `title:${id}`);
    return titled ? bold.blocks(titled.nodes, own, bold) : wordStrips(title, own, bold);
  });
  const strips = [...row(cells, widths, width, undefined, SHADE)];
  return strips.length === 1 ? strips[0] : undefined;
}

/** The content of a table cell, or of the corresponding part of a card. */
export function cellStrips(
  table: Table,
  column: TableDefinition,
  value: TableValue | undefined,
  context: LayoutContext,
): Cell {
  const words =
    (text: string): Cell =>
    (width) =>
      wordStrips(text, width, context);
  if (value === undefined || value === null) return () => [];
  switch (column.type) {
    case 'text': {
      const fragment = typeof value === 'string' ? fragmentOf(table, value) : undefined;
      if (!fragment) return words(typeof value === 'string' ? value : '');
      const align = column.textAlignment === 'right' ? 'end' : column.textAlignment === 'center' ? 'center' : undefined;
      const nodes =
        align === undefined
          ? fragment.nodes
          : fragment.nodes.map((node) =>
              node.type === 'paragraph' ? { ...node, data: { align, ...node.data } } : node,
            );
      return (width) => context.blocks(nodes as readonly Block[], width, context);
    }
    case 'checkbox':
      return words(value === true ? '☑' : '☐');
    case 'rating': {
      const [given, most] = starsOf(value, column.max);
      return words('★'.repeat(given).padEnd(most, '☆'));
    }
    case 'select':
      return words(
        namesOf(value)
          .map((name) => column.options.find((option) => option.value === name)?.label ?? name)
          .join(', '),
      );
    case 'files':
      return referencesOf(
        namesOf(value).map((id) => ({ kind: 'file', file: id })),
        context,
      );
    case 'users':
      return referencesOf(
        namesOf(value).map((id) => ({ kind: 'user', user: id })),
        context,
      );
    case 'content-ref':
      return typeof value === 'object' && 'kind' in value ? referencesOf([value], context) : () => [];
    case 'image': {
      const ref = imageOf(value)?.ref;
      const picture = ref && context.resolver.picture(ref);
      if (picture) return (width) => pictureStrips(picture, { width, align: 'left', highest: 140 }, context);
      return ref ? referencesOf([ref], context) : () => [];
    }
    default:
      return words(typeof value === 'object' ? '' : String(value));
  }
}

function referencesOf(refs: readonly ContentRef[], context: LayoutContext): Cell {
  return function* (width) {
    for (const ref of refs) {
      const { title, target } = context.resolver.reference(ref);
      const text = title ?? (target && 'url' in target ? target.url : '');
      yield* wordStrips(text, width, context, target ? { link: target, color: '#2459c9' } : {});
    }
  };
}

/** The text of a cell, for measuring its width. */
function textOf(table: Table, value: TableValue | undefined): string {
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null
      ? 'some reference'
      : value === undefined || value === null
        ? ''
        : String(value);
  const nodes = fragmentOf(table, value)?.nodes;
  if (!nodes) return value;
  const lines = nodes.map((node) =>
    node.type === 'paragraph' || node.type.startsWith('heading')
      ? lineText(node.nodes ?? [])
      : node.type === 'table' || node.type === 'images'
        ? 'x'.repeat(30)
        : 'some words in blocks',
  );
  return lines.reduce((longest, line) => (line.length > longest.length ? line : longest), '');
}

/**
 * Widths between those of the longest word and of the longest line of each column; those that the table specifies count
 * as shares.
 */
function columnWidths(
  table: Table,
  view: GridView,
  definitions: readonly TableDefinition[],
  records: readonly TableRecord[],
  width: number,
): number[] {
  const sample = records.slice(0, SAMPLE);
  const measured = definitions.map(({ id, title, type }) => {
    const texts = [
      title,
      ...(type === 'rating' ? ['★★★★★★'] : []),
      ...sample.map((record) => textOf(table, ownEntry(record.values, id))),
    ].map((text) => text.slice(0, 400));
    const least = Math.max(
      NARROWEST_COLUMN,
      ...texts.map(
        (text) =>
          widthOf(
            'sans-bold',
            text.split(/\s+/).reduce((longest, word) => (word.length > longest.length ? word : longest), ''),
            TABLE_SIZE,
          ) +
          2 * PADDING +
          2,
      ),
    );
    const natural = Math.max(
      NARROWEST_COLUMN,
      ...texts.map((text) => widthOf('sans-bold', text, TABLE_SIZE) + 2 * PADDING + 2),
    );
    return { least: Math.min(least, width / 2.5), natural: Math.min(natural, width * 1.2) };
  });
  const given = definitions.map(({ id }) => (view.columnWidths ? ownEntry(view.columnWidths, id) : undefined));
  if (given.every((each) => each !== undefined && each > 0))
    return scaled(
      given.map((each) => Math.max(each ?? 0, 1)),
      width,
    );
  const natural = sum(measured.map((each) => each.natural));
  const least = sum(measured.map((each) => each.least));
  if (natural <= width)
    return scaled(
      measured.map((each) => each.natural),
      width,
    );
  if (least >= width)
    return scaled(
      measured.map((each) => each.least),
      width,
    );
  return measured.map((each) => each.least + ((width - least) * (each.natural - each.least)) / (natural - least));
}

/** Shares of a width, each at least the minimum width of a column. */
function scaled(shares: readonly number[], width: number): number[] {
  const total = sum(shares) || 1;
  const widths = shares.map((share) => Math.max(NARROWEST_COLUMN, (share * width) / total));
  const surplus = sum(widths) - width;
  const room = sum(widths.map((each) => each - NARROWEST_COLUMN)) || 1;
  return widths.map((each) => each - (surplus * (each - NARROWEST_COLUMN)) / room);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Each row as a list of its cells, for tables that are wider than a sheet. */
function* asList(
  table: Table,
  definitions: readonly TableDefinition[],
  records: readonly TableRecord[],
  width: number,
  context: LayoutContext,
): Generator<Strip> {
  for (const record of records) {
    yield { height: 7, keep: true, paint: (canvas, x, y) => canvas.line(x, y + 3.5, x + width, y + 3.5, PALE) };
    for (const column of definitions) {
      const cell = cellStrips(table, column, ownEntry(record.values, column.id), context);
      yield* wordStrips(column.title, width, context, { face: 'sans-bold', color: GREY, size: context.style.size - 1 });
      yield* decorated(cell(width - 10), 10, () => undefined);
    }
  }
}
