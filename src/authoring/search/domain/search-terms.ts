import { QUESTION_WORDS } from './question-words.js';
import { identifierParts, isUnspacedScript, splitByScript, foldText, foldedWords } from './text-folding.js';

/** A word, identifier or phrase of a query, as it was typed. */
export interface QueryWord {
  readonly text: string;
  /** True if its words must be adjacent and in this order. */
  readonly isPhrase: boolean;
  /** True if the word may continue: the last one of a query. */
  readonly isUnfinished: boolean;
}

/** A phrase that a text must contain, or a word or phrase that it must not. */
export interface RequiredTerm {
  /** All terms of one choice must be fulfilled, and one choice is sufficient. */
  readonly choice: number;
  readonly texts: readonly string[];
  readonly phrase: boolean;
  readonly prefix: boolean;
  readonly negated: boolean;
}

export interface ParsedQuery {
  readonly words: readonly QueryWord[];
  readonly required: readonly RequiredTerm[];
}

/** A way in which a word of a query may occur in a text. */
export interface RankedTerm {
  /** Terms of one concept are alternatives: the one with the most weight in a text counts. */
  readonly concept: number;
  readonly text: string;
  readonly phrase: boolean;
  readonly prefix: boolean;
  /** Greater than 0; 1 for a word as it was typed. */
  readonly weight: number;
}

/** The words of the searched spaces that resemble a word of a query; all without accents. */
export interface Resemblance {
  /** False if no text contains the word itself. */
  readonly isKnown: boolean;
  /** Words with nearly the same letters, by the number of different ones. */
  readonly similar: readonly { readonly word: string; readonly distance: number }[];
  /** Words that begin with it. */
  readonly completions: readonly string[];
  /** Compounds that end with it. */
  readonly compounds: readonly string[];
  /** The two parts of which it is composed. */
  readonly parts: readonly string[];
}

