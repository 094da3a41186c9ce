import { recordsOf } from '../../../document/table.js';
import type { Block, CardsView, ContentRef, TableRecord } from '../../../document/types.js';
import { ownEntry } from '../../../document/own-entry.js';
import type { PdfLinkTarget } from '../canvas.js';
import { styled, type LayoutContext } from '../layout-context.js';
import { gap, sideBySide, type Strip } from '../strip.js';
import { GREY, LINK, PALE, SMALL_SIZE } from '../theme.js';
import { pictureStrips } from './media.js';
import { cellStrips } from './table.js';
import { wordStrips } from './text.js';

type Table = Block<'table'>;

const CARD_GAP = 10;
const PADDING = 9;
const NARROWEST_CARD = 120;

/** Cards side by side, two or three in a row. */
export function* layoutCards(
  table: Table & { data: { view: CardsView } },
  width: number,
  context: LayoutContext,
): Generator<Strip> {
  const wanted = table.data.view.cardSize === 'large' ? 2 : 3;
  const perRow = Math.max(1, Math.min(wanted, Math.floor((width + CARD_GAP) / (NARROWEST_CARD + CARD_GAP))));
  const own = (width - CARD_GAP * (perRow - 1)) / perRow;
  const records = recordsOf(table);
  for (let start = 0; start < records.length; start += perRow) {
    if (start > 0) yield gap(CARD_GAP);
    yield* sideBySide(
      records.slice(start, start + perRow).map((record, index) => ({
        x: index * (own + CARD_GAP),
        strips: cardStrips(table, record, own, context),
        behind: (canvas, x, y, height) => {
          canvas.frame(x, y, own, height, PALE);
          const target = targetOf(table, record, context);
          if (target) canvas.link(x, y, own, height, target);
        },
      })),
    );
  }
}

function* cardStrips(
  table: Table & { data: { view: CardsView } },
  record: TableRecord,
  width: number,
  context: LayoutContext,
): Generator<Strip> {
  const { view, definition } = table.data;
  const inner = width - 2 * PADDING;
  const small = styled(context, { size: Math.min(9.5, context.style.size) });
  yield gap(PADDING - 1);
  const cover = view.coverDefinition === undefined ? undefined : coverOf(record, view.coverDefinition);
  const picture = cover && context.resolver.picture(cover);
  if (picture) {
    yield* moved(pictureStrips(picture, { width: inner, align: 'center', highest: 90 }, small));
    yield gap(5);
  }
  for (const id of view.columns) {
    const column = ownEntry(definition, id);
    const value = ownEntry(record.values, id);
    if (!column || value === undefined || value === null || id === view.targetDefinition) continue;
    if (view.hideColumnTitle === false && column.title !== '')
      yield* moved(wordStrips(column.title, inner, small, { size: SMALL_SIZE - 0.5, color: GREY }));
    yield* moved(cellStrips(table, column, value, small)(inner));
    yield gap(2);
  }
  const target =
    view.targetDefinition === undefined ? undefined : refOf(ownEntry(record.values, view.targetDefinition));
  const reference = target && context.resolver.reference(target);
  if (reference?.target)
    yield* moved(
      wordStrips(`→ ${reference.title ?? ('url' in reference.target ? reference.target.url : '')}`, inner, small, {
        size: SMALL_SIZE,
        color: LINK,
      }),
    );
  yield gap(PADDING);
}

function* moved(strips: Iterable<Strip>): Generator<Strip> {
  for (const strip of strips) yield { ...strip, paint: (canvas, x, y) => strip.paint(canvas, x + PADDING, y) };
}

function coverOf(record: TableRecord, id: string): ContentRef | undefined {
  const value = ownEntry(record.values, id);
  if (Array.isArray(value)) return value[0] === undefined ? undefined : { kind: 'file', file: value[0] };
  return typeof value === 'object' && value !== null && 'ref' in value ? value.ref : refOf(value);
}

function refOf(value: unknown): ContentRef | undefined {
  return typeof value === 'object' && value !== null && 'kind' in value ? (value as ContentRef) : undefined;
}

function targetOf(
  table: Table & { data: { view: CardsView } },
  record: TableRecord,
  context: LayoutContext,
): PdfLinkTarget | undefined {
  const { targetDefinition } = table.data.view;
  const ref = targetDefinition === undefined ? undefined : refOf(ownEntry(record.values, targetDefinition));
  return ref && context.resolver.reference(ref).target;
}
