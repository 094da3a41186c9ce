import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { listBody, type Immutable } from '../../kernel/common/envelope.interceptor.js';
import { Pages } from '../../kernel/common/page.js';
import { ContentStore } from '../content/content-store.js';
import { ancestorsOf, indexPages, pathOf, type PageIndex } from '../content/domain/page-paths.js';
import { primaryPoint } from '../content/content-lines.js';
import { appAddress, pageUrl, type ContentView } from '../content/present-content.js';
import { excerptOf } from './domain/excerpt.js';
import { GeneratedHits } from './generated-hits.js';
import type { RankedPage } from './domain/rank-fusion.js';
import { HiddenPages, viewWithout } from './hidden-pages.js';
import { HitSections, type HitSectionRow } from './hit-sections.js';
import { Rankings } from './rankings.js';
import { keyOf, SearchCache } from './search-cache.js';
import type { SearchHit, SearchQuery, SearchSection } from './search.schema.js';

const SPACE = 'FROM space s WHERE s.id = $1';

/** Full-text search of a space's current content, up to date with the last committed write. */
@Injectable()
export class Search {
  constructor(
    private readonly lists: Pages,
    private readonly store: ContentStore,
    private readonly addresses: Addresses,
    private readonly sections: HitSections,
    private readonly generated: GeneratedHits,
    private readonly rankings: Rankings,
    private readonly hidden: HiddenPages,
    private readonly cache: SearchCache,
  ) {}

  /** Finds pages with the matching sections, best first; at most 500 are ranked and counted. */
  async inSpace(space: SpaceAccess, { query, ...request }: SearchQuery): Promise<Immutable> {
    const ranking = await this.rankings.of(
      query,
      space.organizationId,
      { from: SPACE, values: [space.id], ids: [space.id] },
      viewWithout(await this.hidden.inSpaces([space])),
    );
    return this.cache.answer(ranking.key && keyOf(ranking.key, query, request), async () => {
      const page = this.lists.ofKnown(request, {
        scope: ['search', space.id, query],
        items: inOrder(ranking.pages),
        keys: ({ score, page: id }) => [score, id],
        direction: 'desc',
      });
      return listBody(page.with(await this.present(space, page.items, ranking.shown)));
    });
  }

  private async present(
    space: SpaceAccess,
    hits: readonly PlacedPage[],
    words: readonly string[],
  ): Promise<SearchHit[]> {
    if (hits.length === 0) return [];
    const [pages, generated, sections] = await Promise.all([
      this.store.withAncestors(
        primaryPoint({ spaceId: space.id, sequence: Number.MAX_SAFE_INTEGER }, space.hiddenPages),
        hits.map(({ page }) => page),
      ),
      this.generated.of(space.organizationId, hits),
      this.sections.of(hits),
    ]);
    const index = indexPages([...pages, ...(generated.get(space.id) ?? [])]);
    const view: ContentView = { app: appAddress(this.addresses, space), metadata: false };
    const shown = sections.get(space.id);
    return hits.flatMap((hit) => presentHit(hit, index, shown?.get(hit.page) ?? [], words, view) ?? []);
  }
}

/** A page with its place among all found pages, from 1. */
type PlacedPage = RankedPage & { readonly rank: number };

const inOrder = (pages: readonly RankedPage[]): PlacedPage[] =>
  pages
    .toSorted((one, other) => other.score - one.score || (one.page < other.page ? 1 : -1))
    .map((page, index) => ({ ...page, rank: index + 1 }));

/** A found page, with the given sections; undefined if it is not in the index. */
export function presentHit(
  { page: id, rank, score: found }: Pick<PlacedPage, 'page' | 'rank' | 'score'>,
  index: PageIndex,
  sections: readonly HitSectionRow[],
  words: readonly string[],
  view: ContentView,
): SearchHit | undefined {
  const page = index.get(id);
  if (!page) return undefined;
  const path = pathOf(page, index);
  return {
    id,
    title: page.title,
    description: typeof page.props['description'] === 'string' ? page.props['description'] : '',
    path,
    score: found,
    rank,
    sections: sections.map((section): SearchSection => {
      const anchor = section.anchor === '' ? '' : `#${section.anchor}`;
      return {
        id: section.anchor === '' ? id : section.anchor,
        title: section.title === '' ? page.title : section.title,
        path: `${path}${anchor}`,
        score: section.score,
        body: excerptOf(section.body, words),
        urls: { app: pageUrl(view, path, id, section.anchor) },
      };
    }),
    ancestors: ancestorsOf(page, index).map(({ title }) => ({ title })),
    urls: { app: pageUrl(view, path, id) },
  };
}
