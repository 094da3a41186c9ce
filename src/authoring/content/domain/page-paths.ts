import { ROOT, type Item } from './content-item.js';

/** The pages by id, for finding ancestors. */
export type PageIndex = ReadonlyMap<string, Item>;

export function indexPages(items: Iterable<Item>): PageIndex {
  const index = new Map<string, Item>();
  for (const item of items) if (item.kind === 'page') index.set(item.id, item);
  return index;
}

/** The ancestors of a page, from the root down. */
export function ancestorsOf(page: Item, index: PageIndex): Item[] {
  const chain: Item[] = [];
  const seen = new Set<string>([page.id]);
  for (let above = index.get(page.parentId); above && !seen.has(above.id); above = index.get(above.parentId)) {
    chain.unshift(above);
    seen.add(above.id);
    if (above.parentId === ROOT) break;
  }
  return chain;
}

/** The path of a page: the slugs from the root down to it, joined by slashes. Pages without a slug have none. */
export function pathOf(page: Item, index: PageIndex): string {
  return [...ancestorsOf(page, index), page].flatMap((each) => each.slug ?? []).join('/');
}
