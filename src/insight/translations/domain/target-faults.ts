import { keepsNesting, trimmed } from './line-edges.js';
import { splitTranslatable } from './line-segment.js';
import { hasWords, keepsMarkers, type Segment } from './segment.js';

/** Characters that no database stores: NUL, and half surrogate pairs. */
export const UNSTORABLE = /[\0\p{Cs}]/u;

/** Why a text cannot be the translation of a segment, as the rest of a sentence about it; undefined if it can. */
export function faultOfTarget(source: Segment, target: Segment | undefined): string | undefined {
  if (target === undefined) return 'has tags that do not form pairs';
  const { before, after } = trimmed(target);
  if (before !== '' || after !== '') return 'must not begin or end with white space';
  if (target.some((piece) => typeof piece === 'string' && UNSTORABLE.test(piece)))
    return 'has characters that cannot be stored';
  if (hasWords(source) !== hasWords(target)) return 'has no words';
  if (target.some((piece) => typeof piece === 'string' && piece.includes('\n'))) return 'must be one line';
  if (target.some((piece) => typeof piece === 'string' && splitTranslatable(piece).length > 1))
    return 'has an address that its source does not have';
  if (!keepsMarkers(source, target) || !keepsNesting(source, target))
    return 'must have each tag of the source once, in the same pair, and words in the pairs that have words';
  return undefined;
}
