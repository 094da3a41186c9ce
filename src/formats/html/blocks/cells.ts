import type { ElementContent } from 'hast';
import { fragmentOf, imageOf, namesOf, starsOf, type Table } from '../../document/table.js';
import type { Block, ContentRef, TableDefinition, TableValue } from '../../document/types.js';
import { onSide, changedWords } from '../diff/changed.js';
import type { CellMark } from '../diff/diff-marks.js';
import { classes, el, isEmpty, linkAttributes, textNode } from '../elements.js';
import { iconElement } from '../icons.js';
import { picture } from '../pictures.js';
import type { RenderContext } from '../render-context.js';
import { tight } from './text.js';

const OPTION_COLORS: ReadonlySet<string> = new Set([
  'blue',
  'green',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
]);

/** The content of a table cell, or of the corresponding part of a card. */
export function cellContent(
  table: Table,
  column: TableDefinition,
  value: TableValue | undefined,
  context: RenderContext,
  changed?: CellMark,
): ElementContent[] {
  if (changed)
    return [
      ...changedWords('deleted', cellContent(table, column, changed.before, onSide('before', context))),
      ...changedWords('inserted', cellContent(table, column, changed.after, context)),
    ];
  context.progress.left--;
  if (value === undefined || value === null) return [];
  switch (column.type) {
    case 'text': {
      const fragment = typeof value === 'string' ? fragmentOf(table, value) : undefined;
      if (!fragment) return typeof value === 'string' && value !== '' ? [textNode(value)] : [];
      return fragment.nodes.length === 1 && fragment.nodes[0]?.type === 'paragraph'
        ? tight(fragment.nodes, context)
        : context.blocks(fragment.nodes, context);
    }
    case 'checkbox':
      return [
        el('input', {
          type: 'checkbox',
          disabled: true,
          checked: value === true,
          ariaLabel: value === true ? context.labels.yes : context.labels.no,
        }),
      ];
    case 'rating':
      return rating(value, column.max, context);
    case 'select':
      return namesOf(value).flatMap((name, index) => [
        ...(index > 0 ? [textNode(' ')] : []),
        option(column.options.find((each) => each.value === name) ?? { label: name, color: '' }),
      ]);
    case 'files':
      return listed(namesOf(value).flatMap((id) => fileCell({ kind: 'file', file: id }, context)));
    case 'users':
      return listed(namesOf(value).flatMap((id) => reference({ kind: 'user', user: id }, context)));
    case 'content-ref':
      return typeof value === 'object' && 'kind' in value ? reference(value, context) : [];
    case 'image': {
      const shown = imageOf(value);
      return shown
        ? picture({ ref: shown.ref }, { alt: shown.alt, classes: ['cell-image'], room: 'card' }, context)
        : [];
    }
    default:
      return typeof value === 'object' ? [] : [textNode(String(value))];
  }
}

/** The block of a cell that is one line, which has no element of its own. */
export function cellBlock(table: Table, column: TableDefinition, value: TableValue | undefined): Block | undefined {
  const nodes = column.type === 'text' && typeof value === 'string' ? fragmentOf(table, value)?.nodes : undefined;
  return nodes?.length === 1 && nodes[0]?.type === 'paragraph' ? nodes[0] : undefined;
}

function rating(value: TableValue, max: number, { labels }: RenderContext): ElementContent[] {
  const [given, most] = starsOf(value, max);
  return [
    el(
      'span',
      { class: 'rating', role: 'img', ariaLabel: `${given} ${labels.ratingOf} ${most}` },
      '★'.repeat(given) + '☆'.repeat(most - given),
    ),
  ];
}

function option({ label, color }: { label: string; color: string }): ElementContent {
  return el('span', { class: classes('option', OPTION_COLORS.has(color) && `ground-${color}`) }, textNode(label));
}

/** Items below each other. */
function listed(items: ElementContent[]): ElementContent[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [el('br', {}), item]));
}

function fileCell(ref: Extract<ContentRef, { kind: 'file' }>, context: RenderContext): ElementContent[] {
  const facts = context.resolver.file(ref);
  if (!facts) return [];
  const attributes = linkAttributes({ href: facts.href }, context);
  const content = [iconElement('file', context.resolver.iconStyle), textNode(facts.name)];
  return [attributes ? el('a', attributes, content) : el('span', {}, content)];
}

/** A reference as a link with its title. */
function reference(ref: ContentRef, context: RenderContext): ElementContent[] {
  const facts = context.resolver.link(ref);
  const title = facts.title ?? (ref.kind === 'url' ? ref.url : facts.href);
  if (title === undefined || title === '') return [];
  const attributes = linkAttributes(facts, context);
  return [attributes ? el('a', attributes, textNode(title)) : el('span', {}, textNode(title))];
}

/** The title of a column, which may be more than plain text. */
export function titleContent(table: Table, column: TableDefinition, context: RenderContext): ElementContent[] {
  const titled = fragmentOf(table, `title:${column.id}`);
  const content = titled
    ? titled.nodes.length === 1 && titled.nodes[0]?.type === 'paragraph'
      ? tight(titled.nodes, context)
      : context.blocks(titled.nodes, context)
    : [];
  return isEmpty(content) && column.title !== '' && !titled ? [textNode(column.title)] : content;
}
