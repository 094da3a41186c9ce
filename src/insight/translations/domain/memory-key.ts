import { createHash } from 'node:crypto';
import type { TermTranslation } from './glossary.js';
import type { Segment } from './segment.js';

/** The common settings of all segments of a run. */
export interface TranslationStyle {
  readonly engine: string;
  readonly source: string;
  readonly target: string;
  readonly instructions: string;
}

/**
 * The key of a translation, as 64 hexadecimal digits: the words and markers of a segment, the languages, the engine
 * with its instructions, and the glossary terms that occur in it. So a change of the glossary affects only the segments
 * with the term.
 */
export function memoryKey(
  { engine, source, target, instructions }: TranslationStyle,
  terms: readonly TermTranslation[],
  segment: Segment,
): string {
  return digest([engine, source, target, instructions, terms.map((term) => [term.source, term.target]), segment]);
}

/** The key of a segment among those of a translation, whatever engine translates it: its words and markers. */
export function segmentDigest(segment: Segment): string {
  return digest(segment);
}

/** Pages were translated before their segments were stored: the number makes the next run look at them once more. */
const SEGMENTS_STORED = 1;

/** The common key of all pages of a run: the style, and all terms of the glossary. */
export function translationStyleKey(
  { engine, source, target, instructions }: TranslationStyle,
  terms: readonly TermTranslation[],
): string {
  return digest([
    engine,
    source,
    target,
    instructions,
    terms.map((term) => [term.source, term.target]),
    SEGMENTS_STORED,
  ]);
}

/** The key of a translated page: its whole content, and the common key (see `translationStyleKey`). */
export function fingerprint(manner: string, said: readonly unknown[]): string {
  return digest([manner, said]);
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
