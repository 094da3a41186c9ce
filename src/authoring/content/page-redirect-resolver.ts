import { Injectable } from '@nestjs/common';
import { ContentStore, type Point } from './content-store.js';
import type { Item } from './domain/content-item.js';
import { indexPages, pathOf } from './domain/page-paths.js';
import { PageRedirects } from './page-redirects.js';

/** Finds the pages that paths lead to at which no page stands any more. */
@Injectable()
export class PageRedirectResolver {
  constructor(
    private readonly store: ContentStore,
    private readonly redirects: PageRedirects,
  ) {}

  /** The id of the page that an old path leads to, or one that the space's source redirects; `path` as `redirectPath` gives it. */
  async resolve(point: Point, path: string): Promise<string | undefined> {
    const former = (await this.store.byFormerPath(point, path)) ?? (await this.movedBy(point, path));
    if (former) return former.id;
    for (const { page: id, below } of await this.redirects.follow(point.spaceId, path)) {
      const above = await this.store.withAncestors(point, [id]);
      const page = above.find((item) => item.id === id);
      if (page && below === '') return id;
      const found = page && (await this.store.byFormerPath(point, `${pathOf(page, indexPages(above))}/${below}`));
      if (found) return found.id;
    }
    return undefined;
  }

  /** A page that stood at a path before the change request of a point moved it: merging it makes the path a former one. */
  private async movedBy(point: Point, path: string): Promise<Item | undefined> {
    if (point.line === null) return undefined;
    const before = (await this.store.byPaths({ ...point, line: null, sequence: 0 }, [path])).get(path);
    return before && this.store.get(point, 'page', before.id);
  }
}
