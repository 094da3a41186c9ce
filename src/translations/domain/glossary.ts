/** How a term of the source language is to be said in the other one. */
export interface Term {
  readonly source: string;
  readonly target: string;
}

/** Scripts without spaces between words: a term is found wherever its characters stand. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const WORD = /[\p{L}\p{N}]/u;

/** Finds the terms of a glossary in texts, as whole words and whatever their case. */
export class TermFinder {
  private readonly byFirst = new Map<string, (Term & { readonly lower: string })[]>();

  constructor(terms: readonly Term[]) {
    for (const term of terms) {
      const lower = term.source.toLowerCase();
      const [first] = lower;
      if (first === undefined) continue;
      const known = this.byFirst.get(first);
      if (known) known.push({ ...term, lower });
      else this.byFirst.set(first, [{ ...term, lower }]);
    }
  }

  /** The terms that occur in a text, in the order of their sources. */
  in(text: string): Term[] {
    if (this.byFirst.size === 0) return [];
    const lower = text.toLowerCase();
    const found = new Map<string, Term>();
    for (let at = 0; at < lower.length; at++) {
      for (const term of this.byFirst.get(lower.charAt(at)) ?? []) {
        if (!found.has(term.lower) && lower.startsWith(term.lower, at) && isWhole(lower, at, term.lower)) found.set(term.lower, { source: term.source, target: term.target });
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
