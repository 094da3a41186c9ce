/** Further words add nothing about the subject. */
const MAX_WORDS = 600;
const MAX_CHARACTERS = 8_000;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Segments words with the dictionaries of ICU. */
const SEGMENTER = new Intl.Segmenter('ja', { granularity: 'word' });

/** A word of a text. */
export interface WordToken {
  /** In lower case and without accents. */
  readonly word: string;
  /** Its position in the text. */
  readonly start: number;
  readonly end: number;
}

/** The words of a text, in order. */
export function tokensOf(text: string): WordToken[] {
  const tokens: WordToken[] = [];
  for (const { 0: found, index } of text.slice(0, MAX_CHARACTERS).matchAll(WORD)) {
    if (tokens.length >= MAX_WORDS) break;
    if (UNSPACED.test(found)) tokens.push(...segmented(found, index));
    else tokens.push({ word: plain(found), start: index, end: index + found.length });
  }
  return tokens;
}

export function wordsOf(text: string): string[] {
  return tokensOf(text).map(({ word }) => word);
}

/** Lower case; accents of Latin and Greek letters are removed, because many people do not type them. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(?<=[\p{sc=Latin}\p{sc=Greek}])[\u0300-\u036f]+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'");
}

function segmented(found: string, start: number): WordToken[] {
  return [...SEGMENTER.segment(found)].map(({ segment, index }) => ({
    word: plain(segment),
    start: start + index,
    end: start + index + segment.length,
  }));
}
