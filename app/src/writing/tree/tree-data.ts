import { childrenOf, type Forest, ROOT } from '../../ui/tree/forest.js';
import type { Page } from '../queries.js';

/** The pages of a space. */
export type TreeData = Forest<Page>;

/** Makes the index of a tree in one walk. */
export function treeData(pages: readonly Page[]): TreeData {
  const items = new Map<string, Page>();
  const children = new Map<string, readonly string[]>();
  const parents = new Map<string, string>();
  const add = (below: readonly Page[], parent: string): void => {
    children.set(
      parent,
      below.map(({ id }) => id),
    );
    for (const page of below) {
      items.set(page.id, page);
      parents.set(page.id, parent);
      if (page.pages && page.pages.length > 0) add(page.pages, page.id);
    }
  };
  add(pages, ROOT);
  return { items, children, parents };
}

/** A page and all pages below it, parents before their children. */
export function branchOf(tree: TreeData, id: string): string[] {
  const branch = [id];
  for (let index = 0; index < branch.length; index += 1) branch.push(...childrenOf(tree, branch[index] ?? ''));
  return branch;
}

/** The first page that can be read, in the order of the tree. */
export function firstPage({ items }: TreeData): Page | undefined {
  for (const page of items.values()) if (page.type === 'document') return page;
  return undefined;
}

/** Whether pages can stand below a page. */
export function takesChildren({ type }: Page): boolean {
  return type === 'document' || type === 'group';
}

/** The place of a page: below which page, and after how many others. */
export type TreePlace = Readonly<{ into: string; at: number }>;

export type Direction = 'up' | 'down' | 'in' | 'out';

/** Where a page goes by one step; undefined where there is no way. */
export function stepTo(tree: TreeData, id: string, direction: Direction): TreePlace | undefined {
  const parent = tree.parents.get(id);
  if (parent === undefined) return undefined;
  const siblings = childrenOf(tree, parent);
  const index = siblings.indexOf(id);
  if (direction === 'up') return index > 0 ? { into: parent, at: index - 1 } : undefined;
  if (direction === 'down') return index < siblings.length - 1 ? { into: parent, at: index + 1 } : undefined;
  if (direction === 'in') {
    const above = tree.items.get(siblings[index - 1] ?? '');
    return above && takesChildren(above) ? { into: above.id, at: childrenOf(tree, above.id).length } : undefined;
  }
  const into = tree.parents.get(parent);
  return into === undefined ? undefined : { into, at: childrenOf(tree, into).indexOf(parent) + 1 };
}

/** The pages with one of them at another place, or without it where `to` is undefined. */
export function movedPages(pages: readonly Page[], id: string, to?: TreePlace): Page[] {
  let moved: Page | undefined;
  const without = (list: readonly Page[]): Page[] =>
    list.flatMap((page) => {
      if (page.id !== id) return page.pages ? { ...page, pages: without(page.pages) } : page;
      moved = page;
      return [];
    });
  const rest = without(pages);
  if (!moved || !to) return rest;
  const page = moved;
  const put = (list: readonly Page[]): Page[] => [...list.slice(0, to.at), page, ...list.slice(to.at)];
  const within = (list: readonly Page[]): Page[] =>
    list.map((each) => ({
      ...each,
      ...(each.pages && { pages: each.id === to.into ? put(each.pages) : within(each.pages) }),
    }));
  return to.into === ROOT ? put(rest) : within(rest);
}
