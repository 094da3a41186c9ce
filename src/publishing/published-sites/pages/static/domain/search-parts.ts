/**
 * Words of a text, as an expression that browsers have too: letters and digits together, but each character of a script
 * that does not part its words.
 */
export const WORDS = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]|(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}])[\p{L}\p{N}\p{M}])+`;
const WORD = new RegExp(WORDS, 'gu');

/** The options of the index, on both sides. */
export const INDEX_OPTIONS = {
  fields: ['title', 'headings', 'text'],
  searchOptions: { boost: { title: 6, headings: 2 } },
};

/** Characters of JSON of the largest part that is not divided further, if its words differ soon enough. */
const LARGEST_PART = 48 * 1024;
const LONGEST_BEGINNING = 4;
/** Characters of the longest word that is found: longer ones are keys and hashes. */
const LONGEST_WORD = 64;

/** A word of an index, and where it occurs. */
export type IndexedTerm = readonly [word: string, places: object];

/** The words of a text as they are compared: without accents, in lower case. `static-search.js` does the same. */
export function comparableWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return (plain.match(WORD) ?? []).filter((word) => word.length <= LONGEST_WORD);
}

/**
 * Parts of an index by the beginnings of their words. A word is in the part with the longest beginning that it has; a
 * part that was divided keeps the words that are no longer than its own.
 */
export function* partsOf(
  index: readonly IndexedTerm[],
  beginning = '',
): Generator<readonly [beginning: string, terms: readonly IndexedTerm[]]> {
  const isSmall = beginning !== '' && (beginning.length >= LONGEST_BEGINNING || sizeOf(index) <= LARGEST_PART);
  if (isSmall) {
    yield [beginning, index];
    return;
  }
  const short = index.filter(([word]) => word.length === beginning.length);
  if (short.length > 0) yield [beginning, short];
  const below = new Map<string, IndexedTerm[]>();
  for (const term of index) {
    if (term[0].length === beginning.length) continue;
    const key = term[0].slice(0, beginning.length + 1);
    const terms = below.get(key);
    if (terms) terms.push(term);
    else below.set(key, [term]);
  }
  for (const [key, terms] of below) yield* partsOf(terms, key);
}

function sizeOf(terms: readonly IndexedTerm[]): number {
  let size = 0;
  for (const term of terms) {
    size += JSON.stringify(term).length;
    if (size > LARGEST_PART) break;
  }
  return size;
}
