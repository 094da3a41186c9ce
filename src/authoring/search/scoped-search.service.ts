import { Injectable } from '@nestjs/common';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { HitPages } from './hit-pages.js';
import type { HitSectionRow } from './hit-sections.js';
import { Queries, type QueryTerms } from './query-terms.js';
import { inOneOrder, type RankedHit } from './ranked-hits.js';
import type { SpaceHit } from './search.schema.js';
import { SPACES_IN_ONE_ORDER, SPACES_IN_ORDER, spacesWithHits, type SpaceHitRow } from './spaces-with-hits.js';

/** A page of a space. */
export interface PageOfSpace {
  readonly space: string;
  readonly page: string;
}

/** A page of which a reader sees other sections than the indexed ones. */
export interface RewrittenPage extends PageOfSpace {
  readonly sections: readonly Omit<HitSectionRow, 'page'>[];
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
    private readonly queries: Queries,
    private readonly registry: Registry,
  ) {}

  /** Finds spaces with their best pages, the best space first. */
  async search(scope: SearchScope, query: string, request: PageRequest): Promise<Page<SpaceHit>> {
    const { page, terms } = await this.rows(scope, query, request);
    return page.with(await this.presented(scope, page.items, terms.shown));
  }

  /** Finds pages of any of the spaces in one order, of the best ten spaces at most ten each. */
  async ranked({ first: _first, ...scope }: SearchScope, query: string): Promise<RankedHit[]> {
    const { page, terms } = await this.rows(scope, query, { limit: SPACES_IN_ONE_ORDER });
    return inOneOrder(page.items, await this.presented(scope, page.items, terms.shown), terms.terms);
  }

  private async rows(
    scope: SearchScope,
    query: string,
    request: PageRequest,
  ): Promise<{ readonly page: Page<SpaceHitRow>; readonly terms: QueryTerms }> {
    const { spaces, first = null, hidden, rewritten, chosen } = scope;
    const searched = { from: SPACES, values: [spaces] };
    const terms = await this.queries.read(query, scope.organizationId, searched);
    const texts = rewritten.flatMap(({ space, page, sections }) =>
      sections.map(({ title, body }) => ({ space, page, title, body })),
    );
    const page = await this.lists.list<SpaceHitRow & Record<string, unknown>>(request, {
      ...SPACES_IN_ORDER,
      scope: ['scoped-search', spaces, first, scope.view, query],
      from: spacesWithHits(searched, this.registry, true),
      values: [
        ...searched.values,
        ...terms.parameters,
        hidden.map(({ space }) => space),
        hidden.map((each) => each.page),
        rewritten.map(({ space }) => space),
        rewritten.map((each) => each.page),
        JSON.stringify(texts),
        null,
        first,
        JSON.stringify(chosen),
      ],
    });
    return { page, terms };
  }

  private presented(
    { organizationId, rewritten }: SearchScope,
    rows: readonly SpaceHitRow[],
    words: readonly string[],
  ): Promise<SpaceHit[]> {
    const seen = new Map(rewritten.map((each) => [`${each.space} ${each.page}`, each.sections]));
    return this.hitPages.present(organizationId, rows, words, (space, id) => seen.get(`${space} ${id}`));
  }
}
