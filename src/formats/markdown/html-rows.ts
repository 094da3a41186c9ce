import type { Element, MarkupNode } from './nest-markup.js';
import { nodeText } from './node-text.js';
import { placeCells, spanOf, type SpanningCell } from './place-cells.js';

/** The cells of an HTML table. Each place of a row has its cell, and none where a merged cell reaches. */
export interface HtmlRows {
  readonly head: (Element | undefined)[] | undefined;
  readonly body: (Element | undefined)[][];
  /** Content beside the cells: the caption, comments, text between rows. */
  readonly others: MarkupNode[];
  /** Messages about the parts of the table that have no place in a document. */
  readonly losses: ReadonlySet<string>;
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
const CELL_ATTRIBUTES = ['align', 'valign', 'style', 'data-object-fit'];
const HEADER_ATTRIBUTES = [
  ...CELL_ATTRIBUTES,
  'width',
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
const SPANS = ['colspan', 'rowspan'];

/** Undefined if a tag stands between the rows: a condition must go on to hold for what is within. */
export function htmlRows(table: Element): HtmlRows | undefined {
  const reading = new RowReading();
  reading.attributes(table, TABLE_ATTRIBUTES);
  return reading.inside(table.children, false) ? reading.finish() : undefined;
}

class RowReading {
  private readonly others: MarkupNode[] = [];
  private readonly losses = new Set<string>();
  private readonly rows: SpanningCell<Element>[][] = [];
  private hasHead = false;

  attributes({ name, attributes }: Element, known: readonly string[]): void {
    for (const [attribute, value] of attributes) {
      if (SPANS.includes(attribute) && known !== TABLE_ATTRIBUTES) {
        if (spanOf(value) > 1) this.losses.add('the merged cells of a table are read as cells of their own');
      } else if (!known.includes(attribute) || (attribute === 'style' && !ALIGNS.test(value)))
        this.losses.add(`the attribute ${attribute} of <${name}> is left out`);
    }
  }

  /** False if the table cannot be read. */
  inside(children: readonly MarkupNode[], isHead: boolean): boolean {
    return children.every((child) => {
      if (child.kind === 'tag') return false;
      if (child.kind !== 'element') {
        if (nodeText(child).trim() !== '' || child.kind !== 'text') this.others.push(child);
        return true;
      }
      switch (child.name) {
        case 'thead':
        case 'tbody':
        case 'tfoot':
          this.attributes(child, []);
          return this.inside(child.children, child.name === 'thead');
        case 'tr':
          return this.row(child, isHead);
        case 'caption':
          this.others.push(...child.children);
          return true;
        case 'colgroup':
        case 'col':
          this.losses.add('the <col> of a table is left out');
          return true;
        default:
          this.others.push(child);
          return true;
      }
    });
  }

  finish(): HtmlRows {
    const placed = placeCells(this.rows);
    const { others, losses } = this;
    return this.hasHead
      ? { head: placed[0], body: placed.slice(1), others, losses }
      : { head: undefined, body: placed, others, losses };
  }

  private row(row: Element, isHead: boolean): boolean {
    this.attributes(row, []);
    const cells: SpanningCell<Element>[] = [];
    for (const child of row.children) {
      if (child.kind === 'tag') return false;
      if (child.kind !== 'element' || (child.name !== 'td' && child.name !== 'th')) {
        if (child.kind !== 'text' || child.value.trim() !== '') this.others.push(child);
        continue;
      }
      this.attributes(child, child.name === 'th' ? HEADER_ATTRIBUTES : CELL_ATTRIBUTES);
      const { attributes } = child;
      cells.push({ cell: child, columns: spanOf(attributes.get('colspan')), rows: spanOf(attributes.get('rowspan')) });
    }
    if (this.rows.length === 0)
      this.hasHead = isHead || (cells.length > 0 && cells.every(({ cell }) => cell.name === 'th'));
    this.rows.push(cells);
    return true;
  }
}

/** A style that says no more than the alignment of a cell. */
const ALIGNS = /^text-align:\s*(left|center|right);?$/;
