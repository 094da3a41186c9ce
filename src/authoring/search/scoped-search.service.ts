import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { Corrections } from './spelling-corrections.js';
import { searchTerms, type SearchTerm } from './domain/search-terms.js';
import { HitPages } from './hit-pages.js';
import type { HitSectionRow } from './hit-sections.js';
import { spacesWithHits } from './organization-search.service.js';
import type { SpaceHit } from './search.schema.js';
import { firstWithHits } from './search.service.js';

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
  /** Identifies the reader's view: a page of the list belongs to one view. */
  readonly view: string;
}

const VISIBLE = `FROM space s WHERE s.id = ANY ($1::text[]) AND s.deleted_at IS NULL`;

/** Full-text search over some spaces as one reader sees them. */
@Injectable()
export class ScopedSearch {
  constructor(
    private readonly lists: Pages,
    private readonly hitPages: HitPages,
    private readonly corrections: Corrections,
  ) {}

  /** Finds spaces with their best pages, the best space first; misspelled words are corrected if nothing matches. */
  async search(scope: SearchScope, query: string, request: PageRequest): Promise<Page<SpaceHit>> {
    if (query.trim() === '') throw invalid('query', 'must not be empty');
    const terms = searchTerms(query);
    const list = (given: readonly SearchTerm[]) => this.list(scope, query, given, request);
    return firstWithHits(request, await list(terms), async () => this.corrections.of(scope.spaces, terms), list);
  }

  private async list(
    scope: SearchScope,
    query: string,
    terms: readonly SearchTerm[],
    request: PageRequest,
  ): Promise<Page<SpaceHit>> {
    const { spaces, first = null, hidden, rewritten } = scope;
    const texts = rewritten.flatMap(({ space, page, sections }) =>
      sections.map(({ title, body }) => ({ space, page, title, body })),
    );
    const page = await this.lists.list<{ id: string; title: string; pages: readonly string[] }>(request, {
      scope: ['scoped-search', spaces, first, scope.view, query],
      select: 'h.id, h.title, h.pages',
      from: spacesWithHits(VISIBLE, true),
      countsItself: true,
      values: [
        spaces,
        first,
        JSON.stringify(terms),
        hidden.map(({ space }) => space),
        hidden.map((each) => each.page),
        rewritten.map(({ space }) => space),
        rewritten.map((each) => each.page),
        JSON.stringify(texts),
      ],
      order: [
        { expression: 'h.score', type: 'numeric' },
        { expression: 'h.id', type: 'text' },
      ],
      direction: 'desc',
    });
    const seen = new Map(rewritten.map((each) => [`${each.space} ${each.page}`, each.sections]));
    return page.with(
      await this.hitPages.present(scope.organizationId, page.items, terms, (space, id) => seen.get(`${space} ${id}`)),
    );
  }
}
