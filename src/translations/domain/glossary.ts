/** How a term of the source language is to be said in the other one. */
export interface Term {
  readonly source: string;
  readonly target: string;
}

/** Scripts without spaces between words: a term is found wherever its characters stand. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD = /[\p{L}\p{N}]/u;

/** Finds the terms of a glossary in texts, as whole words and whatever their case; many terms take little more time than one. */
export class TermFinder {
  private readonly terms = new Map<string, Term>();
  /** The lengths that terms have, by their first character. */
  private readonly lengths = new Map<string, Set<number>>();

  constructor(terms: readonly Term[]) {
    for (const { source, target } of terms) {
      const lower = source.toLowerCase();
      if (lower === '' || this.terms.has(lower)) continue;
      this.terms.set(lower, { source, target });
      const lengths = this.lengths.get(lower.charAt(0)) ?? new Set();
      this.lengths.set(lower.charAt(0), lengths.add(lower.length));
    }
  }

  /** The terms that occur in a text, in the order of their sources. */
  in(text: string): Term[] {
    if (this.terms.size === 0) return [];
    const lower = text.toLowerCase();
    const found = new Map<string, Term>();
    for (let at = 0; at < lower.length; at++) {
      for (const length of this.lengths.get(lower.charAt(at)) ?? []) {
        const words = lower.slice(at, at + length);
        const term = this.terms.get(words);
        if (term && !found.has(words) && isWhole(lower, at, words)) found.set(words, term);
      }
    }
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, term]) => term);
  }
}

function isWhole(text: string, at: number, term: string): boolean {
  const [first, last] = [term.charAt(0), term.charAt(term.length - 1)];
  const [before, after] = [text.charAt(at - 1), text.charAt(at + term.length)];
  return !touches(before, first) && !touches(last, after);
}

/** Whether two neighbouring characters belong to one word. */
function touches(left: string, right: string): boolean {
  return WORD.test(left) && WORD.test(right) && !WITHOUT_SPACES.test(left) && !WITHOUT_SPACES.test(right);
}
