import { CARD_SIZE, type Card, type CardColors, type CardPicture } from './card.js';
import { canBeLettered, lineWidth, linesOf, outlineOfLine, type Lettering } from './lettering.js';

const MARGIN = 80;
const WIDTH = CARD_SIZE.width - 2 * MARGIN;
const BAR = 14;
/** Longer texts are cut before they are measured: no card has room for more. */
const MOST_CHARACTERS = 500;

/** The sizes of titles, of which the first counts with which a title fits into so many lines, else the last. */
const TITLES: readonly (Lettering & { readonly most: number })[] = [
  { face: 'sans-bold', size: 76, most: 2 },
  { face: 'sans-bold', size: 64, most: 3 },
  { face: 'sans-bold', size: 52, most: 3 },
];
const TITLE_LEADING = 1.18;
const TRAIL: Lettering = { face: 'sans-bold', size: 26 };
const DESCRIPTION: Lettering = { face: 'sans', size: 32 };
const DESCRIPTION_LEADING = 1.4;
const SITE: Lettering = { face: 'sans-bold', size: 34 };
const LETTER: Lettering = { face: 'sans-bold', size: 36 };
const EMOJI: Lettering = { face: 'sans', size: 52 };

/** The brand: its height, the widest logo, and the distance of an icon from the name. */
const BRAND = { height: 64, logoWidth: 640, gap: 20 } as const;
const BRAND_TOP = 72;
/** The base line of the last line of text. */
const LAST_LINE = 536;

/**
 * A card as SVG, with all letters as outlines. A text in a script for which there is no font is left out: nothing is
 * better than boxes.
 */
export function cardMarkup(card: Card): string {
  const { colors } = card;
  const words = wordsOf(card);
  const { width, height } = CARD_SIZE;
  const top = words === '' ? (height - BAR - BRAND.height) / 2 : BRAND_TOP;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="ground" x2="1" y2="1"><stop offset=".35" stop-color="${colors.ground}"/><stop offset="1" stop-color="${colors.tint}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#ground)"/>${brandOf(card, top)}${words}<rect y="${height - BAR}" width="${width}" height="${BAR}" fill="${colors.accent}"/></svg>`;
}

/** The way to the page, its title and description, from the bottom up. */
function wordsOf({ title, description, trail, colors }: Card): string {
  const [titleSize] = TITLES;
  const heading = title.slice(0, MOST_CHARACTERS);
  if (heading.trim() === '' || !titleSize || !canBeLettered(heading, titleSize)) return '';
  const tried = TITLES.map((style) => ({ style, ...linesOf(heading, style, { width: WIDTH, most: style.most }) }));
  const set = tried.find(({ isWhole }) => isWhole) ?? tried.at(-1);
  if (!set) return '';
  const { lines: below } = legible(description, DESCRIPTION, set.lines.length > 2 ? 2 : 3);
  const { lines: above } = legible(trail, TRAIL, 1);
  let y = LAST_LINE;
  const column = (lines: readonly string[], style: Lettering, leading: number, color: string): string =>
    lines
      .toReversed()
      .map((line) => {
        const drawn = text(line, style, MARGIN, y, color);
        y -= style.size * leading;
        return drawn;
      })
      .join('');
  const described = column(below, DESCRIPTION, DESCRIPTION_LEADING, colors.muted);
  if (below.length > 0) y -= 20;
  const titled = column(set.lines, set.style, TITLE_LEADING, colors.text);
  y -= 8;
  return `${described}${titled}${column(above, TRAIL, 1, colors.label)}`;
}

function legible(given: string, style: Lettering, most: number): { readonly lines: readonly string[] } {
  const shown = given.slice(0, MOST_CHARACTERS);
  return canBeLettered(shown, style) ? linesOf(shown, style, { width: WIDTH, most }) : { lines: [] };
}

/** The logo of a site, or its icon and name. */
function brandOf({ site, logo, icon, colors }: Card, top: number): string {
  if (logo) {
    const scale = Math.min(BRAND.height / logo.height, BRAND.logoWidth / logo.width);
    const [width, height] = [logo.width * scale, logo.height * scale];
    return picture(logo, MARGIN, top + (BRAND.height - height) / 2, width, height);
  }
  const shown = site.slice(0, MOST_CHARACTERS);
  const isLegible = canBeLettered(shown, SITE);
  const left = MARGIN + BRAND.height + BRAND.gap;
  const { lines } = isLegible
    ? linesOf(shown, SITE, { width: CARD_SIZE.width - MARGIN - left, most: 1 })
    : { lines: [] };
  const name = lines.map((line) => text(line, SITE, left, top + 44, colors.text)).join('');
  return `${iconOf(icon, isLegible ? shown : '', colors, top)}${name}`;
}

function iconOf(icon: Card['icon'], site: string, colors: CardColors, top: number): string {
  const side = BRAND.height;
  if (typeof icon === 'object') {
    const scale = Math.min(side / icon.height, side / icon.width);
    const [width, height] = [icon.width * scale, icon.height * scale];
    return picture(icon, MARGIN + (side - width) / 2, top + (side - height) / 2, width, height);
  }
  if (icon !== undefined) return text(icon, EMOJI, MARGIN, top + 51, colors.label);
  const letter = [...site.trim()][0]?.toLocaleUpperCase() ?? '';
  const box = `<rect x="${MARGIN}" y="${top}" width="${side}" height="${side}" rx="14" fill="${colors.accent}"/>`;
  return box + text(letter, LETTER, MARGIN + (side - lineWidth(letter, LETTER)) / 2, top + 45, colors.onAccent);
}

function picture({ type, bytes }: CardPicture, x: number, y: number, width: number, height: number): string {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" href="data:${type};base64,${data}"/>`;
}

function text(line: string, style: Lettering, x: number, y: number, color: string): string {
  return `<path d="${outlineOfLine(line, style, x, y)}" fill="${color}"/>`;
}
