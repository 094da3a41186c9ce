import { createHash } from 'node:crypto';
import type { TermTranslation } from './glossary.js';
import type { Segment } from './segment.js';

/** What all segments of a run have in common. */
export interface TranslationStyle {
  readonly engine: string;
  readonly source: string;
  readonly target: string;
  readonly instructions: string;
}

/**
 * What a translation follows from, as 64 hexadecimal digits: the words and markers of a segment, the languages, the engine
 * with its instructions, and the terms of the glossary that occur in it. So a change of the glossary concerns only the
 * segments that hold the term.
 */
export function memoryKey(
  { engine, source, target, instructions }: TranslationStyle,
  terms: readonly TermTranslation[],
  segment: Segment,
): string {
  return digest([engine, source, target, instructions, terms.map((term) => [term.source, term.target]), segment]);
}

/** What all pages of a run follow from: how they are translated, and all terms of the glossary. */
export function translationStyleKey(
  { engine, source, target, instructions }: TranslationStyle,
  terms: readonly TermTranslation[],
): string {
  return digest([engine, source, target, instructions, terms.map((term) => [term.source, term.target])]);
}

/** What a translated page follows from: everything that is said of it, and how all of them are translated (see `translationStyleKey`). */
export function fingerprint(manner: string, said: readonly unknown[]): string {
  return digest([manner, said]);
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
