import { positionsOf, sideOrder, type MergeBlock, type Side, type SideOrder, type Sides } from './block-order.js';
import { sharedPlaces } from './shared-places.js';

/**
 * The changes of both sides to the same place: the versions of one block (none where a side deleted it, none of the
 * base where both inserted it), or with the reason `replaced` a run of base blocks and the replacement of each side.
 * `keys` are those of the block or of the base blocks of the run.
 */
export interface BlockConflict<Block> {
  readonly keys: readonly string[];
  readonly reason: 'edited' | 'deleted' | 'moved' | 'replaced';
  readonly base: readonly Block[];
  readonly primary: readonly Block[];
  readonly changed: readonly Block[];
}

/** Resolves a conflict: one side, or other blocks in its place; undefined leaves it open. */
export type Settle<Block> = (conflict: BlockConflict<Block>) => Side | readonly Block[] | undefined;

export interface BlockMerge<Block> {
  readonly blocks: Block[];
  readonly conflicts: BlockConflict<Block>[];
}

type Same<Block> = (a: Block, b: Block) => boolean;

/** How blocks of a form are compared. */
export interface BlockComparison<Block> {
  readonly same: Same<Block>;
  /** Content without the keys of a block and of those inside it, as JSON: new blocks of two sides never have the same keys. */
  readonly content: (block: Block) => string;
}

/**
 * Three-way merge of block sequences by identity, after diff3 (Khanna, Kunal, Pierce, "A Formal Investigation of
 * Diff3", 2007), made exact by unique keys: blocks that neither side moved keep the base order, preceded by the blocks
 * that the sides inserted or moved there, primary's first. Contents merge block by block. A conflict arises only if
 * both sides changed the same block, or put different blocks in the place of the same ones; equal replacements are
 * taken once. Keys must be unique on each side.
 */
export function mergeBlocks<Block extends MergeBlock>(
  base: readonly Block[],
  primary: readonly Block[],
  changed: readonly Block[],
  { same, content }: BlockComparison<Block>,
  settle: Settle<Block> = () => undefined,
): BlockMerge<Block> {
  const index = positionsOf(base);
  const sides = {
    base: sideOrder(base, base, index),
    primary: sideOrder(base, primary, index),
    changed: sideOrder(base, changed, index),
  };
  const allKeys = new Set([sides.base, sides.primary, sides.changed].flatMap(({ order }) => order));
  const reasons = reasonsOf(allKeys, sides, same);
  const result = new Result(sides);
  const conflicts: BlockConflict<Block>[] = [];
  const settled = (conflict: BlockConflict<Block>): Side | readonly Block[] => {
    const choice = settle(conflict);
    if (choice === undefined) conflicts.push(conflict);
    return choice ?? 'primary';
  };
  for (const place of sharedPlaces(sides, (key) => isContent(reasons.get(key)))) {
    const keys = [...place.base, ...place.added];
    const versions = versionsOf(keys, sides);
    const alike =
      versions.primary.length === versions.changed.length &&
      versions.primary.every((block, index) => content(block) === content(versions.changed[index] ?? block));
    if (!alike && place.base.length === 0) continue;
    result.take(
      keys,
      alike ? 'primary' : settled({ keys: versions.base.map(({ key }) => key), reason: 'replaced', ...versions }),
    );
  }
  for (const key of allKeys) {
    if (result.has(key)) continue;
    const reason = reasons.get(key);
    if (reason) result.take([key], settled({ keys: [key], reason, ...versionsOf([key], sides) }));
    else result.put(key, pick(key, sides, same));
  }
  return { blocks: result.arrange(), conflicts };
}

/** The reasons why single blocks are in conflict. */
function reasonsOf<Block>(
  allKeys: Iterable<string>,
  sides: Sides<Block>,
  same: Same<Block>,
): Map<string, 'edited' | 'deleted' | 'moved'> {
  const reasons = new Map<string, 'edited' | 'deleted' | 'moved'>();
  const apart = movedApart(sides);
  for (const key of allKeys) {
    const reason =
      reasonOf(sides.base.byKey.get(key), sides.primary.byKey.get(key), sides.changed.byKey.get(key), same) ??
      (apart.has(key) ? 'moved' : undefined);
    if (reason) reasons.set(key, reason);
  }
  return reasons;
}

function reasonOf<Block>(
  b: Block | undefined,
  p: Block | undefined,
  c: Block | undefined,
  same: Same<Block>,
): 'edited' | 'deleted' | undefined {
  if (p && c) {
    if (same(p, c)) return undefined;
    return b && (same(b, p) || same(b, c)) ? undefined : 'edited';
  }
  const left = p ?? c;
  return b && left && !same(b, left) ? 'deleted' : undefined;
}

