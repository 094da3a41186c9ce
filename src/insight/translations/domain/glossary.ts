import type { Stemmer } from './stemmer.js';

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

const WORDS = new RegExp(`(?:${IN_WORD})+`, 'gu');
/** Characters of a word that has forms, and words whose stems are kept at once. */
const LONGEST_WORD = 50;
const MOST_STEMS = 100_000;
/** Words of a term that are looked for in other forms. */
const MOST_WORDS = 8;

/**
 * Finds the terms of a glossary in texts, as whole words regardless of case, also in other forms of the words; many
 * terms take little more time than one.
 */
export class TermFinder<T extends TermTranslation = TermTranslation> {
  private readonly terms = new Map<string, T>();
  /** The lengths of terms, by first character. */
  private readonly lengths = new Map<string, Set<number>>();
  /** Terms by the stems of their words, and the numbers of these by the first one. */
  private readonly byStems = new Map<string, T>();
  private readonly counts = new Map<string, Set<number>>();
  private readonly stems = new Map<string, string>();

  constructor(
    terms: readonly T[],
    private readonly stemmer: Stemmer = (word) => word,
  ) {
    for (const term of terms) {
      const lower = term.source.toLowerCase();
      if (lower.trim() === '' || this.terms.has(lower)) continue;
      this.terms.set(lower, term);
      this.addStems(term, lower);
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
    this.findStems(lower, found);
    return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, term]) => term);
  }

  /** Terms of words alone have other forms; those with signs are names. */
  private addStems(term: T, lower: string): void {
    const stems = (lower.match(WORDS) ?? []).map((word) => this.stem(word));
    const [first] = stems;
    if (first === undefined || stems.length > MOST_WORDS || lower.replace(WORDS, '').trim() !== '') return;
    const key = stems.join(' ');
    if (!this.byStems.has(key)) this.byStems.set(key, term);
    this.counts.set(first, (this.counts.get(first) ?? new Set()).add(stems.length));
  }

  private findStems(lower: string, found: Map<string, T>): void {
    const words = [...lower.matchAll(WORDS)];
    const stems = words.map(([word]) => this.stem(word));
    for (const [at, stem] of stems.entries()) {
      for (const count of this.counts.get(stem) ?? []) {
        const term = this.byStems.get(stems.slice(at, at + count).join(' '));
        const [first, last] = [words[at], words[at + count - 1]];
        if (!term || !first || !last || found.has(term.source.toLowerCase())) continue;
        const between = lower.slice(first.index, last.index + last[0].length).replace(WORDS, '');
        if (between.trim() === '') found.set(term.source.toLowerCase(), term);
      }
    }
  }

  private stem(word: string): string {
    const known = this.stems.get(word);
    if (known !== undefined) return known;
    const stem = word.length > LONGEST_WORD ? word : this.stemmer(word);
    if (this.stems.size < MOST_STEMS) this.stems.set(word, stem);
    return stem;
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
