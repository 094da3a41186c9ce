import { Injectable } from '@nestjs/common';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { HitPages } from './hit-pages.js';
import type { SeenSection } from './hit-sections.js';
import { inOneOrder, type RankedHit } from './ranked-hits.js';
import { Rankings, type KeptRanking, type PageOfSpace } from './rankings.js';
import { keyOf, SearchCache } from './search-cache.js';
import type { SpaceHit } from './search.schema.js';
import {
  hitParameters,
  SPACES_IN_ONE_ORDER,
  SPACES_IN_ORDER,
  spacesWithHits,
  type SpaceHitRow,
} from './spaces-with-hits.js';

/** A page of which a reader sees other sections than the indexed ones. */
export interface RewrittenPage extends PageOfSpace {
  readonly sections: readonly SeenSection[];
}

/** The searched spaces, and the parts of them that the reader does not see, or sees in another form. */
export interface SearchScope {
  readonly organizationId: string;
  readonly spaces: readonly string[];
  /** The space whose hits come before those of all others. */
  readonly first?: string;
  /** Pages that the reader cannot see. */
  readonly hidden: readonly PageOfSpace[];
  readonly rewritten: readonly RewrittenPage[];
  /** Pages that count more, by their factors. */
  readonly chosen: readonly (PageOfSpace & { readonly factor: number })[];
  /** Identifies the reader's view: a page of the list belongs to one view. */
  readonly view: string;
}

const SPACES = 'FROM space s WHERE s.id = ANY ($1::text[]) AND s.deleted_at IS NULL';

/** Full-text search over some spaces as one reader sees them. */
@Injectable()
export class ScopedSearch {
  constructor(
    private readonly lists: Pages,
    private readonly hitPages: HitPages,
    private readonly rankings: Rankings,
    private readonly registry: Registry,
    private readonly cache: SearchCache,
  ) {}

  /** Finds spaces with their best pages, the best space first. */
  async search(scope: SearchScope, query: string, request: PageRequest): Promise<Page<SpaceHit>> {
    const { page, ranking } = await this.rows(scope, query, request);
    return page.with(await this.presented(scope, page.items, ranking));
  }

  /** Finds pages of any of the spaces in one order, of the best ten spaces at most ten each. */
  async ranked({ first: _first, ...scope }: SearchScope, query: string): Promise<RankedHit[]> {
    const { page, ranking } = await this.rows(scope, query, { limit: SPACES_IN_ONE_ORDER });
    return inOneOrder(page.items, await this.presented(scope, page.items, ranking), ranking.terms);
  }

  private async rows(
    scope: SearchScope,
    query: string,
    request: PageRequest,
  ): Promise<{ readonly page: Page<SpaceHitRow>; readonly ranking: KeptRanking }> {
    const { spaces, first = null, hidden, rewritten, chosen } = scope;
    const searched = { from: SPACES, values: [spaces], ids: spaces };
    const texts = rewritten.flatMap(({ space, page, sections }) =>
      sections.map(({ title, body }) => ({ space, page, title, body })),
    );
    const ranking = await this.rankings.of(query, scope.organizationId, searched, { hidden, rewritten, texts });
    const page = await this.lists.list<SpaceHitRow & Record<string, unknown>>(request, {
      ...SPACES_IN_ORDER,
      scope: ['scoped-search', spaces, first, scope.view, query],
      from: spacesWithHits(searched, this.registry, true),
      values: [...searched.values, ...hitParameters(ranking), null, first, JSON.stringify(chosen)],
    });
    return { page, ranking };
  }

  private presented(
    { organizationId, rewritten }: SearchScope,
    rows: readonly SpaceHitRow[],
    ranking: KeptRanking,
  ): Promise<SpaceHit[]> {
    const seen = new Map(rewritten.map((each) => [`${each.space} ${each.page}`, each.sections]));
    const key = ranking.key && keyOf(ranking.key, rows);
    return this.cache.get(key, () =>
      this.hitPages.present(organizationId, rows, ranking, (space, id) => seen.get(`${space} ${id}`)),
    );
  }
}
