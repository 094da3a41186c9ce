import type { ParsedQuery } from './search-terms.js';

const MIN_WORDS = 2;
/** Names in code, versions, paths and options mean what they say. */
const EXACT = /[\p{Nd}_@$/\\.(){}<>=-]|\p{Ll}\p{Lu}/u;
const FOREIGN_LETTER = /(?=\p{L})\P{Script=Latin}/u;

/** Whether a query is of several words of a language, without conditions, names in code or numbers. */
export function isPlainLanguage(query: string, { words, required }: ParsedQuery): boolean {
  const text = query.trim().replace(/[.?!]+$/, '');
  return words.length >= MIN_WORDS && required.length === 0 && !EXACT.test(text);
}

/** Whether a text may be English by its letters. */
export function isLatin(text: string): boolean {
  return !FOREIGN_LETTER.test(text);
}
