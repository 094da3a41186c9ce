/**
 * The number of insertions, deletions, substitutions and transpositions of adjacent letters between two words (optimal
 * string alignment); `limit` + 1 for anything above the limit.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, at(before, j - 2) + 1);
      row.push(least);
    }
    if (Math.min(...row) > limit && Math.min(...last) > limit) return limit + 1;
    [before, last] = [last, row];
  }
  return Math.min(at(last, other.length), limit + 1);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.MAX_SAFE_INTEGER;

/** Letters of the longest word of a vocabulary. */
const LONGEST = 24;

/**
 * Regular expressions for lines that may be within one or two edits of a word of letters: all that are match one of
 * them, and for two edits others do as well. Of two edits, at most one is in the first half of the word or at most one
 * is in the second; a transposition of the letters between them is one in either. The halves are apart, since
 * PostgreSQL takes several times as long for both in one.
 * @returns none for words that no word of a vocabulary resembles.
 */
export function resemblingPatterns(word: string, edits: number): string[] {
  const letters = [...word];
  if (edits === 0 || letters.length > LONGEST + edits) return [];
  if (edits === 1) return [`^(?:${withOneEdit(letters)})$`];
  const middle = Math.floor(letters.length / 2);
  return [`^(?:${withOneEdit(letters.slice(0, middle))}).*$`, `^.*(?:${withOneEdit(letters.slice(middle))})$`];
}

/** Alternatives for letters of which one may be another or missing, two be exchanged, or one more be there. */
function withOneEdit(letters: readonly string[]): string {
  const before = (at: number): string => letters.slice(0, at).join('');
  const from = (at: number): string => letters.slice(at).join('');
  return letters
    .flatMap((letter, at) => {
      const changed = `${before(at)}.{0,2}${from(at + 1)}`;
      const next = letters[at + 1];
      return next === undefined ? [changed] : [changed, `${before(at)}${next}${letter}${from(at + 2)}`];
    })
    .join('|');
}
