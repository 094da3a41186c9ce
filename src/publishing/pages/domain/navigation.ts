import { shortTitle, type SpaceTree, type TreePage } from './tree.js';

/** A page as the sidebar lists it. */
export interface Listed {
  readonly page: TreePage;
  readonly title: string;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly children: readonly Listed[];
  readonly hasMore: boolean;
}

/** Up to so many pages the whole tree is in every page; of larger ones what is open. */
const WHOLE_TREE = 200;

/** The pages of a space in navigation, seen from one of them. */
export function listed(tree: SpaceTree, current: TreePage | undefined): Listed[] {
  const open = new Set<TreePage>();
  for (let page = current; page; page = page.parent) open.add(page);
  const isWhole = tree.byId.size <= WHOLE_TREE;
  const list = (pages: readonly TreePage[]): Listed[] =>
    pages
      .filter(({ isHidden }) => !isHidden)
      .map((page) => {
        const isGroup = page.item.type === 'group';
        const shows = isWhole || isGroup || open.has(page);
        const children = shows ? list(page.children) : [];
        return { page, title: shortTitle(page), isCurrent: page === current, isOpen: open.has(page), children, hasMore: !shows && page.children.some(({ isHidden }) => !isHidden) };
      });
  return list(tree.roots);
}
