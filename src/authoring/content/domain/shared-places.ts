import type { Hunk, SideOrder, Sides } from './block-order.js';

/** Keys of blocks at one place that both sides of a merge changed: base blocks, and new ones of either side. */
export interface SharedPlace {
  readonly base: readonly string[];
  readonly added: readonly string[];
}

/**
 * The places where one side put new blocks and the other changed the same place. Removed blocks of a side and their
 * replacement are one run, and runs that share a block are one, as in diff3. New blocks without an adjacent block that
 * both sides kept belong to the run around them. The other side has changed a run if it removed or changed one of its
 * blocks, or put blocks of its own there. If both only inserted, beside blocks that both kept, the place has no base
 * blocks.
 */
export function sharedPlaces<Block>(sides: Sides<Block>, isEdited: (key: string) => boolean): SharedPlace[] {
  const linked = new LinkedKeys();
  const insertions = new Map<string, string>();
  for (const side of [sides.primary, sides.changed]) {
    for (const hunk of side.hunks) {
      const { added, removed } = differenceOf(hunk, side, sides);
      const [first] = added;
      if (first === undefined) continue;
      linked.link([...added, ...(removed.length > 0 ? removed : looseAround(hunk, sides, isEdited))]);
      if (removed.length > 0) continue;
      const span = `${hunk.start} ${hunk.end}`;
      linked.link([first, insertions.get(span) ?? first]);
      insertions.set(span, first);
    }
  }
  const isDisputed = (key: string) => isEdited(key) || !(sides.primary.byKey.has(key) || sides.changed.byKey.has(key));
  return linked.groups().flatMap((keys) => {
    const place = {
      base: keys.filter((key) => sides.base.byKey.has(key)),
      added: keys.filter((key) => !sides.base.byKey.has(key)),
    };
    const both = [sides.primary, sides.changed].every(({ byKey }) => place.added.some((key) => byKey.has(key)));
    return both || place.base.some(isDisputed) ? [place] : [];
  });
}

/** The new blocks of a hunk, and the base blocks that its side removed. */
function differenceOf<Block>(
  { start, end, keys }: Hunk,
  side: SideOrder<Block>,
  { base }: Sides<Block>,
): { added: string[]; removed: string[] } {
  return {
    added: keys.filter((key) => !base.byKey.has(key)),
    removed: base.order.slice(start, end).filter((key) => !side.byKey.has(key)),
  };
}

/** The base blocks around an insertion; none if both sides kept one of them. */
function looseAround<Block>(
  { start, end }: Hunk,
  { base, primary, changed }: Sides<Block>,
  isEdited: (key: string) => boolean,
): string[] {
  const isKept = (key: string) => primary.byKey.has(key) && changed.byKey.has(key) && !isEdited(key);
  const around = base.order.slice(Math.max(0, start - 1), end + 1);
  const atEdge = start === 0 || end === base.order.length;
  // The edge of a page counts as a block that both kept, unless nothing of the page is left.
  return around.some(isKept) || (atEdge && base.order.some(isKept)) ? [] : around;
}

/** Keys in disjoint groups (union-find with path halving), in the order in which they were first added. */
class LinkedKeys {
  private readonly parents = new Map<string, string>();

  link(keys: readonly string[]): void {
    const [first, ...others] = keys;
    if (first === undefined) return;
    const root = this.rootOf(first);
    for (const key of others) this.parents.set(this.rootOf(key), root);
  }

  groups(): string[][] {
    const groups = new Map<string, string[]>();
    for (const key of this.parents.keys()) {
      const root = this.rootOf(key);
      const group = groups.get(root);
      if (group) group.push(key);
      else groups.set(root, [key]);
    }
    return [...groups.values()];
  }

  private rootOf(key: string): string {
    let at = key;
    for (let parent = this.parents.get(at) ?? at; parent !== at; parent = this.parents.get(at) ?? at) {
      this.parents.set(at, this.parents.get(parent) ?? parent);
      at = parent;
    }
    if (!this.parents.has(at)) this.parents.set(at, at);
    return at;
  }
}
