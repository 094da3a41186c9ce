import type { CardsView, GridView, TableDefinition, TableSelectOption } from '../document/types.js';
import type { Element, MarkupNode } from './nest-markup.js';
import { nodeText } from './node-text.js';

export interface Column {
  readonly header: Element | undefined;
  readonly definition: TableDefinition;
  /** Position in the source. */
  readonly at: number;
}

export function isHiddenColumn({ header }: Column): boolean {
  return header?.attributes.has('data-hidden') === true;
}

/** Tells whether a part of a head holds the options of its column: `<select><option value label color></select>`. */
export function isOptions(node: MarkupNode): node is Element {
  return node.kind === 'element' && node.name === 'select';
}

export function alignOf(cell: Element | undefined): 'left' | 'center' | 'right' | undefined {
  const value = cell?.attributes.get('align') ?? /text-align:\s*(\w+)/.exec(cell?.attributes.get('style') ?? '')?.[1];
  return value === 'left' || value === 'center' || value === 'right' ? value : undefined;
}

/** The type of a column, as its head tells it; a column of options needs no `data-type`. */
export function definitionOf(
  header: Element | undefined,
  bodyAlign: 'left' | 'center' | 'right' | undefined,
): TableDefinition {
  const base = { id: '', title: '' };
  const attributes = header?.attributes ?? new Map<string, string>();
  const multiple = attributes.has('data-multiple') && attributes.get('data-multiple') !== 'false';
  switch (attributes.get('data-type') ?? (header?.children.some(isOptions) === true ? 'select' : undefined)) {
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
      return { ...base, type: 'select', multiple, options: optionsOf(header) };
    default: {
      const valign = attributes.get('valign');
      const vertical =
        valign === 'top' || valign === 'middle' || valign === 'bottom' ? ({ verticalAlignment: valign } as const) : {};
      return { ...base, type: 'text', textAlignment: alignOf(header) ?? bodyAlign ?? 'left', ...vertical };
    }
  }
}

function optionsOf(header: Element | undefined): TableSelectOption[] {
  const written = header?.children.find(isOptions);
  if (written === undefined) return optionsOfJson(header?.attributes.get('data-options'));
  return written.children.flatMap((child) => {
    if (child.kind !== 'element' || child.name !== 'option') return [];
    const words = child.children.map(nodeText).join('').trim();
    const value = child.attributes.get('value') ?? words;
    return [
      { value, label: child.attributes.get('label') ?? (words || value), color: child.attributes.get('color') ?? '' },
    ];
  });
}

/** The options in the attribute `data-options`, which earlier versions wrote. */
function optionsOfJson(source: string | undefined): TableSelectOption[] {
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

export function tableView(node: Element, columns: readonly Column[], noHead: boolean): GridView | CardsView {
  const shown = columns.filter((column) => !isHiddenColumn(column)).map((column) => column.definition.id);
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
