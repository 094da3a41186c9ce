import type { Conflict, ConflictKind } from '../../content/domain/conflict.js';
import { pageKey, splitKey, type ItemKey } from '../../content/domain/content-item.js';

/** A conflict as people read it. */
export interface ConflictWords {
  /** Names what is in conflict and why. */
  readonly text: string;
  /** The three versions; absent for blocks, whose Markdown says more. */
  readonly words?: Versions<string>;
}

/** Something that each version of a conflict has. */
export type Versions<Version> = Readonly<Record<'base' | 'primary' | 'changed', Version>>;
type Titles = ReadonlyMap<ItemKey, string>;

/** An item as a side of a conflict has it; see `sideOf`. */
type ItemSide = Readonly<{ title?: string; pages?: readonly ItemSide[] }>;

const REASONS: Readonly<Record<ConflictKind, string>> = {
  block: 'both sides changed the same block',
  blocks: 'both sides have different blocks in the same place',
  attribute: 'both sides changed',
  deleted: 'one side deleted it, the other changed it',
  children: 'one side deleted it, the other put pages under it',
  cycle: 'the moves of both sides would put it under itself',
};

/** The keys of the items whose titles the words of a conflict name. */
export function itemsNamedIn({ kind, attribute, item, base, primary, changed }: Conflict): ItemKey[] {
  const sides: readonly unknown[] = [base, primary, changed];
  const parents = attribute === 'place' ? sides.map((side) => Array.isArray(side) && (side[0] as unknown)) : [];
  const pages = [...parents, ...(kind === 'cycle' ? sides.flat(2) : [])];
  return [item, ...pages.filter((page) => typeof page === 'string').map(pageKey)];
}

/** A conflict in words; `attribute` is its name in the interface, and `titles` has those of `itemsNamedIn`. */
export function conflictInWords(conflict: Conflict, attribute: string | undefined, titles: Titles): ConflictWords {
  const { kind, base, primary, changed } = conflict;
  const text = `${subjectOf(conflict, titles)}: ${REASONS[kind]}${attribute === undefined ? '' : ` ${attribute}`}`;
  if (kind === 'block' || kind === 'blocks') return { text };
  const words = (value: unknown): string => versionOf(conflict, value, titles);
  return { text, words: { base: words(base), primary: words(primary), changed: words(changed) } };
}

function subjectOf({ item, base, primary, changed }: Conflict, titles: Titles): string {
  const { kind, id } = splitKey(item);
  if (kind === 'variable') return `Variable ${id}`;
  const sides = [changed, primary, base] as readonly (ItemSide | null)[];
  const title = titles.get(item) ?? sides.find((side) => typeof side?.title === 'string')?.title ?? id;
  return `${{ page: 'Page', file: 'File', reusable: 'Reusable content', tag: 'Tag' }[kind]} “${title}”`;
}

function versionOf({ kind, attribute }: Conflict, value: unknown, titles: Titles): string {
  if (kind === 'cycle') return Array.isArray(value) ? movesOf(value, titles) : placeOf(value, titles);
  if (kind === 'attribute')
    return attribute === 'place' && Array.isArray(value) ? placeOf(value[0], titles) : plain(value);
  if (value === null || value === undefined) return 'Deleted';
  const items = [value].flat() as readonly ItemSide[];
  const below = items.flatMap(({ pages = [] }) => pages);
  return `Stays: ${namesOf(items)}${below.length > 0 ? `, with the pages ${namesOf(below)}` : ''}`;
}

function movesOf(places: readonly unknown[], titles: Titles): string {
  return (places as readonly (readonly [string, string | null])[])
    .map(([page, parent]) => `“${titles.get(pageKey(page)) ?? page}” ${placeOf(parent, titles)}`)
    .sort()
    .join('; ');
}

function placeOf(parent: unknown, titles: Titles): string {
  return typeof parent === 'string' && parent !== ''
    ? `under “${titles.get(pageKey(parent)) ?? parent}”`
    : 'at the top';
}

function namesOf(items: readonly ItemSide[]): string {
  return items.map(({ title = '' }) => `“${title}”`).join(', ');
}

function plain(value: unknown): string {
  return value === null || value === undefined || value === ''
    ? 'Nothing'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
}
