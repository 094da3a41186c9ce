import { firstDocument, shortTitle, type SpaceTree, type TreePage } from './space-tree.js';

/** A page in the sidebar. */
export interface NavigationPage {
  readonly page: TreePage;
  readonly title: string;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly children: readonly (NavigationPage | OmittedPages)[];
  readonly hasMore: boolean;
}

/** Omitted pages at one end of a level; the nearest of them shows others. */
export interface OmittedPages {
  readonly count: number;
  readonly nearest: TreePage | undefined;
}

/** Up to so many pages every page contains the whole tree; for larger spaces only the open part. */
const WHOLE_TREE = 200;
/** Maximum number of listed pages of one level, around the open one. */
const SIBLINGS = 100;
/** Maximum number of listed pages in all; later groups show only the number of their pages. */
const ALL_LISTED = 1000;

/** The navigation of a space, as shown on one of its pages. */
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

/** Omitted pages, the nearest first. */
function more(pages: readonly TreePage[]): OmittedPages[] {
  return pages.length === 0
    ? []
    : [{ count: pages.length, nearest: pages.map(firstDocument).find((page) => page !== undefined) }];
}
