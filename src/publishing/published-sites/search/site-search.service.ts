import { Injectable } from '@nestjs/common';
import { invalid } from '../../../kernel/common/errors.js';
import { Page, type PageRequest } from '../../../kernel/common/page.js';
import type { RankedHit } from '../../../authoring/search/ranked-hits.js';
import { ScopedSearch, type SearchScope } from '../../../authoring/search/scoped-search.service.js';
import type { SpaceHit } from '../../../authoring/search/search.schema.js';
import { ConditionalPages, type VisitorScope } from './conditional-pages.js';
import type { Visit } from '../visit.js';
import type { SearchedSpaces } from './site-search.schema.js';
import { SearchChoices } from '../../sites/insights/search-choices.service.js';
import type { SiteSectionRow, SiteSpaceRow } from '../../sites/structure.schema.js';

/** A site as a viewer sees it, without invisible parts. */
export interface SearchedSite {
  readonly id: string;
  readonly organizationId: string;
  readonly sections: readonly SiteSectionRow[];
  readonly siteSpaces: readonly SiteSpaceRow[];
  /** The reader whose claims count; members have none, and find everything that they can read. */
  readonly reader?: VisitorScope;
  /** The title of a site that records questions of readers which it does not answer. */
  readonly recordsAs?: string;
}

/** A site as a visitor searches it. */
export function searchedBy({ site, rows, visitor, claimsKey }: Visit): SearchedSite {
  return {
    id: site.id,
    organizationId: site.organizationId,
    sections: rows.sections,
    siteSpaces: rows.siteSpaces,
    reader: { visitor, claimsKey },
    ...(site.unansweredQuestions === 'recorded' && { recordsAs: site.title }),
  };
}

/** Found pages in one site space. */
export interface SiteHit {
  readonly siteSpace: SiteSpaceRow;
  readonly hit: SpaceHit;
}

/** Full-text search over a site. */
@Injectable()
export class SiteSearch {
  constructor(
    private readonly search: ScopedSearch,
    private readonly conditions: ConditionalPages,
    private readonly choices: SearchChoices,
  ) {}

  /**
   * Finds site spaces with their best pages, at most ten each, the current one before all others. Pages that readers of
   * the site opened after the same query count more. Throws `invalid` for
   * an empty query and for site spaces that do not exist.
   */
  async find(site: SearchedSite, query: string, scope: SearchedSpaces, request: PageRequest): Promise<Page<SiteHit>> {
    const found = await this.scoped(site, query, scope);
    if (!found) return new Page([], 0, undefined);
    const page = await this.search.search(found.scope, query, request);
    return page.with(
      page.items.flatMap((hit) => {
        const siteSpace = found.bySpace.get(hit.id);
        return siteSpace ? [{ siteSpace, hit }] : [];
      }),
    );
  }

  /** Finds pages of any site space in one order, best first. Throws as `find`. */
  async ranked(site: SearchedSite, query: string, scope: SearchedSpaces): Promise<RankedHit[]> {
    const found = await this.scoped(site, query, scope);
    return found ? this.search.ranked(found.scope, query) : [];
  }

  private async scoped(
    site: SearchedSite,
    query: string,
    scope: SearchedSpaces,
  ): Promise<{ readonly scope: SearchScope; readonly bySpace: ReadonlyMap<string, SiteSpaceRow> } | undefined> {
    const searched = searchedOf(site, scope);
    const first =
      scope.mode === 'default' ? searched.find(({ siteSpaceId }) => siteSpaceId === scope.currentSiteSpace) : undefined;
    const bySpace = new Map<string, SiteSpaceRow>();
    for (const row of [...(first ? [first] : []), ...searched]) if (!bySpace.has(row.id)) bySpace.set(row.id, row);
    const spaces = [...bySpace.values()].map(({ id, sequence, hiddenPages }) => ({
      id,
      sequence: String(sequence),
      hiddenPages,
    }));
    if (spaces.length === 0) return undefined;
    const [unseen, chosen] = await Promise.all([
      this.conditions.unseen(spaces, site.reader),
      this.choices.of(site.id, query),
    ]);
    return {
      scope: {
        organizationId: site.organizationId,
        spaces: spaces.map(({ id }) => id),
        ...(first && { first: first.id }),
        ...unseen,
        chosen,
        view: site.reader?.claimsKey ?? '',
      },
      bySpace,
    };
  }
}

/** The site spaces of a scope: by default the current one and the default of each section. */
function searchedOf({ sections, siteSpaces }: SearchedSite, scope: SearchedSpaces): SiteSpaceRow[] {
  const alive = siteSpaces.filter(({ deletedAt }) => deletedAt === null);
  const has = (id: string): boolean => siteSpaces.some(({ siteSpaceId }) => siteSpaceId === id);
  if (scope.mode === 'all') return alive;
  if (scope.mode === 'specific') {
    const missing = scope.siteSpaceIds.findIndex((id) => !has(id));
    if (missing >= 0) throw invalid(`${scope.path}.${missing}`, 'is not a site space of this site');
    return alive.filter(({ siteSpaceId }) => scope.siteSpaceIds.includes(siteSpaceId));
  }
  const { currentSiteSpace } = scope;
  if (currentSiteSpace !== undefined && !has(currentSiteSpace))
    throw invalid(scope.path, 'is not a site space of this site');
  const current = alive.find(({ siteSpaceId }) => siteSpaceId === currentSiteSpace);
  const isFront = (row: SiteSpaceRow): boolean =>
    row.isDefault ||
    (sections.length > 0 && !alive.some((other) => other.sectionId === row.sectionId && other.isDefault));
  // In the section of the current site space, other variants would repeat its content.
  return alive.filter(
    (row) => row === current || (isFront(row) && (current === undefined || row.sectionId !== current.sectionId)),
  );
}
