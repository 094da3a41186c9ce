import type { Node } from 'prosemirror-model';

/** The parts of two nodes outside of which they have the same content. */
export interface ChangedRange {
  readonly from: number;
  /** The end in the node of before, and in the one of now. */
  readonly before: number;
  readonly now: number;
}

/** The range that differs; found without a look into the nodes that both share. */
export function changedRange(before: Node, now: Node): ChangedRange | undefined {
  const from = before.content.findDiffStart(now.content);
  const end = before.content.findDiffEnd(now.content);
  if (from === null || end === null) return undefined;
  // Content that is repeated may be found from both sides.
  const overlap = Math.max(0, from - Math.min(end.a, end.b));
  return { from, before: end.a + overlap, now: end.b + overlap };
}
