import { blocksIn, fragmentNamed } from '../../../document/text.js';
import type { Block, Node } from '../../../document/types.js';
import type { Canvas } from '../canvas.js';
import { linePieces } from '../line-pieces.js';
import { textStrips } from '../line-breaking.js';
import { styled, type BlockLayout, type LayoutContext } from '../layout-context.js';
import { decorated, gap, keptTogether, sideBySide, type Strip, type Strips } from '../strip.js';
import { ACCENT, BLOCK_GAP, GREY, HINTS, MIN_WIDTH, PALE, SHADE, SMALL_SIZE } from '../theme.js';
import { indentOf, orEmptyLine, blockDestination, wordStrips } from './text.js';

const PADDING = 9;
const COLUMN_GAP = 16;
const NARROWEST_COLUMN = 70;

/** Content on a background of its own, with space above and below. */
export function* onGround(
  strips: Strips,
  width: number,
  ground: string,
  indent = indentOf(PADDING, width),
): Generator<Strip> {
  const edge = (keep: boolean): Strip => ({
    height: PADDING * 0.7,
    keep,
    paint: (canvas, x, y) => canvas.fill(x, y, width, PADDING * 0.7 + 0.3, ground),
  });
  yield edge(true);
  yield* decorated(strips, indent, (canvas, x, y, { height }) => canvas.fill(x, y, width, height + 0.3, ground));
  yield edge(false);
}

export function* layoutHint({ data, nodes }: Block<'hint'>, width: number, context: LayoutContext): Generator<Strip> {
  const { edge, ground, sign } = HINTS[data.style];
  const indent = indentOf(24, width);
  const content = context.blocks(blocksIn(nodes), width - indent - PADDING, context);
  const marked = decorated(
    orEmptyLine(content, context.style.size),
    indent,
    (canvas, x, y, { baseline = 10 }, isFirst) => {
      if (!isFirst || indent < 20) return;
      canvas.disc(x + 12, y + baseline - 3.4, 5, edge);
      canvas.text(
        { text: sign, face: 'sans-bold', size: 7.5, color: '#ffffff' },
        x + (sign === '✓' ? 9 : 10.9),
        y + baseline - 0.7,
      );
    },
  );
  yield* onGround(marked, width, ground, 0);
}

/** Content with a line at its left edge. */
function behindLine(strips: Strips, indent: number, color: string): Strips {
  return decorated(strips, indent, (canvas, x, y, { height }) => canvas.fill(x + 3, y - 0.2, 1, height + 0.4, color));
}

export const condition: BlockLayout<'if'> = function* ({ data, nodes }, width, context) {
  const indent = indentOf(12, width);
  yield* behindLine(
    withTitle(
      wordStrips(`If ${data.expression}`, width - indent, context, { size: SMALL_SIZE, face: 'mono', color: GREY }),
      context.blocks(blocksIn(nodes), width - indent, context),
      2,
    ),
    indent,
    PALE,
  );
};

function* withTitle(title: Strips, content: Strips, space = 4): Generator<Strip> {
  yield* keptTogether(title);
  yield gap(space, true);
  yield* content;
}

export const layoutExpandable: BlockLayout<'expandable'> = function* (block, width, context) {
  const indent = indentOf(14, width);
  const titleNodes = fragmentNamed(block, 'expandable-title')?.nodes[0]?.nodes ?? [];
  const title = textStrips(linePieces(titleNodes, styled(context, { face: 'sans-bold' })), width - indent, {
    size: context.style.size,
  });
  const body = (block.fragments ?? [])
    .filter(({ fragment }) => fragment !== 'expandable-title')
    .flatMap(({ nodes }) => nodes);
  yield* blockDestination(block, context);
  yield* decorated(keptTogether(title), indent, (canvas, x, y, { baseline = 10 }, isFirst) => {
    if (isFirst) canvas.text({ text: '▾', face: 'sans', size: 9, color: GREY }, x + 1, y + baseline);
  });
  yield gap(4, true);
  yield* behindLine(context.blocks(body, width - indent, context), indent, PALE);
};

/** All tabs below each other, each under its title. */
export const layoutTabs: BlockLayout<'tabs'> = function* ({ nodes }, width, context) {
  let isFirst = true;
  for (const item of blocksIn(nodes)) {
    if (item.type !== 'tabs-item') continue;
    if (!isFirst) yield gap(BLOCK_GAP);
    isFirst = false;
    const indent = indentOf(12, width);
    yield* blockDestination(item, context);
    yield* tabTitle(item.data.title ?? '', width, context);
    yield* decorated(
      context.blocks(blocksIn(item.nodes), width - indent, context),
      indent,
      (canvas, x, y, { height }) => canvas.fill(x, y - 0.2, 1, height + 0.4, ACCENT),
    );
  }
};

function* tabTitle(title: string, width: number, context: LayoutContext): Generator<Strip> {
  if (title === '') return;
  const strips = wordStrips(title, width - 16, context, {
    face: 'sans-bold',
    size: context.style.size - 0.5,
    color: ACCENT,
  });
  yield* decorated(keptTogether(strips), 8, (canvas, x, y, { height }) => {
    canvas.fill(x, y, width, height + 0.3, SHADE);
    canvas.fill(x, y, 2, height + 0.3, ACCENT);
  });
  yield { height: 5, keep: true, paint: (canvas, x, y) => canvas.fill(x, y - 0.2, 1, 5.4, ACCENT) };
}

