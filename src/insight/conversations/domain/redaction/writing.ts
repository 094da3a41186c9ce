/**
 * Letters of unspaced scripts, and of Korean, which attaches endings: numbers and addresses are adjacent to them
 * without a space.
 */
export const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
/** A letter or digit that belongs to the same word as an adjacent number. */
export const OF_WORD = `(?![${UNSPACED}])[\\p{L}\\p{N}]`;

/** The zeros of full-width, Arabic, Persian, Devanagari, Bengali and Thai digits. */
const ZEROS = '０٠۰०০๐';
const DIGITS = new Map(
  [...ZEROS].flatMap((zero) =>
    Array.from({ length: 10 }, (_, digit): [string, string] => [
      String.fromCharCode(zero.charCodeAt(0) + digit),
      String(digit),
    ]),
  ),
);
const SIGNS = new Map([
  ['（', '('],
  ['）', ')'],
  ['＋', '+'],
  ['\u2007', ' '],
  ['\u2009', ' '],
  ['\u202f', ' '],
  ['\u3000', ' '],
]);
const OTHER = new RegExp(`[${[...DIGITS.keys(), ...SIGNS.keys()].join('')}]`, 'g');
/** Hyphens in numbers from telephones and keyboards; elsewhere they have another meaning. */
const HYPHEN_OF_NUMBER = /(?<=[\d)])[‐‑‒–−－ー](?=[\d(])/g;

/** Converts digits and number separators to ASCII. Positions are the same in both texts. */
export function inAscii(text: string): string {
  return text
    .replace(OTHER, (character) => DIGITS.get(character) ?? SIGNS.get(character) ?? character)
    .replace(HYPHEN_OF_NUMBER, '-');
}
