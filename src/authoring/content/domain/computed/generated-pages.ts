import type { Item } from '../content-item.js';
import { ancestorsOf } from '../page-paths.js';

/** Bytes of a page and its place beside its texts. */
const BYTES_OF_PAGE = 900;

/** The pages that the computed pages below one parent generate, found without a look at all of them. */
export class GeneratedPages {
  private readonly index: ReadonlyMap<string, Item>;
  private readonly children = new Map<string, Item[]>();
  private readonly paths = new Map<string, Item>();
  /** Approximate size in memory. */
  readonly bytes: number;

  constructor(pages: readonly Item[]) {
    this.index = new Map(pages.map((page) => [page.id, page]));
    let texts = 0;
    for (const page of pages) {
      const siblings = this.children.get(page.parentId);
      if (siblings) siblings.push(page);
      else this.children.set(page.parentId, [page]);
      const place = placeOf(page.parentId, page.slug ?? '');
      if (!this.paths.has(place)) this.paths.set(place, page);
      const { description } = page.props;
      texts += page.title.length + (typeof description === 'string' ? description.length : 0);
    }
    this.bytes = BYTES_OF_PAGE * pages.length + 2 * texts;
  }

  byId(id: string): Item | undefined {
    return this.index.get(id);
  }

  /** The page with a slug below a parent. */
  below(parentId: string, slug: string): Item | undefined {
    return this.paths.get(placeOf(parentId, slug));
  }

  /** A page with the generated ones above it, and those to which it leads: below it, and for a part of a group beside it. */
  around(page: Item): Item[] {
    const above = ancestorsOf(page, this.index);
    const below = this.descendants(page);
    const beside = below.length === 0 && isOverview(page) ? (this.children.get(page.parentId) ?? []) : [];
    return [...above, ...(beside.length === 0 ? [page] : beside), ...below];
  }

  private descendants({ id }: Item): Item[] {
    return (this.children.get(id) ?? []).flatMap((page) => [page, ...this.descendants(page)]);
  }
}

const placeOf = (parentId: string, slug: string): string => `${parentId}/${slug}`;

function isOverview({ props }: Item): boolean {
  const source = props['computed'] as { readonly props: Readonly<Record<string, unknown>> } | undefined;
  return source?.props['doc'] === 'tag';
}
