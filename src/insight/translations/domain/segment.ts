/**
 * One block's inline run: text with markers. Markers form pairs like tags: open/close around marked text, or single for
 * opaque content (inline code, images, math, references).
 */
export type SegmentPiece =
  string | { readonly open: number } | { readonly close: number } | { readonly opaque: number };
export type Segment = readonly SegmentPiece[];

const LETTER = /\p{L}/u;

/** The text of a segment without its markers. */
export function segmentText(segment: Segment): string {
  return segment.filter((piece) => typeof piece === 'string').join('');
}

/** Tells whether a segment has anything to translate: numbers, symbols and opaque content stay unchanged. */
export function hasWords(segment: Segment): boolean {
  return LETTER.test(segmentText(segment));
}

/** Joins adjacent texts of a run and removes empty ones. */
export function mergeAdjacentTexts(pieces: Segment): Segment {
  const run: SegmentPiece[] = [];
  for (const piece of pieces) {
    const last = run.at(-1);
    if (piece === '') continue;
    if (typeof piece === 'string' && typeof last === 'string') run[run.length - 1] = last + piece;
    else run.push(piece);
  }
  return run;
}

/**
 * Tells whether an answer has exactly the markers of its source, in nested pairs, and whether no marked text with words
 * has become empty. Their order may differ, because words move in other languages.
 */
export function keepsMarkers(source: Segment, answer: Segment): boolean {
  const filled = filledMarks(source);
  const kept = filledMarks(answer);
  return (
    kept !== undefined &&
    filled !== undefined &&
    markers(source) === markers(answer) &&
    [...filled].every((mark) => kept.has(mark))
  );
}

/** The multiset of markers, as a text for comparison. */
function markers(segment: Segment): string {
  return segment
    .flatMap((piece) => (typeof piece === 'string' ? [] : [JSON.stringify(piece)]))
    .sort()
    .join();
}

/** The pairs with words or opaque content; undefined if pairs do not nest. */
function filledMarks(segment: Segment): Set<number> | undefined {
  const filled = new Set<number>();
  const open: number[] = [];
  for (const piece of segment) {
    if (typeof piece === 'string' ? LETTER.test(piece) : 'opaque' in piece) open.forEach((mark) => filled.add(mark));
    else if (typeof piece === 'string') continue;
    else if ('open' in piece) open.push(piece.open);
    else if ('close' in piece && open.pop() !== piece.close) return undefined;
  }
  return open.length === 0 ? filled : undefined;
}