const MIN_UNFINISHED = 2;
/** Longer queries describe what they mean by themselves: synonyms would cost more than they find. */
const MANY_WORDS = 12;
const PARTS = /(-?)"([^"]*)(?:"|$)|\S+/gu;
/** One letter behind a minus sign is an option of a command. */
const EXCLUSION = /^-(?=[\p{L}\p{N}])(?!.$)/u;
const FILLER = /^\p{Script=Hiragana}+$/u;

/** The numbers of concepts that the query has in other words already: they are not part of what a text should cover. */
const FIRST_GROUP = -2;
/** From here downwards: the words with which a question asks. They raise the rank, and a text need not contain them. */
export const FIRST_ASKING = -1_000;

const WEIGHTS = {
  part: 0.35,
  filler: 0.2,
  character: 0.4,
  pair: 0.2,
  synonym: 0.4,
  completion: 0.2,
  missingCompletion: 0.8,
  compound: 0.5,
  correction: [1, 0.9, 0.7],
};

/**
 * Parses a query in the usual web syntax: words, "phrases", -without, this or that. Words raise the rank of a text;
 * phrases and exclusions are conditions. A minus sign excludes only behind other words, so that `--dry-run` and `-v`
 * are found. The last word may be unfinished. Other characters separate words; nothing is an error.
 */
export function parseQuery(query: string): ParsedQuery {
  const text = query
    .replace(/[\p{Surrogate}\p{Cc}]/gu, ' ')
    .normalize('NFKC')
    .trim();
  const words: QueryWord[] = [];
  const required: RequiredTerm[] = [];
  const choices = new Set<number>();
  let choice = 0;
  for (const part of text.matchAll(PARTS)) {
    const [whole, minus, quoted] = part;
    const isLast = part.index + whole.length === text.length;
    const isExclusion = words.length > 0 && (quoted === undefined ? EXCLUSION.test(whole) : minus === '-');
    const term = quoted ?? (isExclusion ? whole.slice(1) : whole);
    if (quoted === undefined && /^or$/i.test(whole) && words.length > 0 && !isLast) {
      choice += 1;
    } else if (isExclusion) {
      if (hasWord(term)) required.push(condition(choice, term, true));
    } else if (quoted !== undefined) {
      if (!hasWord(quoted)) continue;
      words.push({ text: quoted, isPhrase: true, isUnfinished: false });
      required.push(condition(choice, quoted, false));
      choices.add(choice);
    } else {
      const pieces = splitByScript(whole).flatMap(withoutElision);
      words.push(
        ...pieces.map((piece, at) => ({
          text: piece,
          isPhrase: false,
          isUnfinished: isLast && at === pieces.length - 1 && mayContinue(piece),
        })),
      );
      if (pieces.length > 0) choices.add(choice);
    }
  }
  return { words, required: withoutFreeChoice(required, choices) };
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** `l'index` is `index`. Signs around a word do not belong to it. */
function withoutElision(piece: string): string[] {
  const parts = piece.split(/['’]/u).map((part) => part.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, ''));
  return parts.filter((part) => part !== '' && (part.length > 1 || parts.length === 1));
}

function condition(choice: number, text: string, negated: boolean): RequiredTerm {
  return {
    choice,
    texts: [text],
    phrase:
      !isCharacter(text) && (!negated || /\s/.test(text) || splitByScript(text).length > 1 || isUnspacedScript(text)),
    prefix: isCharacter(text),
    negated,
  };
}

/** One character of an unspaced script is searched as the beginning of a pair. */
const isCharacter = (text: string): boolean => isUnspacedScript(text) && [...text].length === 1;

/** No condition holds for all texts if one of the choices has none. */
function withoutFreeChoice(required: readonly RequiredTerm[], choices: ReadonlySet<number>): readonly RequiredTerm[] {
  return [...choices].every((choice) => required.some((term) => term.choice === choice)) ? required : [];
}

/** Only words at the very end may continue, and not the shortest. */
function mayContinue(piece: string): boolean {
  const last = /[\p{L}\p{N}\p{M}]+$/u.exec(piece)?.[0];
  return !isUnspacedScript(piece) && last !== undefined && last.length >= MIN_UNFINISHED;
}

/**
 * The weighed terms of a query. Identifiers such as `record_transformer` count as a whole and, less, by their parts;
 * text without blanks between words is split by the word list of the platform. `synonyms` returns other names of a
 * text, `resemblances` has the words of the searched spaces, by words without accents.
 */
export function rankedTerms(
  words: readonly QueryWord[],
  synonyms: (text: string) => readonly string[],
  resemblances: ReadonlyMap<string, Resemblance> = new Map(),
): RankedTerm[] {
  const terms: RankedTerm[] = [];
  const others = words.length > MANY_WORDS ? () => [] : synonyms;
  let concept = 0;
  let isAsking = false;
  const add = (weight: number, text: string, more: { phrase?: boolean; prefix?: boolean } = {}): void => {
    terms.push({
      concept: isAsking ? FIRST_ASKING - concept : concept,
      text,
      phrase: false,
      prefix: false,
      ...more,
      weight,
    });
  };
  for (const word of words) {
    const pieces = piecesOf(word);
    isAsking = words.length > 1 && QUESTION_WORDS.has(foldText(word.text));
    if (isUnspacedScript(word.text) && !word.isPhrase) {
      for (const piece of pieces) {
        const weight = FILLER.test(piece) ? WEIGHTS.filler : isCharacter(piece) ? WEIGHTS.character : 1;
        add(pieces.length === 1 ? 1 : weight, piece, { prefix: isCharacter(piece) });
        for (const other of others(piece)) add(WEIGHTS.synonym, other, { phrase: /\s/.test(other) });
        for (const pair of pairsOf(piece)) add(WEIGHTS.pair, pair);
        concept += 1;
      }
      continue;
    }
    const isCompound = pieces.length > 1;
    if (word.isPhrase || isCompound) {
      add(1, word.text, isCharacter(word.text) ? { prefix: true } : { phrase: true });
      if (!word.isPhrase && pieces.join(' ') !== word.text) add(1, pieces.join(' '), { phrase: true });
      for (const other of others(word.text)) add(WEIGHTS.synonym, other, { phrase: /\s/.test(other) });
      concept += 1;
    }
    if (word.isPhrase) continue;
    for (const piece of pieces) {
      const factor = isCompound ? WEIGHTS.part : 1;
      add(factor, piece);
      if (!isCompound) for (const other of others(piece)) add(WEIGHTS.synonym, other, { phrase: /\s/.test(other) });
      for (const [weight, other] of resembling(resemblances.get(foldText(piece)))) add(factor * weight, other);
      concept += 1;
    }
  }
  return [...terms, ...groupSynonyms(words, others)];
}

/** Other names of two or three adjacent words: `single sign on` is `SSO`. */
function groupSynonyms(words: readonly QueryWord[], synonyms: (text: string) => readonly string[]): RankedTerm[] {
  const groups = words.flatMap((_, at) =>
    [2, 3].map((length) => words.slice(at, at + length)).filter((group, index) => group.length === index + 2),
  );
  return groups.flatMap((group, at) =>
    synonyms(group.map(({ text }) => text).join(' ')).map((text) => ({
      concept: FIRST_GROUP - at,
      text,
      phrase: /\s/.test(text),
      prefix: false,
      weight: WEIGHTS.synonym * group.length,
    })),
  );
}

function resembling(found: Resemblance | undefined): [number, string][] {
  if (!found) return [];
  const nearest = Math.min(...found.similar.map(({ distance }) => distance));
  return [
    ...found.similar.map(({ word, distance }): [number, string] => [
      (WEIGHTS.correction[distance] ?? 0.5) * (distance > nearest ? 0.5 : 1),
      word,
    ]),
    ...found.completions.map((word): [number, string] => [
      found.isKnown ? WEIGHTS.completion : WEIGHTS.missingCompletion,
      word,
    ]),
    ...[...found.compounds, ...found.parts].map((word): [number, string] => [WEIGHTS.compound, word]),
  ];
}

/** The parts of an identifier, or the words of a text without blanks; one for other words. */
function piecesOf({ text, isPhrase }: QueryWord): string[] {
  if (isPhrase) return [text];
  if (!isUnspacedScript(text)) return identifierParts(text);
  return [...text].length <= 2 ? [text] : segments(text);
}

const SEGMENTER = new Intl.Segmenter('ja', { granularity: 'word' });
function segments(text: string): string[] {
  return [...SEGMENTER.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** The pairs of adjacent characters of a longer word: other spellings of it share some. */
function pairsOf(word: string): string[] {
  const characters = [...word];
  return characters.length < 3 ? [] : characters.slice(1).map((second, at) => `${characters[at] ?? ''}${second}`);
}

/** A word of a query that may be misspelled, unfinished or compound, without accents. */
export interface ComparedWord {
  readonly word: string;
  /** The number of letters that may be wrong; 0 if it is not corrected. */
  readonly edits: number;
  readonly isUnfinished: boolean;
}

const CORRECTABLE = /^\p{L}+$/u;
/** Words of a query that are compared with those of spaces: the last ones, since the very last may still be unfinished. */
const MOST_COMPARED = 20;

/** The words of a query that are compared with those of the searched spaces. */
export function comparedWords(words: readonly QueryWord[]): ComparedWord[] {
  const found = new Map<string, ComparedWord>();
  for (const searched of words) {
    if (searched.isPhrase || isUnspacedScript(searched.text)) continue;
    const pieces = piecesOf(searched);
    pieces.forEach((piece, at) => {
      const word = foldText(piece);
      const isUnfinished =
        (searched.isUnfinished && at === pieces.length - 1) || (found.get(word)?.isUnfinished ?? false);
      if (CORRECTABLE.test(word) && (isUnfinished || allowedEdits(word) > 0))
        found.set(word, { word, edits: allowedEdits(word), isUnfinished });
    });
  }
  return [...found.values()].slice(-MOST_COMPARED);
}

/** The number of letters of a word that may be wrong. */
export function allowedEdits(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 8 ? 1 : 2;
}

/** The words to highlight in a found text, without accents. */
export function wordsToShow(terms: readonly RankedTerm[]): string[] {
  return [...new Set(terms.flatMap(({ text }) => foldedWords(text)))];
}
