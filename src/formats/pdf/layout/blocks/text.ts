import { blocksIn } from '../../../document/text.js';
import type { Block } from '../../../document/types.js';
import { linePieces } from '../line-pieces.js';
import { textStrips, type Alignment } from '../line-breaking.js';
import { styled, type BlockLayout, type LayoutContext } from '../layout-context.js';
import { decorated, gap, keptTogether, type Strip, type Strips } from '../strip.js';
import { ACCENT, GREY, INK, MIN_WIDTH, PALE } from '../theme.js';

const HEADING_SIZES: Readonly<Record<number, number>> = { 1: 16.5, 2: 13.5, 3: 11.5, 4: 10.5, 5: 10, 6: 10 };
const LIST_INDENT = 18;
const ITEM_GAP = 3;
const QUOTE_INDENT = 14;

/** The indentation of content, as long as enough width remains. */
export function indentOf(wanted: number, width: number): number {
  return width - wanted < MIN_WIDTH ? Math.max(0, Math.min(wanted, 4, width - 20)) : wanted;
}

/** Creates the target of links to a block. */
export function* blockDestination(block: Block, context: LayoutContext): Generator<Strip> {
  const name = context.places.get(block);
  if (name !== undefined) yield { height: 0, keep: true, paint: (canvas, _, y) => canvas.place(name, y - 4) };
}

export const layoutParagraph: BlockLayout<'paragraph'> = ({ nodes, data }, width, context) =>
  textStrips(linePieces(nodes ?? [], context), width, {
    size: context.style.size,
    ...(data.align && { align: data.align }),
  });

type HeadingBlock = Block<'heading-1'> | Block<'heading-2'> | Block<'heading-3'>;

export function* layoutHeading(block: HeadingBlock, width: number, context: LayoutContext): Generator<Strip> {
  const level = block.data.level ?? Number(block.type.slice(-1));
  const size = Math.max(HEADING_SIZES[level] ?? 10, context.style.size);
  const style = { face: 'sans-bold', size, color: level >= 6 ? GREY : INK } as const;
  yield* blockDestination(block, context);
  yield* keptTogether(
    textStrips(linePieces(block.nodes ?? [], styled(context, style)), width, {
      size,
      leading: 1.3,
      ...(block.data.align && { align: block.data.align }),
    }),
  );
}

export const layoutDivider: BlockLayout<'divider'> = (_, width) => [
  { height: 9, paint: (canvas, x, y) => canvas.line(x, y + 4.5, x + width, y + 4.5, PALE) },
];

export const layoutBlockquote: BlockLayout<'blockquote'> = ({ nodes }, width, context) => {
  const indent = indentOf(QUOTE_INDENT, width);
  const quoted = context.blocks(blocksIn(nodes), width - indent, styled(context, { color: GREY }));
  return decorated(quoted, indent, (canvas, x, y, { height }) => canvas.fill(x, y - 0.2, 2.5, height + 0.4, PALE));
};

type ListBlock = Block<'list-ordered'> | Block<'list-unordered'> | Block<'list-tasks'>;

/** The nesting depth of lists determines their bullets. */
export function* layoutList(block: ListBlock, width: number, context: LayoutContext): Generator<Strip> {
  const indent = indentOf(LIST_INDENT, width);
  const start = block.type === 'list-ordered' ? (block.data.start ?? 1) : 1;
  let number = start;
  for (const item of blocksIn(block.nodes)) {
    if (number > start) yield gap(ITEM_GAP);
    yield* listItem(block, item, number, { indent, width, context });
    number++;
  }
}

function listItem(
  block: ListBlock,
  item: Block,
  number: number,
  { indent, width, context }: { indent: number; width: number; context: LayoutContext },
): Strips {
  const { size } = context.style;
  const isChecked = item.type === 'list-item' && item.data.checked === true;
  const content = context.blocks(
    blocksIn(item.nodes),
    width - indent,
    isChecked ? styled(context, { color: GREY }) : context,
  );
  return decorated(orEmptyLine(content, size), indent, (canvas, x, y, { baseline = size }, isFirst) => {
    if (!isFirst) return;
    if (block.type === 'list-ordered') {
      const text = `${number}.`;
      canvas.text(
        { text, face: 'sans', size, color: GREY },
        x + Math.max(0, indent - 5 - text.length * size * 0.52),
        y + baseline,
      );
    } else if (block.type === 'list-tasks') paintTask(canvas, x + 1, y + baseline - size * 0.82, size * 0.9, isChecked);
    else canvas.disc(x + indent - 9, y + baseline - size * 0.32, 1.7, GREY);
  });
}

function paintTask(
  canvas: Parameters<Strip['paint']>[0],
  x: number,
  y: number,
  side: number,
  isChecked: boolean,
): void {
  if (isChecked) canvas.fill(x, y, side, side, ACCENT);
  else canvas.frame(x, y, side, side, GREY);
  if (!isChecked) return;
  canvas.line(x + side * 0.22, y + side * 0.52, x + side * 0.42, y + side * 0.74, '#ffffff', 1.1);
  canvas.line(x + side * 0.42, y + side * 0.74, x + side * 0.8, y + side * 0.28, '#ffffff', 1.1);
}

/** An item without content still has its bullet. */
export function* orEmptyLine(strips: Strips, size: number): Generator<Strip> {
  let isEmpty = true;
  for (const strip of strips) {
    isEmpty = false;
    yield strip;
  }
  if (isEmpty) yield { height: size * 1.5, baseline: size * 1.1, paint: () => undefined };
}

export const layoutMath: BlockLayout<'math'> = ({ data }, width, context) =>
  textStrips([{ text: data.formula.trim(), style: { ...context.style, face: 'sans-italic' } }], width, {
    size: context.style.size,
    align: 'center',
  });

/** One line of words in a style of its own. */
export function wordStrips(
  text: string,
  width: number,
  context: LayoutContext,
  style: Partial<LayoutContext['style']> = {},
  align: Alignment = 'start',
): Strips {
  const whole = { ...context.style, ...style };
  return text === '' ? [] : textStrips([{ text, style: whole }], width, { size: whole.size, align });
}
