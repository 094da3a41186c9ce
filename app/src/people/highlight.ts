const OPERATORS = new Set(['or']);

/** The words of a query that can be found in a text: without operators and without what is left out by a minus. */
export function searchedWords(query: string): readonly string[] {
  const words = query.match(/-?"[^"]*"?|[^\s"]+/gu) ?? [];
  return words
    .filter((word) => !word.startsWith('-') && !OPERATORS.has(word.toLowerCase()))
    .flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
    .map(plain)
    .filter((word) => word !== '');
}

/** The words of a text that begin with one of the searched words; accents and case do not matter. */
export function foundWords(text: string, searched: readonly string[]): string[] {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.filter((word) => searched.some((each) => plain(word).startsWith(each)));
}

function plain(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
