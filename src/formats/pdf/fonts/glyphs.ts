import type { Font } from 'fontkit';
import { fontWith, type SlicedFont } from './slices.js';
import { encodeSimple, type OutlinePoint } from './woff2.js';

/** The faces for text; characters that a face lacks are taken from other fonts. */
export const FACES = ['sans', 'sans-bold', 'sans-italic', 'sans-bold-italic', 'mono', 'mono-bold'] as const;
export type FaceName = (typeof FACES)[number];

/** Units per em of all glyphs. */
export const EM = 1000;

export interface Glyph {
  /** In units of the em. */
  readonly advance: number;
  /** An outline of the TrueType table `glyf`; empty for white space. */
  readonly outline: Buffer;
}

const MONO_ADVANCE = 600;
const SPACE_ADVANCE = 260;
const BLANK = /[\p{Zs}\p{Cc}\p{Cf}\ufe00-\ufe0f]/u;
/** Box-drawing characters and blocks, which form pictures and have to touch each other. */
const isBoxDrawing = (codePoint: number): boolean => codePoint >= 0x2500 && codePoint <= 0x259f;
const isEmojiFirst = (codePoint: number): boolean => codePoint >= 0x1f000;

const SYMBOLS: SlicedFont = { package: '@fontsource/noto-sans-symbols-2', suffix: '400-normal' };
const MATH: SlicedFont = { package: '@fontsource/noto-sans-math', suffix: '400-normal', only: 'latin' };
const EMOJI: SlicedFont = { package: '@fontsource-variable/noto-emoji', suffix: 'wght-normal', weight: 400 };

/** The fonts of a face in the order in which they are searched for a character. */
function fontsOf(face: FaceName): SlicedFont[] {
  const weight = face.includes('bold') ? 700 : 400;
  const suffix = face.includes('italic') ? 'wght-italic' : 'wght-normal';
  const sans: SlicedFont = { package: '@fontsource-variable/noto-sans', suffix, weight };
  const mono: SlicedFont = { package: '@fontsource-variable/noto-sans-mono', suffix: 'wght-normal', weight };
  const eastern = ['sc', 'kr'].map((script): SlicedFont => ({
    package: `@fontsource-variable/noto-sans-${script}`,
    suffix: 'wght-normal',
    weight,
  }));
  return [...(face.startsWith('mono') ? [mono] : []), sans, MATH, SYMBOLS, ...eastern, EMOJI];
}

const fonts = new Map(FACES.map((face) => [face, fontsOf(face)]));
const glyphs = new Map(FACES.map((face) => [face, new Map<number, Glyph>()]));

/** The glyph of a character in a face; a box if no font has it. */
export function glyphOf(face: FaceName, codePoint: number): Glyph {
  const known = glyphs.get(face)?.get(codePoint);
  if (known) return known;
  const made = makeGlyph(face, codePoint);
  glyphs.get(face)?.set(codePoint, made);
  return made;
}

/** The width of a text on one line. */
export function widthOf(face: FaceName, text: string, size: number): number {
  const known = glyphs.get(face);
  let width = 0;
  for (let index = 0; index < text.length; index++) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index++;
    width += (known?.get(codePoint) ?? glyphOf(face, codePoint)).advance;
  }
  return (width * size) / EM;
}

/** The font from which a face takes a character; undefined if no font has it. */
export function fontOf(face: FaceName, codePoint: number): Font | undefined {
  const order = fonts.get(face) ?? [];
  return first(isEmojiFirst(codePoint) ? [EMOJI, ...order] : order, (each) => fontWith(each, codePoint));
}

function makeGlyph(face: FaceName, codePoint: number): Glyph {
  const font = fontOf(face, codePoint);
  const character = String.fromCodePoint(codePoint);
  if (!font) return missing(character);
  const glyph = font.glyphForCodePoint(codePoint);
  const scale = EM / font.unitsPerEm;
  const natural = glyph.advanceWidth * scale;
  const advance = face.startsWith('mono') && isBoxDrawing(codePoint) ? MONO_ADVANCE : natural;
  return {
    advance: Math.round(advance),
    outline: BLANK.test(character)
      ? Buffer.alloc(0)
      : outlineOf(glyph.path.commands, (scale * advance) / (natural || 1), scale),
  };
}

/** The substitute for a character that no font has: nothing for invisible characters, else a box. */
function missing(character: string): Glyph {
  if (/\p{Zs}/u.test(character)) return { advance: SPACE_ADVANCE, outline: Buffer.alloc(0) };
  return /[\p{Cc}\p{Cf}\p{Mn}\ufe00-\ufe0f]/u.test(character)
    ? { advance: 0, outline: Buffer.alloc(0) }
    : { advance: MONO_ADVANCE, outline: MISSING };
}

function first<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Command = ReturnType<Font['glyphForCodePoint']>['path']['commands'][number];

/** Converts lines and quadratic curves to an outline of TrueType. */
function outlineOf(commands: readonly Command[], scaleX: number, scaleY: number): Buffer {
  const ends: number[] = [];
  const points: OutlinePoint[] = [];
  let [x, y] = [0, 0];
  const add = (toX = 0, toY = 0, isOnCurve = true): void => {
    const [nextX, nextY] = [Math.round(toX * scaleX), Math.round(toY * scaleY)];
    points.push({ dx: nextX - x, dy: nextY - y, isOnCurve });
    [x, y] = [nextX, nextY];
  };
  for (const { command, args } of commands) {
    if (command === 'closePath') {
      if (points.length > (ends.at(-1) ?? -1) + 1) ends.push(points.length - 1);
    } else if (command === 'quadraticCurveTo') {
      add(args[0], args[1], false);
      add(args[2], args[3]);
    } else add(args[0], args[1]);
  }
  return ends.length === 0 ? Buffer.alloc(0) : encodeSimple(ends, points.slice(0, (ends.at(-1) ?? 0) + 1));
}

/** An upright box with a border. */
const MISSING = encodeSimple(
  [3, 7],
  [
    [60, 0],
    [480, 0],
    [0, 700],
    [-480, 0],
    [50, -650],
    [0, 600],
    [380, 0],
    [0, -600],
  ].map(([dx = 0, dy = 0]) => ({ dx, dy, isOnCurve: true })),
);
