import { segmentText, type Segment } from './segment.js';

export const TARGET_WARNINGS = ['length', 'numbers', 'negation'] as const;
/** A difference between a text and its translation that is often a mistake, and sometimes none. */
export type TargetWarning = (typeof TARGET_WARNINGS)[number];

/** Shorter texts differ as they like; so do those where one side has a script that needs fewer characters. */
const LEAST_LENGTH = 25;
const MOST_RATIO = 2.5;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const NUMBERS = /\p{N}+(?:[.,'\u00a0\u202f ]\p{N}{3}(?!\p{N}))*(?:[.,:]\p{N}+)*/gu;

/** Words that deny, by language. */
const NEGATIONS: Readonly<Record<string, RegExp>> = {
  en: /(?<!\p{L})(?:not|no|never|none|nothing|nobody|cannot|without|neither|nor|\p{L}{1,10}n['’]t)(?!\p{L})/iu,
  de: /(?<!\p{L})(?:nicht|kein\p{L}{0,2}|nie|niemals|nichts|niemand|ohne|weder)(?!\p{L})/iu,
  es: /(?<!\p{L})(?:no|nunca|jamás|nada|nadie|ningún|ningun[ao]s?|sin|ni|tampoco)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:ne|pas|jamais|rien|aucune?|sans|ni|non)(?!\p{L})|(?<!\p{L})n['’]/iu,
  it: /(?<!\p{L})(?:non|mai|niente|nulla|nessun[ao]?|senza|né|no)(?!\p{L})/iu,
  pt: /(?<!\p{L})(?:não|nunca|jamais|nada|ninguém|nenhuma?|sem|nem)(?!\p{L})/iu,
  nl: /(?<!\p{L})(?:niet|geen|nooit|niets|niemand|zonder|noch)(?!\p{L})/iu,
};

/** The differences between a text and its translation. */
export function targetWarnings(
  source: Segment,
  target: Segment,
  languages: { readonly source: string; readonly target: string },
): TargetWarning[] {
  const [asked, said] = [segmentText(source), segmentText(target)];
  const found: TargetWarning[] = [];
  if (lengthsDiffer(asked, said)) found.push('length');
  if (numbersIn(asked) !== numbersIn(said)) found.push('numbers');
  const [here, there] = [negationOf(languages.source), negationOf(languages.target)];
  if (here && there && here.test(asked) !== there.test(said)) found.push('negation');
  return found;
}

function lengthsDiffer(one: string, other: string): boolean {
  if (DENSE.test(one) !== DENSE.test(other)) return false;
  const [short, long] = [Math.min(one.length, other.length), Math.max(one.length, other.length)];
  return long >= LEAST_LENGTH && long > short * MOST_RATIO;
}

/** The numbers of a text in any order, whatever separates their digits. */
function numbersIn(text: string): string {
  return [...text.matchAll(NUMBERS)]
    .map(([number]) => number.replace(/\P{N}/gu, ''))
    .sort()
    .join(' ');
}

function negationOf(language: string): RegExp | undefined {
  return NEGATIONS[language.split('-')[0] ?? ''];
}
