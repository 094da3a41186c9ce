import { fontOf, widthOf, type FaceName } from '../pdf/fonts/glyphs.js';
import { breakLines, settable } from '../pdf/layout/line-breaking.js';

/** The size and typeface of a text, in pixels. */
export interface Lettering {
  readonly face: FaceName;
  readonly size: number;
}

const ELLIPSIS = '…';
/**
 * Scripts that are written from left to right and whose characters keep their form wherever they stand: all others need
 * fonts and rules that are not here.
 */
const SCRIPTS =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]*$/u;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/** Tells whether a text can be shown as its readers write it: each of its letters and digits has a glyph. */
export function canBeLettered(text: string, { face }: Lettering): boolean {
  const shown = settable(text);
  return (
    SCRIPTS.test(shown) &&
    [...shown].every((character) => !WORD_CHARACTER.test(character) || fontOf(face, character.codePointAt(0) ?? 0))
  );
}

/** The width of a line of text in pixels. */
export function lineWidth(line: string, { face, size }: Lettering): number {
  return widthOf(face, line, size);
}

/** A text in lines of a width, at most so many; `isWhole` is false if the last one ends with an ellipsis instead. */
export function linesOf(
  text: string,
  style: Lettering,
  { width, most }: { readonly width: number; readonly most: number },
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const lines: string[] = [];
  const pieces = [{ text: text.replace(/\s+/g, ' ').trim(), style: { ...style, color: '' } }];
  for (const { segments } of breakLines(pieces, { width })) {
    if (lines.length === most) {
      const last = lines.pop();
      return { lines: last === undefined ? [] : [...lines, shortened(last, style, width)], isWhole: false };
    }
    lines.push(segments.map((segment) => ('text' in segment ? segment.text : '')).join(''));
  }
  return { lines: lines.filter((line) => line !== ''), isWhole: true };
}

/** A line with an ellipsis at its end, without as many characters as it takes the place of. */
function shortened(line: string, style: Lettering, width: number): string {
  const characters = [...line];
  const end = (): string => `${characters.join('').trimEnd()}${ELLIPSIS}`;
  while (characters.length > 0 && lineWidth(end(), style) > width) characters.pop();
  return end();
}

/** A line as the outline of its glyphs, in the path data of SVG; `x` and `y` are where its base line begins. */
export function outlineOfLine(line: string, { face, size }: Lettering, x: number, y: number): string {
  let left = x;
  let outline = '';
  for (const character of line) {
    const codePoint = character.codePointAt(0) ?? 0;
    const font = fontOf(face, codePoint);
    if (font && character.trim() !== '') {
      const scale = size / font.unitsPerEm;
      outline += font.glyphForCodePoint(codePoint).path.transform(scale, 0, 0, -scale, left, y).toSVG();
    }
    left += widthOf(face, character, size);
  }
  return outline;
}
