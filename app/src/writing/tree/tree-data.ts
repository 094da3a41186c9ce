import type { Page } from '../queries.js';

/** The id of what is above all pages. */
export const ROOT = 'root';

/** A page with its place in the tree. */
export interface TreeNode {
  readonly page: Page;
  readonly parent: string;
  readonly children: readonly string[];
}

/** The pages of a space by their ids; `ROOT` has those at the top. */
export interface TreeData {
  readonly nodes: ReadonlyMap<string, TreeNode>;
  readonly roots: readonly string[];
}

/** Makes the index of a tree in one walk. */
export function treeData(pages: readonly Page[]): TreeData {
  const nodes = new Map<string, TreeNode>();
  const stack = pages.map((page) => ({ page, parent: ROOT })).reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { page, parent } = next;
    const below = page.pages ?? [];
    nodes.set(page.id, { page, parent, children: below.map(({ id }) => id) });
    for (let index = below.length - 1; index >= 0; index -= 1) {
      const child = below[index];
      if (child) stack.push({ page: child, parent: page.id });
    }
  }
  return { nodes, roots: pages.map(({ id }) => id) };
}

export function childrenOf({ nodes, roots }: TreeData, id: string): readonly string[] {
  return id === ROOT ? roots : (nodes.get(id)?.children ?? []);
}

/** The ids of the pages above a page, the nearest first. */
export function ancestorsOf({ nodes }: TreeData, id: string): string[] {
  const above: string[] = [];
  for (let parent = nodes.get(id)?.parent; parent !== undefined && parent !== ROOT; parent = nodes.get(parent)?.parent)
    above.push(parent);
  return above;
}

/** A page and all pages below it, parents before their children. */
export function branchOf(tree: TreeData, id: string): string[] {
  const branch = [id];
  for (let index = 0; index < branch.length; index += 1) branch.push(...childrenOf(tree, branch[index] ?? ''));
  return branch;
}

/** The first page that can be read, in the order of the tree. */
export function firstPage({ nodes }: TreeData): Page | undefined {
  for (const { page } of nodes.values()) if (page.type === 'document') return page;
  return undefined;
}

/** Whether pages can stand below a page. */
export function takesChildren({ type }: Page): boolean {
  return type === 'document' || type === 'group';
}

/** The place of a page: below which page, and after how many others. */
export interface TreePlace {
  readonly into: string;
  readonly at: number;
}

export type Direction = 'up' | 'down' | 'in' | 'out';

/** Where a page goes by one step; undefined where there is no way. */
export function stepTo(tree: TreeData, id: string, direction: Direction): TreePlace | undefined {
  const node = tree.nodes.get(id);
  if (!node) return undefined;
  const siblings = childrenOf(tree, node.parent);
  const index = siblings.indexOf(id);
  if (direction === 'up') return index > 0 ? { into: node.parent, at: index - 1 } : undefined;
  if (direction === 'down') return index < siblings.length - 1 ? { into: node.parent, at: index + 1 } : undefined;
  if (direction === 'in') {
    const above = tree.nodes.get(siblings[index - 1] ?? '');
    return above && takesChildren(above.page) ? { into: above.page.id, at: above.children.length } : undefined;
  }
  const parent = tree.nodes.get(node.parent);
  if (!parent) return undefined;
  return { into: parent.parent, at: childrenOf(tree, parent.parent).indexOf(node.parent) + 1 };
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
