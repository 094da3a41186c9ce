import { firstDocument, shortTitle, type SpaceTree, type TreePage } from './space-tree.js';

/** A page as the sidebar lists it. */
export interface NavigationPage {
  readonly page: TreePage;
  readonly title: string;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly children: readonly (NavigationPage | OmittedPages)[];
  readonly hasMore: boolean;
}

/** Pages of a level that are left out at one of its ends; from the nearest of them on one sees others. */
export interface OmittedPages {
  readonly count: number;
  readonly nearest: TreePage | undefined;
}

/** Up to so many pages the whole tree is in every page; of larger ones what is open. */
const WHOLE_TREE = 200;
/** Pages of one level that are listed, around the one that is open. */
const SIBLINGS = 100;
/** Pages that are listed at all; groups that come later show only how much is in them. */
const ALL_LISTED = 1000;

/** The pages of a space in navigation, seen from one of them. */
export function navigationPages(tree: SpaceTree, current: TreePage | undefined): (NavigationPage | OmittedPages)[] {
  const open = new Set<TreePage>();
  for (let page = current; page; page = page.parent) open.add(page);
  const isWhole = tree.byId.size <= WHOLE_TREE;
  let left = ALL_LISTED;
  const list = (all: readonly TreePage[]): (NavigationPage | OmittedPages)[] => {
    const pages = all.filter(({ isHidden }) => !isHidden);
    const at = Math.max(
      0,
      pages.findIndex((page) => open.has(page)),
    );
    const room = isWhole ? pages.length : SIBLINGS;
    const start = Math.max(0, Math.min(at - (room >> 1), pages.length - room));
    const shown = pages.slice(start, start + room);
    left -= shown.length;
    return [...more(pages.slice(0, start).reverse()), ...shown.map(entry), ...more(pages.slice(start + room))];
  };
  const entry = (page: TreePage): NavigationPage => {
    const isGroup = page.item.type === 'group';
    const shows = isWhole || open.has(page) || (isGroup && left > 0);
    const below = shows ? [] : page.children.filter(({ isHidden }) => !isHidden);
    const children = shows ? list(page.children) : isGroup ? more(below) : [];
    return {
      page,
      title: shortTitle(page),
      isCurrent: page === current,
      isOpen: open.has(page),
      children,
      hasMore: below.length > 0,
    };
  };
  return list(tree.roots);
}

/** Pages that are left out, the nearest first. */
function more(pages: readonly TreePage[]): OmittedPages[] {
  return pages.length === 0
    ? []
    : [{ count: pages.length, nearest: pages.map(firstDocument).find((page) => page !== undefined) }];
}
