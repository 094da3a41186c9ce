import type { Canvas } from './canvas.js';

/** Paints at a position; coordinates are points from the upper left corner of the sheet. */
export type Paint = (canvas: Canvas, x: number, y: number) => void | Promise<void>;

/**
 * A unit of content that is not divided between sheets: a line of text, an image, a row of a table. Blocks are laid out
 * as sequences of strips, which are created lazily, so that no block is ever in memory as a whole.
 */
export interface Strip {
  readonly height: number;
  readonly paint: Paint;
  /** Must be on the same sheet as the next strip. */
  readonly keep?: boolean;
  /** Empty space, which is omitted at the beginning of a sheet. */
  readonly isGap?: boolean;
  /** Distance of the first baseline from the top. */
  readonly baseline?: number;
  /** A strip that is repeated above this one if it comes first on a sheet. */
  readonly heading?: Strip;
}

export type Strips = Iterable<Strip>;

const NOTHING: Paint = () => undefined;

export function gap(height: number, keep = false): Strip {
  return { height, paint: NOTHING, isGap: true, ...(keep && { keep }) };
}

/** Adds decoration to strips: `around` is called with the position and height of each before it is painted. */
export function* decorated(
  strips: Strips,
  indent: number,
  around: (canvas: Canvas, x: number, y: number, strip: Strip, isFirst: boolean) => void,
): Generator<Strip> {
  let isFirst = true;
  for (const strip of strips) {
    yield decorate(strip, indent, around, isFirst);
    isFirst &&= strip.isGap === true || strip.height === 0;
  }
}

function decorate(
  strip: Strip,
  indent: number,
  around: (canvas: Canvas, x: number, y: number, strip: Strip, isFirst: boolean) => void,
  isFirst: boolean,
): Strip {
  return {
    ...strip,
    paint: (canvas, x, y) => {
      around(canvas, x, y, strip, isFirst);
      return strip.paint(canvas, x + indent, y);
    },
    ...(strip.heading && { heading: decorate(strip.heading, indent, around, false) }),
  };
}

/** Strips moved to the right. */
export function indented(strips: Strips, indent: number): Strips {
  return indent === 0 ? strips : decorated(strips, indent, () => undefined);
}

/** Keeps the first line together with the rest, and returns the strips otherwise unchanged. */
export function* keptTogether(strips: Strips): Generator<Strip> {
  for (const strip of strips) yield { ...strip, keep: true };
}

/** A column beside others, at an offset, with its own strips. */
export interface StripColumn {
  readonly x: number;
  readonly strips: Strips;
  /** Paints behind the column, over the height of all columns. */
  readonly behind?: (canvas: Canvas, x: number, y: number, height: number) => void;
}

/** Maximum height at which adjacent columns are not divided. */
const UNDIVIDED = 220;

/** A column of which some strips have been taken. */
interface OpenColumn extends StripColumn {
  readonly rest: Iterator<Strip>;
  /** A strip that did not fit. */
  next?: Strip | undefined;
  isDone: boolean;
}

/** The next strips of a column up to a possible division, at least one unless it has none. */
function takeStrips(column: OpenColumn): Strip[] {
  const taken: Strip[] = [];
  let height = 0;
  for (;;) {
    const result = column.next ? { value: column.next } : column.rest.next();
    column.next = undefined;
    if (result.done === true) {
      column.isDone = true;
      return taken;
    }
    if (height > 0 && height + result.value.height > UNDIVIDED) {
      column.next = result.value;
      return taken;
    }
    taken.push(result.value);
    height += result.value.height;
  }
}

/**
 * Columns side by side, as strips of their common height. Those higher than `UNDIVIDED` are divided between the strips
 * of their columns, so that they can continue on the next sheet.
 */
export function* sideBySide(columns: readonly StripColumn[], heading?: Strip): Generator<Strip> {
  const open = columns.map((column): OpenColumn => ({
    ...column,
    rest: column.strips[Symbol.iterator](),
    isDone: false,
  }));
  for (;;) {
    let height = 0;
    let baseline: number | undefined;
    const parts: { x: number; strips: Strip[]; behind: StripColumn['behind'] }[] = [];
    for (const column of open) {
      const strips = takeStrips(column);
      baseline ??= strips.find((strip) => strip.baseline !== undefined)?.baseline;
      const own = strips.reduce((sum, strip) => sum + strip.height, 0);
      height = Math.max(height, own);
      parts.push({ x: column.x, strips, behind: column.behind });
    }
    const isEnd = open.every(({ isDone }) => isDone);
    if (parts.some(({ strips }) => strips.length > 0))
      yield {
        height,
        paint: paintSideBySide(parts, height),
        ...(heading && { heading }),
        ...(baseline !== undefined && { baseline }),
      };
    if (isEnd) return;
  }
}

function paintSideBySide(
  parts: readonly { x: number; strips: readonly Strip[]; behind: StripColumn['behind'] }[],
  height: number,
): Paint {
  return async (canvas, x, y) => {
    for (const part of parts) {
      part.behind?.(canvas, x + part.x, y, height);
      let top = y;
      for (const strip of part.strips) {
        await strip.paint(canvas, x + part.x, top);
        top += strip.height;
      }
    }
  };
}
