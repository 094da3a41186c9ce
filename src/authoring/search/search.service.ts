import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { ContentStore } from '../content/content-store.js';
import { ancestorsOf, indexPages, pathOf, type PageIndex } from '../content/domain/page-paths.js';
import { primaryPoint } from '../content/content-lines.js';
import { appAddress, pageUrl, type ContentView } from '../content/present-content.js';
import { excerptOf } from './domain/excerpt.js';
import { GeneratedHits } from './generated-hits.js';
import { HitSections, type HitPage, type HitSectionRow } from './hit-sections.js';
import { Queries } from './query-terms.js';
import { rankedPages } from './ranked-pages.js';
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
    private readonly queries: Queries,
  ) {}

  /** Finds pages with the matching sections, best first; at most 1,000 are ranked and counted. */
  async inSpace(space: SpaceAccess, { query, ...request }: SearchQuery): Promise<Page<SearchHit>> {
    const searched = { from: SPACE, values: [space.id] };
    const terms = await this.queries.read(query, space.organizationId, searched);
    const page = await this.lists.list<HitPage & Record<string, unknown>>(request, {
      scope: ['search', space.id, query],
      select: 'h.space_id AS space, h.page_id AS page, h.sections',
      from: `FROM (WITH ${rankedPages(searched)} SELECT * FROM ranked) h WHERE true`,
      countsItself: true,
      values: [...searched.values, ...terms.parameters],
      order: [
        { expression: 'h.score', type: 'numeric' },
        { expression: 'h.page_id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.with(await this.present(space, page.items, terms.shown));
  }

  private async present(space: SpaceAccess, hits: readonly HitPage[], words: readonly string[]): Promise<SearchHit[]> {
    if (hits.length === 0) return [];
    const [pages, generated, sections] = await Promise.all([
      this.store.withAncestors(
        primaryPoint({ spaceId: space.id, sequence: Number.MAX_SAFE_INTEGER }),
        hits.map(({ page }) => page),
      ),
      this.generated.of(space.organizationId, hits),
      this.sections.of(hits),
    ]);
    const index = indexPages([...pages, ...(generated.get(space.id) ?? [])]);
    const view: ContentView = { app: appAddress(this.addresses, space), metadata: false };
    const shown = sections.get(space.id);
    return hits.flatMap(({ page }) => presentHit(page, index, shown?.get(page) ?? [], words, view) ?? []);
  }
}

/** A found page, with the given sections; undefined if it is not in the index. */
export function presentHit(
  id: string,
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
    path,
    sections: sections.map((section): SearchSection => {
      const anchor = section.anchor === '' ? '' : `#${section.anchor}`;
      return {
        id: section.anchor === '' ? id : section.anchor,
        title: section.title === '' ? page.title : section.title,
        path: `${path}${anchor}`,
        body: excerptOf(section.body, words),
        urls: { app: pageUrl(view, path, id, section.anchor) },
      };
    }),
    ancestors: ancestorsOf(page, index).map(({ title }) => ({ title })),
    urls: { app: pageUrl(view, path, id) },
  };
}
