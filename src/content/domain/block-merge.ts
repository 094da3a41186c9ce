/** A block of a document as the merge sees it: an identity that edits keep, and everything else. */
export interface MergeBlock {
  readonly key: string;
  readonly [property: string]: unknown;
}

/** A block that both sides changed. A side without the block deleted it; `base` is absent when both inserted it. */
export interface BlockConflict<Block> {
  readonly key: string;
  readonly reason: 'edited' | 'deleted' | 'moved';
  readonly base: Block | undefined;
  readonly primary: Block | undefined;
  readonly changed: Block | undefined;
}

export type Side = 'primary' | 'changed';
/** How a conflict is to be settled: one side, or other blocks in its place; undefined leaves it open. */
export type Settle<Block> = (conflict: BlockConflict<Block>) => Side | readonly Block[] | undefined;

export interface BlockMerge<Block> {
  readonly blocks: Block[];
  readonly conflicts: BlockConflict<Block>[];
}

/** The blocks of one side by key, which of them it moved against the base, and the kept key before each. */
interface SideOrder<Block> {
  readonly byKey: ReadonlyMap<string, Block>;
  readonly order: readonly string[];
  readonly moved: ReadonlySet<string>;
}

/**
 * Three-way merge of block sequences by identity, after diff3 (Khanna, Kunal, Pierce, "A Formal Investigation of
 * Diff3", 2007), made exact by unique keys: what neither side moved nor deleted is the skeleton in base order; into
 * each gap go first the blocks that primary inserted or moved there, then those of the other side. Contents merge
 * block by block. A conflict arises only where both sides touched the same block. Keys must be unique on each side.
 */
export function mergeBlocks<Block extends MergeBlock>(
  base: readonly Block[],
  primary: readonly Block[],
  changed: readonly Block[],
  same: (a: Block, b: Block) => boolean,
  settle: Settle<Block> = () => undefined,
): BlockMerge<Block> {
  const sides = { base: sideOrder(base, base), primary: sideOrder(base, primary), changed: sideOrder(base, changed) };
  const conflicts: BlockConflict<Block>[] = [];
  const kept = new Map<string, readonly Block[]>();
  const place = new Map<string, Side>();
  for (const key of new Set([...sides.base.order, ...sides.primary.order, ...sides.changed.order])) {
    const b = sides.base.byKey.get(key);
    const p = sides.primary.byKey.get(key);
    const c = sides.changed.byKey.get(key);
    const reason: BlockConflict<Block>['reason'] | undefined = conflictOf(b, p, c, same) ?? (movedApart(key, sides) ? 'moved' : undefined);
    if (reason) {
      const conflict = { key, reason, base: b, primary: p, changed: c };
      const choice = settle(conflict);
      if (choice === undefined) conflicts.push(conflict);
      const taken = choice === undefined || choice === 'primary' ? one(p) : choice === 'changed' ? one(c) : choice;
      if (taken.length > 0) kept.set(key, taken);
      place.set(key, owner(key, sides, choice === 'changed' ? 'changed' : 'primary'));
      continue;
    }
    const merged = pick(b, p, c, same);
    if (merged) kept.set(key, [merged]);
    place.set(key, owner(key, sides, 'primary'));
  }
  return { blocks: arrange(sides, kept, place), conflicts };
}

function one<Block>(block: Block | undefined): readonly Block[] {
  return block === undefined ? [] : [block];
}

function conflictOf<Block>(b: Block | undefined, p: Block | undefined, c: Block | undefined, same: (a: Block, b: Block) => boolean): 'edited' | 'deleted' | undefined {
  if (p && c) {
    if (same(p, c)) return undefined;
    return b && (same(b, p) || same(b, c)) ? undefined : 'edited';
  }
  const left = p ?? c;
  return b && left && !same(b, left) ? 'deleted' : undefined;
}

/** The merged content of a block that is not in conflict; undefined where it is deleted. */
function pick<Block>(b: Block | undefined, p: Block | undefined, c: Block | undefined, same: (a: Block, b: Block) => boolean): Block | undefined {
  if (b === undefined) return p ?? c;
  if (p === undefined || c === undefined) return undefined;
  return same(b, p) ? c : p;
}

