import { compareSiblings, ROOT, type Item } from '../../../../authoring/content/domain/content-item.js';
import { tagsOf } from '../../../../authoring/content/domain/tags.js';

/** A page in its place among the pages that a visitor may see. */
export interface TreePage {
  readonly item: Item;
  readonly parent: TreePage | undefined;
  readonly children: readonly TreePage[];
  /** The slugs from the root down to it; '' where it has none. */
  readonly path: string;
  /** True if it is not in navigation, because of itself or of an ancestor. */
  readonly isHidden: boolean;
}

interface Growing extends TreePage {
  readonly children: TreePage[];
}

/** The pages of one space as some visitors see them. */
export interface SpaceTree {
  readonly roots: readonly TreePage[];
  readonly byId: ReadonlyMap<string, TreePage>;
  readonly byPath: ReadonlyMap<string, TreePage>;
  /** The page at the root of the space. */
  readonly first: TreePage | undefined;
  /** The documents in their order, including hidden ones. */
  readonly documents: readonly TreePage[];
  /** The tags of the space, by their slugs. */
  readonly tags: ReadonlyMap<string, Item>;
}

/** Builds the tree; pages that a visitor may not see are left out with all descendants. */
export function buildSpaceTree(
  items: readonly Item[],
  isShown: (item: Item) => boolean,
  tags: readonly Item[],
): SpaceTree {
  const below = new Map<string, Item[]>();
  for (const item of items) {
    if (item.kind !== 'page') continue;
    const siblings = below.get(item.parentId);
    if (siblings) siblings.push(item);
    else below.set(item.parentId, [item]);
  }
  const byId = new Map<string, TreePage>();
  const byPath = new Map<string, TreePage>();
  const documents: TreePage[] = [];
  const grow = (parentId: string, parent: Growing | undefined): TreePage[] =>
    (below.get(parentId) ?? []).sort(compareSiblings).flatMap((item) => {
      if (byId.has(item.id) || !isShown(item)) return [];
      const page: Growing = {
        item,
        parent,
        children: [],
        path: pathBelow(parent?.path ?? '', item.slug),
        isHidden: (parent?.isHidden ?? false) || item.props['hidden'] === true,
      };
      byId.set(item.id, page);
      if (item.slug !== null && !byPath.has(page.path)) byPath.set(page.path, page);
      if (item.type === 'document') documents.push(page);
      page.children.push(...grow(item.id, page));
      return [page];
    });
  const roots = grow(ROOT, undefined);
  return { roots, byId, byPath, first: documents[0], documents, tags: new Map(tags.map((tag) => [tag.id, tag])) };
}

/** The path of a page within its space: '' for the one at its root. */
export function pathInSpace(tree: SpaceTree, page: TreePage): string {
  return page === tree.first ? '' : page.path;
}

/** The first document at or below a page, in reading order. */
export function firstDocument(page: TreePage): TreePage | undefined {
  if (page.item.type === 'document') return page;
  for (const child of page.children) {
    const found = firstDocument(child);
    if (found) return found;
  }
  return undefined;
}

/** The documents before and after a page, among those in navigation. */
export function neighbours(
  tree: SpaceTree,
  page: TreePage,
): { readonly previous?: TreePage; readonly next?: TreePage } {
  const listed = tree.documents.filter((each) => !each.isHidden || each === page);
  const index = listed.indexOf(page);
  const [previous, next] = [listed[index - 1], listed[index + 1]];
  return index < 0 ? {} : { ...(previous && { previous }), ...(next && { next }) };
}

/** The ancestors of a page, from the root down. */
export function pageAncestors(page: TreePage): TreePage[] {
  const chain: TreePage[] = [];
  for (let each = page.parent; each; each = each.parent) chain.unshift(each);
  return chain;
}

/** A tag that a page shows; the navigation shows the primary one. */
export interface ShownTag {
  readonly tag: Item;
  readonly isPrimary: boolean;
}

/** The tags of a page. */
export function tagsOfPage({ tags }: SpaceTree, { item }: TreePage): ShownTag[] {
  return tagsOf(item, (slug) => tags.has(slug)).flatMap(({ tag, primary = false }) => {
    const found = tags.get(tag.tag);
    return found ? [{ tag: found, isPrimary: primary }] : [];
  });
}

/** A title as navigation shows it. */
export function shortTitle({ item }: TreePage): string {
  const short = item.props['linkTitle'];
  return typeof short === 'string' && short !== '' ? short : item.title;
}

function pathBelow(above: string, slug: string | null): string {
  return slug === null ? above : above === '' ? slug : `${above}/${slug}`;
}
