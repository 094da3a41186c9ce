import { createHash } from 'node:crypto';
import type { Side } from './block-order.js';
import type { Item, ItemKey } from './content-item.js';

/**
 * `attribute`: both sides set it to different values. `block`: both sides changed the block. `blocks`: the sides have different
 * blocks in the place of the same ones. `deleted`: one side deleted what the other changed. `children`: one side deleted a page under which the other put pages. `cycle`: the moves of
 * both sides together would put a page under itself.
 */
export const CONFLICT_KINDS = ['attribute', 'block', 'blocks', 'deleted', 'children', 'cycle'] as const;
export type ConflictKind = (typeof CONFLICT_KINDS)[number];

/**
 * A conflict of two changes of the same object; `base`, `primary` and `changed` are its three versions as plain JSON.
 */
export interface Conflict {
  readonly id: string;
  readonly kind: ConflictKind;
  readonly item: ItemKey;
  readonly attribute?: string;
  readonly block?: string;
  /** The keys of the blocks that the sides replaced differently; the versions are lists of blocks then. */
  readonly blocks?: readonly string[];
  readonly base: unknown;
  readonly primary: unknown;
  readonly changed: unknown;
}

/**
 * A document conflict as returned by a thread: its versions are one text of JSON, which may be long and is parsed when
 * it is shown.
 */
export interface WrittenConflict extends Omit<Conflict, 'base' | 'primary' | 'changed'> {
  readonly versions: string;
}

export function writeConflict({ base, primary, changed, ...facts }: Conflict): WrittenConflict {
  return { ...facts, versions: JSON.stringify({ base, primary, changed }) };
}

export function readConflict(conflict: Conflict | WrittenConflict): Conflict {
  if (!('versions' in conflict)) return conflict;
  const { versions, ...facts } = conflict;
  return { ...facts, ...(JSON.parse(versions) as Pick<Conflict, 'base' | 'primary' | 'changed'>) };
}

/** The side to keep in conflicts: by conflict id, else the default, else none. */
export interface Resolutions {
  readonly byConflict: ReadonlyMap<string, Side>;
  readonly otherwise?: Side;
}

/** A conflict of the same three versions always has the same id, whatever else has changed since. */
export function conflictOf(facts: Omit<Conflict, 'id'>): Conflict {
  const identity = JSON.stringify([
    facts.kind,
    facts.item,
    facts.attribute,
    facts.block,
    facts.base,
    facts.primary,
    facts.changed,
  ]);
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

/** Collects unresolved conflicts, without duplicates. */
export class ConflictBook {
  private readonly open = new Map<string, Conflict | WrittenConflict>();
  private readonly deleted = new Map<ItemKey, Side>();

  constructor(private readonly resolutions: Resolutions = { byConflict: new Map() }) {}

  /** Adds an unresolved conflict. */
  note(conflict: Conflict | WrittenConflict): void {
    this.open.set(conflict.id, conflict);
  }

  /** The side that resolves a conflict other than one of documents; primary's while it is open. */
  side(facts: Omit<Conflict, 'id'>): Side {
    const conflict = conflictOf(facts);
    const side = this.resolutions.byConflict.get(conflict.id) ?? this.resolutions.otherwise;
    if (side === undefined) this.note(conflict);
    if (facts.kind === 'deleted') this.deleted.set(facts.item, side ?? 'primary');
    return side ?? 'primary';
  }

  /** The side that decided whether an item is deleted, if that was in conflict: its descendants follow. */
  sideOfDeleted(item: ItemKey): Side | undefined {
    return this.deleted.get(item);
  }

  get conflicts(): (Conflict | WrittenConflict)[] {
    return [...this.open.values()];
  }
}