const isContent = (reason: string | undefined): boolean => reason === 'edited' || reason === 'deleted';

/** The versions of some blocks on each side, in its order. */
function versionsOf<Block>(keys: readonly string[], sides: Sides<Block>): Record<'base' | Side, Block[]> {
  const blocks = ({ byKey, positions }: SideOrder<Block>) =>
    keys.toSorted((a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0)).flatMap((key) => byKey.get(key) ?? []);
  return { base: blocks(sides.base), primary: blocks(sides.primary), changed: blocks(sides.changed) };
}

/** The merged content of a block without a conflict; undefined if it is deleted. */
function pick<Block>(key: string, sides: Sides<Block>, same: Same<Block>): Block | undefined {
  const [b, p, c] = [sides.base.byKey.get(key), sides.primary.byKey.get(key), sides.changed.byKey.get(key)];
  if (b === undefined) return p ?? c;
  if (p === undefined || c === undefined) return undefined;
  return same(b, p) ? c : p;
}

/** The blocks that both sides moved to different places: after different blocks among those that nobody moved. */
function movedApart<Block>({ base, primary, changed }: Sides<Block>): Set<string> {
  const isStable = (key: string) =>
    base.byKey.has(key) &&
    primary.byKey.has(key) &&
    changed.byKey.has(key) &&
    !primary.moved.has(key) &&
    !changed.moved.has(key);
  const [ours, theirs] = [primary, changed].map(({ order }) => anchorsOf(order, isStable));
  return new Set([...primary.moved].filter((key) => changed.moved.has(key) && ours?.get(key) !== theirs?.get(key)));
}

/** For each key the last stable one before it. */
function anchorsOf(order: readonly string[], isStable: (key: string) => boolean): Map<string, string | undefined> {
  let anchor: string | undefined;
  const anchors = new Map<string, string | undefined>();
  for (const key of order) {
    anchors.set(key, anchor);
    if (isStable(key)) anchor = key;
  }
  return anchors;
}

/** The chosen version of each key, and the side whose sequence determines its position. */
class Result<Block> {
  private readonly taken = new Map<string, readonly Block[]>();
  private readonly place = new Map<string, Side>();

  constructor(private readonly sides: Sides<Block>) {}

  /** Tells whether a key has been decided. */
  has(key: string): boolean {
    return this.taken.has(key);
  }

  put(key: string, block: Block | undefined, preferred: Side = 'primary'): void {
    this.taken.set(key, block === undefined ? [] : [block]);
    this.place.set(key, this.ownerOf(key, preferred));
  }

  /**
   * Decides on blocks that are resolved together: all of a side's versions, or other blocks at the position of the
   * first new one.
   */
  take(keys: readonly string[], choice: Side | readonly Block[]): void {
    const side = typeof choice === 'string' ? choice : 'primary';
    for (const key of keys)
      this.put(key, typeof choice === 'string' ? this.sides[side].byKey.get(key) : undefined, side);
    const first = keys.find((key) => !this.sides.base.byKey.has(key)) ?? keys[0];
    if (typeof choice !== 'string' && first !== undefined) this.taken.set(first, choice);
  }

  arrange(): Block[] {
    const { base } = this.sides;
    const starting = this.hunksByStart();
    const result: Block[] = [];
    for (let index = 0; index <= base.order.length; index++) {
      for (const { side, keys } of starting.get(index) ?? []) {
        for (const key of keys) if (this.place.get(key) === side) result.push(...(this.taken.get(key) ?? []));
      }
      const key = base.order[index];
      const owner = key === undefined ? undefined : this.place.get(key);
      if (key !== undefined && owner && !this.sides[owner].moved.has(key)) result.push(...(this.taken.get(key) ?? []));
    }
    return result;
  }

  /** The hunks of both sides by start: insertions before a base block precede replacements of it. */
  private hunksByStart(): Map<number, { side: Side; keys: readonly string[] }[]> {
    const starting = new Map<number, { side: Side; keys: readonly string[] }[]>();
    for (const inserts of [true, false]) {
      for (const side of ['primary', 'changed'] as const) {
        for (const { start, end, keys } of this.sides[side].hunks) {
          if ((start === end) === inserts) starting.set(start, [...(starting.get(start) ?? []), { side, keys }]);
        }
      }
    }
    return starting;
  }

  private ownerOf(key: string, preferred: Side): Side {
    const { base, primary, changed } = this.sides;
    if (!primary.byKey.has(key)) return 'changed';
    if (!changed.byKey.has(key)) return 'primary';
    if (!base.byKey.has(key) || primary.moved.has(key) === changed.moved.has(key)) return preferred;
    return primary.moved.has(key) ? 'primary' : 'changed';
  }
}
