import { mergeAdjacentTexts, type SegmentPiece, type Segment } from './segment.js';

/** A segment without the surrounding white space, so that equal texts share one memory entry. */
export interface Trimmed {
  readonly before: string;
  readonly core: Segment;
  readonly after: string;
}

export function trimmed(segment: Segment): Trimmed {
  const core: SegmentPiece[] = [...segment];
  const [first] = core;
  const before = typeof first === 'string' ? first.slice(0, first.length - first.trimStart().length) : '';
  if (typeof first === 'string') core[0] = first.trimStart();
  const last = core.at(-1);
  const after = typeof last === 'string' ? last.slice(last.trimEnd().length) : '';
  if (typeof last === 'string') core[core.length - 1] = last.trimEnd();
  return { before, core: mergeAdjacentTexts(core), after };
}

export function untrimmed({ before, core, after }: Trimmed): Segment {
  return mergeAdjacentTexts([before, ...core, after]);
}

/**
 * Tells whether every marker of an answer is within the same pair as in the source: a link that moved into another one
 * could not be represented. Both must have the same markers.
 */
export function keepsNesting(asked: Segment, answer: Segment): boolean {
  const [wanted, found] = [parentsOf(asked), parentsOf(answer)];
  return [...wanted].every(([marker, parent]) => found.get(marker) === parent);
}

function parentsOf(segment: Segment): Map<number, number> {
  const parents = new Map<number, number>();
  const open: number[] = [];
  for (const piece of segment) {
    if (typeof piece === 'string') continue;
    if ('close' in piece) {
      open.pop();
      continue;
    }
    parents.set('open' in piece ? piece.open : piece.opaque, open.at(-1) ?? 0);
    if ('open' in piece) open.push(piece.open);
  }
  return parents;
}
