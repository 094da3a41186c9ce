import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';
import { LRUCache } from 'lru-cache';
import { trueTypeOf } from './woff2.js';

/** Maximum number of open fonts; each takes a few hundred kilobytes. */
const OPEN_FONTS = 24;

const require = createRequire(import.meta.url);

/** A font of a package that is split into slices, each with some of its characters. */
export interface SlicedFont {
  readonly package: string;
  /** The part of the file names after the name of the slice. */
  readonly suffix: string;
  readonly weight?: number;
  /** The only slice, if its file has more characters than its package declares. */
  readonly only?: string;
}

interface Slice {
  readonly file: string;
  readonly ranges: readonly (readonly [number, number])[];
}

const EVERYTHING = [[0, 0x10ffff]] as const;
const slices = new Map<string, Slice[]>();
const open = new LRUCache<string, Font>({ max: OPEN_FONTS });

/** Opens the font of a slice that has a character; undefined if no slice has it. */
export function fontWith(font: SlicedFont, codePoint: number): Font | undefined {
  for (const slice of slicesOf(font)) {
    if (!slice.ranges.some(([first, last]) => codePoint >= first && codePoint <= last)) continue;
    const found = openFont(slice.file, font.weight);
    if (found.hasGlyphForCodePoint(codePoint)) return found;
  }
  return undefined;
}

function slicesOf({ package: name, suffix, only }: SlicedFont): Slice[] {
  const key = `${name} ${suffix}`;
  const known = slices.get(key);
  if (known) return known;
  const folder = dirname(require.resolve(`${name}/unicode.json`));
  const file = (slice: string): string =>
    join(folder, 'files', `${name.slice(name.indexOf('/') + 1)}-${slice.replace(/[[\]]/g, '')}-${suffix}.woff2`);
  const made =
    only === undefined
      ? Object.entries(JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>).map(
          ([slice, text]) => ({ file: file(slice), ranges: rangesOf(text) }),
        )
      : [{ file: file(only), ranges: EVERYTHING }];
  slices.set(key, made);
  return made;
}

/** `U+2500-257F,U+25A0` and the like. */
function rangesOf(text: string): [number, number][] {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.trim().slice(2).split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });
}

function openFont(file: string, weight: number | undefined): Font {
  const key = `${file} ${weight ?? ''}`;
  const known = open.get(key);
  if (known) return known;
  const made = create(trueTypeOf(readFileSync(file)));
  if (made.type !== 'TTF') throw new Error(`${file} is not a font`);
  const font = weight === undefined ? made : made.getVariation({ wght: weight });
  open.set(key, font);
  return font;
}
