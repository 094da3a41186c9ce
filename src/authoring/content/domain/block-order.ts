import { longestIncreasing } from '../../../formats/document/longest-increasing.js';

/** A block of a document as the order of blocks sees it: an identity that edits keep. */
export interface MergeBlock {
  readonly key: string;
}

export type Side = 'primary' | 'changed';

/**
 * The blocks of one side between two blocks that it did not move: new or moved ones, in place of those of the base from
 * `start` up to `end`, which is excluded.
 */
export interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly keys: readonly string[];
}

/**
 * The blocks of one side by key, their keys in order, those that it moved compared with the base, and its differences
 * from the base.
 */
export interface SideOrder<Block> {
  readonly byKey: ReadonlyMap<string, Block>;
  readonly order: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
  readonly moved: ReadonlySet<string>;
  readonly hunks: readonly Hunk[];
}

export interface Sides<Block> {
  readonly base: SideOrder<Block>;
  readonly primary: SideOrder<Block>;
  readonly changed: SideOrder<Block>;
}

/** Computes the order of a side; `index` has the positions in the base, to be reused. */
export function sideOrder<Block extends MergeBlock>(
  base: readonly Block[],
  side: readonly Block[],
  index = positionsOf(base),
): SideOrder<Block> {
  const byKey = new Map(side.map((block) => [block.key, block]));
  const order = side.map((block) => block.key);
  const common = order.filter((key) => index.has(key));
  const unmoved = new Set(longestIncreasing(common.map((key) => index.get(key) ?? 0)));
  const moved = new Set(common.filter((_, position) => !unmoved.has(position)));
  return {
    byKey,
    order,
    positions: side === base ? index : positionsOf(side),
    moved,
    hunks: hunksOf(order, moved, index),
  };
}

export function positionsOf(blocks: readonly MergeBlock[]): Map<string, number> {
  return new Map(blocks.map(({ key }, position) => [key, position]));
}

function hunksOf(order: readonly string[], moved: ReadonlySet<string>, index: ReadonlyMap<string, number>): Hunk[] {
  const hunks: Hunk[] = [];
  let start = 0;
  let keys: string[] = [];
  const close = (end: number): void => {
    if (end > start || keys.length > 0) hunks.push({ start, end, keys });
    start = end + 1;
    keys = [];
  };
  for (const key of order) {
    const position = moved.has(key) ? undefined : index.get(key);
    if (position === undefined) keys.push(key);
    else close(position);
  }
  close(index.size);
  return hunks;
}
