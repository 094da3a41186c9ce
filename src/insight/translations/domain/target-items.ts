import { sourceOfDerived } from '../../../authoring/content/domain/computed/expansion.js';
import {
  compareSiblings,
  itemKey,
  ROOT,
  sameItem,
  type Item,
  type ItemKey,
  type ItemProps,
} from '../../../authoring/content/domain/content-item.js';
import { copiedId } from '../../../authoring/content/domain/copied-id.js';
import { withReaderNote, type ReaderNote } from '../../../authoring/content/domain/reader-note.js';
import { freeSlug, slugOf } from '../../../authoring/content/domain/slug.js';

/** The translation of a page or reusable content; `hash` is that of its document. */
export interface TargetText {
  readonly title: string;
  readonly description?: string;
  readonly linkTitle?: string;
  readonly hash: string | null;
}

/** The slugs of a translation: those of the source, or derived from the translated titles. */
export type Slugs = 'keep' | 'translate';

/**
 * The ids of content in a space that derives from another: deterministic, as the database computes them (`copied_id`).
 */
export class CopiedIds {
  readonly size = Number.POSITIVE_INFINITY;

  constructor(
    private readonly source: string,
    private readonly target: string,
    private readonly ids: ReadonlySet<string>,
  ) {}

  /** The id for one of the source; undefined if it is not an id of the source. */
  get(id: string): string | undefined {
    if (id === this.source) return this.target;
    if (this.ids.has(id)) return this.of(id);
    const computed = sourceOfDerived(id);
    return computed !== undefined && this.ids.has(computed) ? this.of(computed) + id.slice(computed.length) : undefined;
  }

  /** Like `get`, for an id that belongs to the source. */
  of(id: string): string {
    return copiedId(this.target, id);
  }
}

/** The mapping from the items of a source to those of its translation. */
export interface TargetMapping {
  readonly ids: CopiedIds;
  /** By key of the source's item: every page and reusable content. */
  readonly said: ReadonlyMap<ItemKey, TargetText>;
  /** Changes references in the properties of an item from the source's own content to that of the target. */
  readonly refer: (props: ItemProps) => ItemProps;
  readonly slugs: Slugs;
  /** The notes to readers of pages, by the ids of these in the source. */
  readonly notes: ReadonlyMap<string, ReaderNote>;
  /** The current items of the target, by key. */
  readonly present: ReadonlyMap<ItemKey, Item>;
  readonly now: Date;
}

/**
 * The changes that give the target all items of the source, in the same places: new versions of items, null for deleted
 * ones. Names of files and variables and labels of tags are not translated.
 */
export function targetChanges(source: readonly Item[], making: TargetMapping): Map<ItemKey, Item | null> {
  const changes = new Map<ItemKey, Item | null>();
  const kept = new Set<ItemKey>();
  for (const item of withSlugs(
    source.map((each) => targetItem(each, making)),
    source,
    making,
  )) {
    const key = itemKey(item);
    const before = making.present.get(key);
    kept.add(key);
    if (!before) changes.set(key, item);
    else if (!sameItem(before, item)) changes.set(key, { ...item, createdAt: before.createdAt });
  }
  for (const key of making.present.keys()) if (!kept.has(key)) changes.set(key, null);
  return changes;
}

function targetItem(item: Item, { ids, said, refer, notes, now }: TargetMapping): Item {
  const { git: _git, ...given } = refer(item.props) as ItemProps & { git?: unknown };
  const props = withReaderNote(given, item.kind === 'page' ? notes.get(item.id) : undefined);
  const place = { parentId: item.parentId === ROOT ? ROOT : ids.of(item.parentId), createdAt: now, updatedAt: now };
  if (item.kind === 'variable' || item.kind === 'tag') return { ...item, ...place, props };
  const own = { ...item, ...place, props, id: ids.of(item.id) };
  const words = said.get(itemKey(item));
  if (!words) return own;
  const texts = {
    ...(words.description !== undefined && { description: words.description }),
    ...(words.linkTitle !== undefined && { linkTitle: words.linkTitle }),
  };
  return { ...own, title: words.title, hash: words.hash, props: { ...props, ...texts } };
}

/** Derives slugs from titles if requested; slugs of siblings are unique, and a page with a slug of its own keeps it. */
function withSlugs(
  items: readonly Item[],
  source: readonly Item[],
  { slugs, present }: TargetMapping,
): readonly Item[] {
  if (slugs === 'keep') return items;
  const titles = new Map(items.map((item, index) => [item, source[index]?.title]));
  const taken = new Map<string, Set<string>>();
  return items.toSorted(compareSiblings).map((item) => {
    if (item.slug === null) return item;
    const siblings = taken.get(item.parentId) ?? new Set<string>();
    taken.set(item.parentId, siblings);
    const before = present.get(itemKey(item));
    const wanted = titles.get(item) === item.title ? item.slug : slugOf(item.title);
    const isSettled = before?.parentId === item.parentId && isVersionOf(before.slug, wanted);
    const slug = freeSlug((isSettled ? before.slug : null) ?? wanted, siblings);
    siblings.add(slug);
    return { ...item, slug };
  });
}

/** Tells whether a slug equals another one, possibly with a number that makes it unique. */
function isVersionOf(slug: string | null, wanted: string): boolean {
  return slug?.startsWith(wanted) === true && /^(-\d+)?$/.test(slug.slice(wanted.length));
}
