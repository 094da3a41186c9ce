import { isUnspacedScript, splitByScript, foldText, foldedWords } from './text-folding.js';

/** A term that a page must contain, or must not. */
export interface SearchTerm {
  /** Terms of one choice belong together; one matching choice is sufficient. */
  readonly choice: number;
  /** One matching text is sufficient. */
  readonly texts: readonly string[];
  /** True if the words must occur in this order, adjacent. */
  readonly phrase: boolean;
  /** True if the last word may be a prefix. */
  readonly prefix: boolean;
  readonly negated: boolean;
}

const MIN_PREFIX_LENGTH = 2;
const PARTS = /(-?)"([^"]*)(?:"|$)|\S+/gu;

/**
 * Parses the terms of a query in the usual web syntax: words, "phrases", -without, this or that. The last word may be
 * unfinished. Other characters separate words; nothing is an error.
 */
export function searchTerms(query: string): SearchTerm[] {
  const text = query
    .replace(/[\p{Surrogate}\p{Cc}]/gu, ' ')
    .normalize('NFKC')
    .trim();
  const terms: SearchTerm[] = [];
  let choice = 0;
  for (const part of text.matchAll(PARTS)) {
    const [whole, minus, quoted] = part;
    const isLast = part.index + whole.length === text.length;
    if (quoted !== undefined) {
      const prefix = isUnspacedScript(quoted) && [...quoted].length === 1;
      if (hasWord(quoted)) terms.push({ choice, texts: [quoted], phrase: !prefix, prefix, negated: minus === '-' });
    } else if (/^or$/i.test(whole) && terms.length > 0 && !isLast) {
      choice = terms.some((term) => term.choice === choice) ? choice + 1 : choice;
    } else {
      terms.push(...termsOf(whole, choice, isLast));
    }
  }
  return terms;
}

/** A part between blanks: one term, or one for each script in it. */
function termsOf(part: string, choice: number, isLast: boolean): SearchTerm[] {
  const negated = /^-./.test(part);
  const pieces = splitByScript(part.slice(negated ? 1 : 0)).filter(hasWord);
  // A negated part is one condition, not several that each exclude pages.
  if (negated)
    return pieces.length === 0
      ? []
      : [
          {
            choice,
            texts: [pieces.join(' ')],
            phrase: pieces.length > 1 || isUnspacedScript(pieces[0] ?? ''),
            prefix: false,
            negated,
          },
        ];
  return pieces.map((piece, at) => ({
    choice,
    texts: [piece],
    phrase: false,
    prefix: isPrefix(piece, isLast && at === pieces.length - 1),
    negated,
  }));
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * One character of an unspaced script is the prefix of a pair; other words count as unfinished only at the very end,
 * and not the shortest.
 */
function isPrefix(piece: string, isLast: boolean): boolean {
  if (isUnspacedScript(piece)) return [...piece].length === 1;
  const last = /[\p{L}\p{N}\p{M}]+$/u.exec(piece)?.[0];
  return isLast && last !== undefined && last.length >= MIN_PREFIX_LENGTH;
}

/** The same terms without prefixes: their results are a subset. */
export function wholeWords(terms: readonly SearchTerm[]): SearchTerm[] {
  return terms.map((term) => (isUnspacedScript(term.texts[0] ?? '') ? term : { ...term, prefix: false }));
}

/** The words to highlight in a found text, without accents. */
export function wordsToShow(terms: readonly SearchTerm[]): string[] {
  return [...new Set(terms.filter(({ negated }) => !negated).flatMap(({ texts }) => texts.flatMap(foldedWords)))];
}

const CORRECTABLE = /^\p{L}+$/u;

/** The word of a term that may be misspelled, without accents; undefined if there is none to be corrected. */
export function correctableWord({ texts, phrase, negated }: SearchTerm): string | undefined {
  const [text, other] = texts;
  if (text === undefined || other !== undefined || phrase || negated || isUnspacedScript(text)) return undefined;
  const word = foldText(text);
  return CORRECTABLE.test(word) && allowedEdits(word) > 0 ? word : undefined;
}

/** The number of letters of a word that may be wrong. */
export function allowedEdits(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 8 ? 1 : 2;
}
