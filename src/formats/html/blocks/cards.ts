import type { ElementContent } from 'hast';
import { lineText } from '../../document/text.js';
import { fragmentOf, imageOf, recordsOf, type Table } from '../../document/table.js';
import type { Block, CardsView, Node, TableRecord, TableValue } from '../../document/types.js';
import { ownEntry } from '../../document/own-entry.js';
import { classes, el, isEmpty, linkAttributes, textNode } from '../elements.js';
import { renderLine } from '../inlines.js';
import { picture } from '../pictures.js';
import type { LinkFacts, RenderContext } from '../render-context.js';
import { lineOf, onSideOf, sideOfRow } from '../diff/changed.js';
import { changeAttributes } from '../diff/diff-marks.js';
import { cellContent, titleContent } from './cells.js';

type Cards = Table & { data: { view: CardsView } };

/** Cards, each with one link that covers the whole card. */
export function renderCards(table: Cards, context: RenderContext): ElementContent[] {
  const inside = { ...context, isOutlined: false };
  const items = recordsOf(table).map((record) => card(table, record, inside));
  return items.length === 0
    ? []
    : [el('ul', { class: classes('cards', table.data.view.cardSize, table.data.fullWidth && 'wide') }, items)];
}

function card(table: Cards, record: TableRecord, around: RenderContext): ElementContent {
  const context = sideOfRow(record, around);
  const { view, definition } = table.data;
  const target = linkAttributes(targetOf(table, record, context), context);
  const columns = view.columns
    .flatMap((id) => ownEntry(definition, id) ?? [])
    .filter(({ id }) => id !== view.targetDefinition);
  let link: ElementContent | undefined;
  const fields = columns.map((column) => {
    const value = ownEntry(record.values, column.id);
    const line = target && !link ? onlyLine(table, value) : undefined;
    const linked =
      line && lineOf(line.block, renderLine(line.nodes, { ...onSideOf(line.block, context), isLinked: true }), context);
    if (target && linked && !isEmpty(linked)) link = el('a', { class: 'card-link', ...target }, linked);
    const content =
      linked && link
        ? [link]
        : cellContent(table, column, value, context, context.diff?.cells.get(record)?.get(column.id));
    if (isEmpty(content)) return [];
    const title = view.hideColumnTitle === false ? titleContent(table, column, context) : [];
    const isTitle = line !== undefined && isHeading(line.block);
    return [
      el(
        'div',
        {
          class: classes('card-field', isTitle && 'card-title'),
          id: isTitle ? context.anchors.get(line.block) : undefined,
        },
        isEmpty(title) ? [] : el('div', { class: 'card-label' }, title),
        content,
      ),
    ];
  });
  const cover = coverOf(view, record, context);
  // If no line of the card can be its link, an empty link covers the card.
  const cloak =
    target && !link
      ? [el('a', { class: 'card-link', ...target, ariaLabel: textNode(titleOf(table, record, context)).value })]
      : [];
  return el(
    'li',
    { class: classes('card', cover.length > 0 && 'covered'), ...changeAttributes(context.diff?.rows.get(record)) },
    cover,
    el('div', { class: 'card-fields' }, fields, cloak),
  );
}

/** The line of a cell that consists of one line without links. */
function onlyLine(table: Table, value: TableValue | undefined): { nodes: readonly Node[]; block: Block } | undefined {
  const nodes = typeof value === 'string' ? fragmentOf(table, value)?.nodes : undefined;
  const [only] = nodes ?? [];
  if (
    !only ||
    nodes?.length !== 1 ||
    !(only.type === 'paragraph' || isHeading(only)) ||
    lineText(only.nodes ?? []).trim() === ''
  )
    return undefined;
  const leads = (only.nodes ?? []).some(
    (node) => node.object === 'inline' && ['link', 'button', 'mention', 'annotation'].includes(node.type),
  );
  return leads ? undefined : { nodes: only.nodes ?? [], block: only };
}

function isHeading({ type }: Block): boolean {
  return type.startsWith('heading-');
}

function coverOf(view: CardsView, record: TableRecord, context: RenderContext): ElementContent[] {
  const light = imageOf(view.coverDefinition === undefined ? undefined : ownEntry(record.values, view.coverDefinition));
  const dark = imageOf(
    view.coverDefinitionDark === undefined ? undefined : ownEntry(record.values, view.coverDefinitionDark),
  );
  const shown = light ?? dark;
  if (!shown) return [];
  const pictures = picture(
    { ref: shown.ref, ...(light && dark && { refDark: dark.ref }) },
    {
      alt: shown.alt,
      classes: [shown.fit === 'contain' || shown.fit === 'fill' ? `fit-${shown.fit}` : undefined],
      room: 'card',
    },
    context,
  );
  return pictures.length === 0 ? [] : [el('div', { class: 'card-cover' }, pictures)];
}

/** The target of a card: from its target column, else its first reference. */
function targetOf({ data: { view } }: Cards, record: TableRecord, { resolver }: RenderContext): LinkFacts {
  const value = view.targetDefinition === undefined ? undefined : ownEntry(record.values, view.targetDefinition);
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'kind' in value
    ? resolver.link(value)
    : {};
}

function titleOf(table: Cards, record: TableRecord, context: RenderContext): string {
  for (const id of table.data.view.columns) {
    const value = ownEntry(record.values, id);
    const nodes = typeof value === 'string' ? (fragmentOf(table, value)?.nodes ?? []) : [];
    const text = nodes
      .map((block) => lineText((block.nodes ?? []).filter(({ object }) => object !== 'block')))
      .join(' ')
      .trim();
    if (text !== '') return text;
  }
  return targetOf(table, record, context).title ?? targetOf(table, record, context).href ?? '';
}
