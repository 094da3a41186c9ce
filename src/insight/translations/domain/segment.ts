/**
 * One block's inline run: text with markers. Markers pair up as tags do: open/close around marked text, or single for
 * something opaque (inline code, images, math, references).
 */
export type SegmentPiece =
  string | { readonly open: number } | { readonly close: number } | { readonly opaque: number };
export type Segment = readonly SegmentPiece[];

const LETTER = /\p{L}/u;

/** The text of a segment without its markers. */
export function segmentText(segment: Segment): string {
  return segment.filter((piece) => typeof piece === 'string').join('');
}

/** Whether a segment has anything to translate: figures, signs and what is opaque stay as they are. */
export function hasWords(segment: Segment): boolean {
  return LETTER.test(segmentText(segment));
}

/** The same run with neighbouring texts joined and empty ones left out. */
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
 * Whether an answer has exactly the markers of its source, in pairs that nest, and whether no marked text with words has
 * become empty. Their order may differ, as words move in other languages.
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

/** The multiset of markers, as a text that can be compared. */
function markers(segment: Segment): string {
  return segment
    .flatMap((piece) => (typeof piece === 'string' ? [] : [JSON.stringify(piece)]))
    .sort()
    .join();
}

/** The marks that have words or something opaque within; undefined where marks do not nest. */
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