interface Sides<Block> {
  readonly base: SideOrder<Block>;
  readonly primary: SideOrder<Block>;
  readonly changed: SideOrder<Block>;
}

/** Whose sequence decides where a block stands. */
function owner<Block>(key: string, { base, primary, changed }: Sides<Block>, preferred: Side): Side {
  if (!primary.byKey.has(key)) return 'changed';
  if (!changed.byKey.has(key)) return 'primary';
  if (!base.byKey.has(key)) return preferred;
  if (primary.moved.has(key) === changed.moved.has(key)) return preferred;
  return primary.moved.has(key) ? 'primary' : 'changed';
}

/** Both sides moved the block, and not to the same place. */
function movedApart<Block>(key: string, { base, primary, changed }: Sides<Block>): boolean {
  const both = primary.byKey.has(key) && changed.byKey.has(key);
  if (!both || !base.byKey.has(key) || !primary.moved.has(key) || !changed.moved.has(key)) return false;
  const stable = (anchor: string) =>
    base.byKey.has(anchor) && primary.byKey.has(anchor) && changed.byKey.has(anchor) && !primary.moved.has(anchor) && !changed.moved.has(anchor);
  return anchorBefore(key, primary.order, stable) !== anchorBefore(key, changed.order, stable);
}

function anchorBefore(key: string, order: readonly string[], stable: (key: string) => boolean): string | undefined {
  for (let i = order.indexOf(key) - 1; i >= 0; i--) {
    const candidate = order[i];
    if (candidate !== undefined && stable(candidate)) return candidate;
  }
  return undefined;
}

function arrange<Block>({ base, primary, changed }: Sides<Block>, kept: ReadonlyMap<string, readonly Block[]>, place: ReadonlyMap<string, Side>): Block[] {
  const stable = (key: string) =>
    kept.has(key) && base.byKey.has(key) && primary.byKey.has(key) && changed.byKey.has(key) && !primary.moved.has(key) && !changed.moved.has(key);
  const gaps = { primary: gapsOf(primary.order, stable), changed: gapsOf(changed.order, stable) };
  const result: Block[] = [];
  const fill = (anchor: string | undefined) => {
    for (const side of ['primary', 'changed'] as const) {
      for (const key of gaps[side].get(anchor) ?? []) {
        if (place.get(key) === side) result.push(...(kept.get(key) ?? []));
      }
    }
  };
  fill(undefined);
  for (const key of base.order) {
    if (!stable(key)) continue;
    result.push(...(kept.get(key) ?? []));
    fill(key);
  }
  return result;
}

/** The keys that follow each stable key (undefined: the start) up to the next one. */
function gapsOf(order: readonly string[], stable: (key: string) => boolean): Map<string | undefined, string[]> {
  const gaps = new Map<string | undefined, string[]>();
  let anchor: string | undefined;
  for (const key of order) {
    if (stable(key)) {
      anchor = key;
      continue;
    }
    const gap = gaps.get(anchor);
    if (gap) gap.push(key);
    else gaps.set(anchor, [key]);
  }
  return gaps;
}

function sideOrder<Block extends MergeBlock>(base: readonly Block[], side: readonly Block[]): SideOrder<Block> {
  const byKey = new Map(side.map((block) => [block.key, block]));
  const index = new Map(base.map((block, position) => [block.key, position]));
  const common = side.filter((block) => index.has(block.key)).map((block) => block.key);
  const unmoved = longestIncreasing(common.map((key) => index.get(key) ?? 0));
  const moved = new Set(common.filter((_, position) => !unmoved.has(position)));
  return { byKey, order: side.map((block) => block.key), moved };
}

/** The positions of a longest increasing subsequence (patience sorting, O(n log n)). */
function longestIncreasing(values: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous: (number | undefined)[] = [];
  values.forEach((value, position) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[position] = low > 0 ? tails[low - 1] : undefined;
    tails[low] = position;
  });
  const positions = new Set<number>();
  for (let at = tails.at(-1); at !== undefined; at = previous[at]) positions.add(at);
  return positions;
}
