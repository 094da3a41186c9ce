/** A part of a text; `found` if it is one of the words that were searched. */
type TextPart = Readonly<{ text: string; found: boolean }>;

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

/** A text cut at the words that begin with one of the searched words; accents and case do not matter. */
export function highlighted(text: string, words: readonly string[]): readonly TextPart[] {
  if (words.length === 0) return [{ text, found: false }];
  const parts: TextPart[] = [];
  let last = 0;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (!words.some((searched) => plain(word).startsWith(searched))) continue;
    if (index > last) parts.push({ text: text.slice(last, index), found: false });
    parts.push({ text: word, found: true });
    last = index + word.length;
  }
  if (last < text.length) parts.push({ text: text.slice(last), found: false });
  return parts;
}

function plain(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
