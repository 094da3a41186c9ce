/** Scripts without blanks between words: Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese. */
const JOINED =
  '\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u2E80-\\u2FDF\\u3005\\u3007\\u3040-\\u30FA\\u30FC-\\u318F\\u31A0-\\u31BF\\u31F0-\\u31FF\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uA960-\\uA97F\\uAC00-\\uD7FF\\uF900-\\uFAFF\\u{20000}-\\u{3FFFF}';
const JOINED_START = new RegExp(`^[${JOINED}]`, 'u');
const PIECES = new RegExp(`[${JOINED}]+|[^${JOINED}]+`, 'gu');

const MARKS =
  /(?:[\u0300-\u036F]|[\u0591-\u05BD]|\u05BF|\u05C1|\u05C2|\u05C4|\u05C5|\u05C7|\u0640|[\u064B-\u065F]|\u0670)+/g;
const OTHER_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
};
const OTHERS = new RegExp(`[${Object.keys(OTHER_LETTERS).join('')}]`, 'g');

/** Tells whether a text begins with a character of a script that is searched by character pairs. */
export function isUnspacedScript(text: string): boolean {
  return JOINED_START.test(text);
}

/** Splits a text where scripts that are searched by character pairs begin and end. */
export function splitByScript(text: string): string[] {
  return text.match(PIECES) ?? [];
}

/** Lower case without accents and vowel points, as the database compares words (`search_plain`). */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(OTHERS, (letter) => OTHER_LETTERS[letter] ?? letter);
}

/** The words of a text, lower case and without accents; characters of unspaced scripts stay together. */
export function foldedWords(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** The parts of an identifier such as `recordTransformer`, `fluent-plugin-s3` or `/v1/users`; the word itself if it is one. */
export function identifierParts(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((part) => part !== '');
}

const MIN_STEM = 4;

/** The part of a word that its other forms mostly share. */
export function wordBeginning(word: string): string {
  return word.length <= MIN_STEM ? word : word.slice(0, Math.max(MIN_STEM, word.length - 3));
}
