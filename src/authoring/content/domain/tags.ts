import type { Item, ItemKey, ItemProps } from './content-item.js';

/** A tag on a page; the primary one is shown in the navigation. */
export interface PageTag {
  readonly tag: { readonly kind: 'tag'; readonly tag: string };
  readonly primary?: boolean;
}

/** The attributes in which a page keeps its tags: their slugs in order, and that of the primary one. */
interface TagProps {
  readonly tags?: readonly string[] | undefined;
  readonly primaryTag?: string | undefined;
}

/**
 * The tags of a page as they are stored. They are a set, in the order of their slugs, so that tags that two people add
 * at the same time merge.
 */
export function storedTags(given: readonly PageTag[]): TagProps {
  return {
    tags: given.length === 0 ? undefined : given.map(({ tag }) => tag.tag).sort(),
    primaryTag: given.find(({ primary }) => primary === true)?.tag.tag,
  };
}

/** All tags that a page names, whether they exist or not. */
export function namedTags(props: ItemProps): PageTag[] {
  const { tags = [], primaryTag } = props as TagProps;
  return tags.map((tag) => ({ tag: { kind: 'tag', tag }, ...(tag === primaryTag && { primary: true }) }));
}

/**
 * The tags of a page. A tag that was deleted stays named in the page, so that deleting one changes no page and a merge
 * never has to; it is on the page again once it is there again.
 */
export function tagsOf(page: Item, exists: (slug: string) => boolean): PageTag[] {
  return page.type === 'document' ? namedTags(page.props).filter(({ tag }) => exists(tag.tag)) : [];
}

/** The keys of all tags that pages name. */
export function tagKeysOf(pages: Iterable<Item>): ItemKey[] {
  const slugs = new Set([...pages].flatMap(({ props }) => namedTags(props).map(({ tag }) => tag.tag)));
  return [...slugs].map((slug): ItemKey => `tag:${slug}`);
}

/** The pages with one of these tags, and those above them; all other items as well. */
export function withTags(items: readonly Item[], slugs: readonly string[]): Item[] {
  const existing = new Set(items.flatMap(({ kind, id }) => (kind === 'tag' ? [id] : [])));
  const wanted = new Set(slugs.filter((slug) => existing.has(slug)));
  const pages = new Map(items.flatMap((item) => (item.kind === 'page' ? [[item.id, item] as const] : [])));
  const kept = new Set<string>();
  for (const page of pages.values()) {
    if (tagsOf(page, (slug) => wanted.has(slug)).length === 0) continue;
    for (let at: Item | undefined = page; at && !kept.has(at.id); at = pages.get(at.parentId)) kept.add(at.id);
  }
  return items.filter(({ kind, id }) => kind !== 'page' || kept.has(id));
}
