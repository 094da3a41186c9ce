/** More of a text tells nothing new of its subject. */
const MAX_WORDS = 600;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;

/**
 * The words of a text in small letters and without accents. Where a script puts no spaces between words, every two characters that follow each other are
 * one, which finds most words of two characters and parts of all longer ones.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [found] of plain(text).matchAll(WORD)) {
    if (words.length >= MAX_WORDS) break;
    words.push(...splitUnspaced(found));
  }
  return words;
}

/** In small letters; accents of Latin, Greek and Cyrillic letters are left out, as many people do not type them. */
function plain(text: string): string {
  return text.normalize('NFKD').replace(/(?<=[\p{sc=Latin}\p{sc=Greek}])[\u0300-\u036f]+/gu, '').normalize('NFC').toLowerCase().replaceAll('’', "'");
}

function splitUnspaced(found: string): string[] {
  const words: string[] = [];
  let end = 0;
  for (const run of found.matchAll(UNSPACED)) {
    if (run.index > end) words.push(found.slice(end, run.index));
    words.push(...pairsOf([...run[0]]));
    end = run.index + run[0].length;
  }
  if (end < found.length) words.push(found.slice(end));
  return words;
}

function pairsOf(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters];
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}
