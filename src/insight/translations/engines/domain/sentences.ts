import { mergeAdjacentTexts, type SegmentPiece, type Segment } from '../../domain/segment.js';

/** The end of a sentence before another, outside of pairs. */
const SENTENCE_END = /[.!?。！？…]["'”’)]*(?:\s+|(?<=[。！？]))/gu;

/** Splits a segment between two sentences near its middle; undefined if there is no such place. */
export function halves(segment: Segment): readonly [Segment, Segment] | undefined {
  const length = segment.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 0), 0);
  let depth = 0;
  let passed = 0;
  let best: { readonly index: number; readonly at: number; readonly distance: number } | undefined;
  for (const [index, piece] of segment.entries()) {
    if (typeof piece !== 'string') {
      depth += 'open' in piece ? 1 : 'close' in piece ? -1 : 0;
      continue;
    }
    for (const match of depth === 0 ? piece.matchAll(SENTENCE_END) : []) {
      const at = match.index + match[0].length;
      const distance = Math.abs(passed + at - length / 2);
      const isInside = passed + at > 0 && passed + at < length;
      if (isInside && (best === undefined || distance < best.distance)) best = { index, at, distance };
    }
    passed += piece.length;
  }
  if (best === undefined) return undefined;
  const text = segment[best.index] as string;
  const first: SegmentPiece[] = [...segment.slice(0, best.index), text.slice(0, best.at)];
  return [mergeAdjacentTexts(first), mergeAdjacentTexts([text.slice(best.at), ...segment.slice(best.index + 1)])];
}
