import { STOP_WORDS } from './stop-words.js';
import { detectLanguage, UNDETERMINED } from './detect-language.js';
import { wordsOf } from './words.js';

/** Words of languages other than English keep this many letters, which removes most endings. */
const STEM_LETTERS = 6;
/** Korean appends particles to words, and most roots have two syllables. */
const KOREAN_STEM = 2;
const PIECE = 4;
const VOWEL = /[aeiouy]/;

/** The subject of a text, in the form for comparison. */
export interface Terms {
  /** Stems of its words, without stop words. */
  readonly stems: readonly string[];
  /** The words of the stems. */
  readonly words: readonly string[];
  readonly language: string;
}

/**
 * The terms of a text; if its language cannot be determined, that of the surrounding texts is used. A text of stop
 * words only has these as its terms.
 */
export function termsOf(text: string, usual: string = UNDETERMINED): Terms {
  const own = detectLanguage(text);
  const language = own === UNDETERMINED ? usual : own;
  const all = wordsOf(text);
  const telling = all.filter((word) => !isStopWord(word, language));
  const words = telling.length > 0 ? telling : all;
  return { stems: words.map((word) => stemOf(word, language)), words, language };
}

/**
 * Tells whether a word says nothing about the subject of a text: one of the most common of its language, a single Latin
 * letter, a Japanese ending.
 */
export function isStopWord(word: string, language: string): boolean {
  return (
    (STOP_WORDS.get(language)?.has(word) ?? false) ||
    (word.length === 1 && word < '\u0250') ||
    /^[\p{sc=Hiragana}ー]{1,4}$/u.test(word)
  );
}

/** The stem of a word in lower case: endings of English by rule, otherwise the first letters. */
export function stemOf(word: string, language: string): string {
  if (language === 'ko') return word.slice(0, KOREAN_STEM);
  if (language !== 'en') return word.length > STEM_LETTERS ? [...word].slice(0, STEM_LETTERS).join('') : word;
  const bare = word.replace(/'s?$|'.*$/, '');
  return bare.length <= 3 || /\d/.test(bare) ? bare : withoutEnding(withoutInflection(bare));
}

/** Plurals, -ed and -ing (steps 1a to 1c of Porter 1980). */
function withoutInflection(word: string): string {
  let stem = word
    .replace(/sses$/, 'ss')
    .replace(/([^aeiou]|[aeiouy][a-z]+)ies$/, '$1y')
    .replace(/ies$/, 'ie')
    .replace(/([^su])s$/, '$1');
  const suffix = /(?:eed|ed|ing|edly|ingly)$/.exec(stem)?.[0];
  if (
    suffix !== undefined &&
    suffix !== 'eed' &&
    stem.length - suffix.length > 1 &&
    VOWEL.test(stem.slice(0, -suffix.length))
  ) {
    stem = stem.slice(0, -suffix.length);
    if (/(?:at|bl|iz)$/.test(stem)) stem += 'e';
    else if (/([^aeiouylsz])\1$/.test(stem)) stem = stem.slice(0, -1);
    else if (/^[^aeiou]*[aeiouy][^aeiouwxy]$/.test(stem)) stem += 'e';
  }
  return stem;
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:ization|isation)$/, 'ize'],
  [/(.{3})ational$/, '$1ate'],
  [/(.{3})ation$/, '$1ate'],
  [/(.{3})(?:ement|ments?)$/, '$1'],
  [/(.{3})(?:fulness|iveness|ousness)$/, '$1'],
  [/(.{3})ness$/, '$1'],
  [/(.{3}[st])ion$/, '$1'],
  [/(.{3})(?:ibly|ably)$/, '$1able'],
  [/(.{3})ly$/, '$1'],
];

function withoutEnding(word: string): string {
  let stem = word;
  for (const [ending, instead] of ENDINGS) {
    const shorter = stem.replace(ending, instead);
    if (shorter !== stem) {
      stem = shorter;
      break;
    }
  }
  stem = stem.replace(/(.{3})(?:ate|ize|ise)$/, (whole, kept: string) => (whole.length > 5 ? `${kept}at` : whole));
  return stem.length > 3 ? stem.replace(/e$/, '').replace(/([^aeiou])y$/, '$1i') : stem;
}

/** Features of a text for comparison: its stems, and all pairs of adjacent ones. */
export function featuresOf(stems: readonly string[]): string[] {
  return [...stems, ...stems.slice(1).map((stem, at) => `${stems[at] ?? ''} ${stem}`)];
}

/** Character n-grams of four letters, which different forms and spellings of a word share. */
export function characterNgrams(words: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const word of words) {
    const whole = ` ${word} `;
    if (whole.length < PIECE) pieces.push(whole);
    for (let at = 0; at + PIECE <= whole.length; at++) pieces.push(whole.slice(at, at + PIECE));
  }
  return pieces;
}