export const layoutStepper: BlockLayout<'stepper'> = function* ({ nodes }, width, context) {
  const indent = indentOf(28, width);
  const steps = blocksIn(nodes);
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const line = (canvas: Canvas, x: number, y: number, height: number): void => {
      if (!isLast) canvas.fill(x + 9, y - 0.2, 1, height + 0.4, PALE);
    };
    yield* decorated(
      orEmptyLine(context.blocks(blocksIn(step.nodes), width - indent, context), context.style.size),
      indent,
      (canvas, x, y, { height, baseline = 10 }, isFirst) => {
        line(canvas, x, isFirst ? y + baseline : y, isFirst ? height - baseline : height);
        if (isFirst) paintNumber(canvas, index + 1, x + 9.5, y + baseline - 3.6);
      },
    );
    if (!isLast) yield { ...gap(BLOCK_GAP + 2), paint: (canvas, x, y) => line(canvas, x, y, BLOCK_GAP + 2) };
  }
};

function paintNumber(canvas: Canvas, number: number, x: number, y: number): void {
  const text = String(number);
  canvas.disc(x, y, 8, ACCENT);
  canvas.text({ text, face: 'sans-bold', size: 8, color: '#ffffff' }, x - 2.3 * text.length, y + 2.9);
}

/** Columns side by side; below each other where they would become too narrow. */
export const layoutColumns: BlockLayout<'columns'> = ({ nodes }, width, context) => {
  const items = blocksIn(nodes).flatMap((node) => (node.type === 'column' ? [node] : []));
  const widths = columnWidths(items, width - COLUMN_GAP * (items.length - 1));
  if (items.length < 2 || Math.min(...widths) < NARROWEST_COLUMN)
    return context.blocks(
      items.flatMap((item) => blocksIn(item.nodes)),
      width,
      context,
    );
  let x = 0;
  return sideBySide(
    items.map((item, index) => {
      const own = widths[index] ?? MIN_WIDTH;
      const column = { x, strips: context.blocks(blocksIn(item.nodes), own, context) };
      x += own + COLUMN_GAP;
      return column;
    }),
  );
};

/** The column widths as requested, scaled to the available width. */
function columnWidths(items: readonly Block<'column'>[], width: number): number[] {
  const wanted = items.map(({ data: { width: given } }) => {
    const value =
      typeof given === 'number'
        ? given * 0.75
        : given === undefined
          ? 0
          : given.unit === '%'
            ? (given.value * width) / 100
            : given.value * 0.75;
    return Number.isFinite(value) && value > 0 ? Math.min(value, width) : undefined;
  });
  const given = wanted.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  const open = wanted.filter((each) => each === undefined).length;
  const share = open === 0 ? 0 : Math.max((width - given) / open, width / items.length / 2);
  const all = wanted.map((each) => each ?? share);
  const total = all.reduce((sum, each) => sum + each, 0) || 1;
  return all.map((each) => (each * width) / total);
}

export const layoutUpdates: BlockLayout<'updates'> = function* ({ nodes, data }, width, context) {
  let isFirst = true;
  for (const item of blocksIn(nodes)) {
    if (item.type !== 'update') continue;
    if (!isFirst) yield gap(BLOCK_GAP + 4);
    isFirst = false;
    const tags = (item.data.tags ?? []).flatMap(({ tag }) => (tag === '' ? [] : [tag]));
    yield* keptTogether(
      wordStrips([dateText(item.data.date, data.format), ...tags].join('  ·  '), width, context, {
        face: 'sans-bold',
        size: context.style.size - 1,
        color: GREY,
      }),
    );
    yield gap(4, true);
    yield* context.blocks(blocksIn(item.nodes), width, context);
  }
};

function dateText(date: string, format: 'numeric' | 'full' | 'short' | undefined): string {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return date;
  const month = format === 'numeric' ? 'numeric' : format === 'short' ? 'short' : 'long';
  return at.toLocaleDateString('en-GB', { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' });
}

export const layoutPrompt: BlockLayout<'prompt'> = ({ nodes, data }, width, context) =>
  onGround(
    withTitle(
      wordStrips(data.description, width - 2 * PADDING, context, { face: 'sans-bold' }),
      context.blocks(blocksIn(nodes), width - 2 * PADDING, context),
    ),
    width,
    SHADE,
  );

const MAX_REUSED = 8;
/**
 * Maximum number of reusable contents in one page: contents that include each other many times over would make pages
 * too long to read.
 */
const MOST_REUSED = 500;

/** The content of a reusable content in its place; a note if it is not of this space, or recursive. */
export const layoutReusable: BlockLayout<'reusable-content'> = function* ({ data }, width, context) {
  const found = context.resolver.reusable(data.ref);
  if (
    found &&
    !context.within.includes(found) &&
    context.within.length < MAX_REUSED &&
    context.reused.count < MOST_REUSED
  ) {
    context.reused.count++;
    yield* context.blocks(found.nodes, width, { ...context, within: [...context.within, found] });
  } else
    yield* wordStrips('Reusable content that is not part of this PDF', width, context, {
      color: GREY,
      face: 'sans-italic',
      size: SMALL_SIZE,
    });
};

/** Parts that only occur inside their own parents, which lay them out themselves. */
export const layoutPart = ({ nodes }: { nodes?: Node[] }, width: number, context: LayoutContext): Strips =>
  context.blocks(blocksIn(nodes), width, context);
