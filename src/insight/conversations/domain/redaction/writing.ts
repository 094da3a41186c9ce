/** Letters of scripts without spaces, and of Korean, which joins endings to whatever stands before: numbers and addresses lie beside them without a space. */
export const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
/** A letter or digit that belongs to the same word as a number beside it. */
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
/** Telephones and keyboards write these in numbers; elsewhere they are something else. */
const HYPHEN_OF_NUMBER = /(?<=[\d)])[‐‑‒–−－ー](?=[\d(])/g;

/** A text with the digits, and what holds numbers together, as ASCII has them. A place in it is the same place in the text. */
export function inAscii(text: string): string {
  return text
    .replace(OTHER, (character) => DIGITS.get(character) ?? SIGNS.get(character) ?? character)
    .replace(HYPHEN_OF_NUMBER, '-');
}
