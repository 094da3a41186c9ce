import { createHash } from 'node:crypto';
import type { Side } from './block-order.js';
import type { Item, ItemKey } from './item.js';

/**
 * `attribute`: both sides set it to different values. `block`: both sides changed the block. `blocks`: the sides have different
 * blocks in the place of the same ones. `deleted`: one side deleted what the other changed. `children`: one side deleted a page under which the other put pages. `cycle`: the moves of
 * both sides together would put a page under itself.
 */
export const CONFLICT_KINDS = ['attribute', 'block', 'blocks', 'deleted', 'children', 'cycle'] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

/** What one change and another do to the same thing; `base`, `primary` and `changed` are its three versions as plain JSON. */
export interface Conflict {
  readonly id: string;
  readonly kind: ConflictKind;
  readonly item: ItemKey;
  readonly attribute?: string;
  readonly block?: string;
  /** The keys of the blocks in whose place the sides have different ones; the versions are lists of blocks then. */
  readonly blocks?: readonly string[];
  readonly base: unknown;
  readonly primary: unknown;
  readonly changed: unknown;
}

/** How a conflict is settled: one side, or (documents only) the blocks of a document of one's own. */
export type Resolution = { readonly keep: Side } | { readonly document: { readonly nodes: readonly unknown[] } };

/** The answers to conflicts: by conflict id, else the default, else none. */
export interface Resolutions {
  readonly byConflict: ReadonlyMap<string, Resolution>;
  readonly otherwise?: Side;
}

/** The same conflict of the same three versions has the same id, whatever else has moved since. */
export function conflictOf(facts: Omit<Conflict, 'id'>): Conflict {
  const identity = JSON.stringify([facts.kind, facts.item, facts.attribute, facts.block, facts.base, facts.primary, facts.changed]);
  return { id: createHash('sha256').update(identity).digest('hex').slice(0, 32), ...facts };
}

/** An item as a side of a conflict; `pages` are those that this side has put under it. */
export function sideOf(item: Item | null | undefined, pages: readonly Item[] = []): unknown {
  if (!item) return null;
  const { kind, id, parentId, type, slug, title, hash } = item;
  return {
    kind,
    id,
    parent: parentId === '' ? null : parentId,
    ...(type !== '' && { type }),
    ...(slug !== null && { slug }),
    title,
    ...(hash !== null && { document: hash }),
    ...(pages.length > 0 && { pages: pages.map((page) => sideOf(page)) }),
  };
}

/** Collects the conflicts that no resolution settles, each once. */
export class ConflictBook {
  private readonly open = new Map<string, Conflict>();
  private readonly deleted = new Map<ItemKey, Side>();

  constructor(private readonly resolutions: Resolutions = { byConflict: new Map() }) {}

  /** The resolution of a conflict; undefined notes it as open, and the merge goes on with primary's side. */
  settle(conflict: Conflict): Resolution | undefined {
    const resolution = this.resolutions.byConflict.get(conflict.id) ?? (this.resolutions.otherwise && { keep: this.resolutions.otherwise });
    if (!resolution) this.open.set(conflict.id, conflict);
    return resolution;
  }

  /** The side that settles a conflict which is not about a document; primary's while it is open. */
  side(facts: Omit<Conflict, 'id'>): Side {
    const resolution = this.settle(conflictOf(facts));
    const side = resolution && 'keep' in resolution ? resolution.keep : 'primary';
    if (facts.kind === 'deleted') this.deleted.set(facts.item, side);
    return side;
  }

  /** The side that has settled whether an item is deleted, if that was in conflict: pages below a page go with it. */
  sideOfDeleted(item: ItemKey): Side | undefined {
    return this.deleted.get(item);
  }

  get conflicts(): Conflict[] {
    return [...this.open.values()];
  }
}
