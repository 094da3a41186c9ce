/** A term of the source language and its translation. */
export interface TermTranslation {
  readonly source: string;
  readonly target: string;
}

/**
 * A character of a script with spaces between words. In unspaced scripts a term matches at every occurrence of its
 * characters.
 */
const IN_WORD = String.raw`(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}_]`;
const WORD = new RegExp(IN_WORD, 'u');

/** The pattern of a term as one or more whole words. */
export function wholeWord(term: string): string {
  const before = WORD.test(term.charAt(0)) ? `(?<!${IN_WORD})` : '';
  const behind = WORD.test(term.charAt(term.length - 1)) ? `(?!${IN_WORD})` : '';
  return `${before}${term.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}${behind}`;
}

/**
 * Finds the terms of a glossary in texts, as whole words regardless of case; many terms take little more time than one.
 */
export class TermFinder<T extends TermTranslation = TermTranslation> {
  private readonly terms = new Map<string, T>();
  /** The lengths of terms, by first character. */
  private readonly lengths = new Map<string, Set<number>>();

  constructor(terms: readonly T[]) {
    for (const term of terms) {
      const lower = term.source.toLowerCase();
      if (lower.trim() === '' || this.terms.has(lower)) continue;
      this.terms.set(lower, term);
      const lengths = this.lengths.get(lower.charAt(0)) ?? new Set();
      this.lengths.set(lower.charAt(0), lengths.add(lower.length));
    }
  }

  /** The terms that occur in a text, in the order of their sources. */
  in(text: string): T[] {
    if (this.terms.size === 0) return [];
    const lower = text.toLowerCase();
    const found = new Map<string, T>();
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

/** Tells whether two adjacent characters belong to one word. */
function touches(left: string, right: string): boolean {
  return WORD.test(left) && WORD.test(right);
}
