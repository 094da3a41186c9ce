import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { invalid } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { ContentStore } from '../content/content-store.js';
import { ancestorsOf, indexPages, pathOf, type PageIndex } from '../content/domain/page-paths.js';
import { primaryPoint } from '../content/content-lines.js';
import { appAddress, pageUrl, type ContentView } from '../content/present-content.js';
import { Corrections } from './spelling-corrections.js';
import { excerptOf } from './domain/excerpt.js';
import { searchTerms, wholeWords, wordsToShow, type SearchTerm } from './domain/search-terms.js';
import { HitSections, type HitSectionRow } from './hit-sections.js';
import type { SearchHit, SearchQuery, SearchSection } from './search.schema.js';

/** Maximum number of pages that are ranked and counted; also of titles and headings that are examined, each. */
export const CANDIDATES = 1_000;
/** Maximum number of texts that are examined: a page has several. */
export const TEXTS = 2_000;
/** The smallest sample of a space has one of so many texts. More frequent words are searched in a sample only. */
const SMALLEST_SAMPLE = 64;
const FREQUENT = 25;
/**
 * If so many texts contain the words as typed, prefixes of the last one are not searched: an index finds those in all
 * spaces before it can filter by space.
 */
const COMMON = 200;
/** The sample is the largest with about so many expected texts. */
const TEXTS_IN_SAMPLE = 1_200;

interface HitRow {
  page_id: string;
}

/** Excluded words must not occur below the heading either. */
export const EXCLUDED = ' AND (NOT q.excludes OR s.vector @@ q.own)';

/**
 * The matches of `q` by one index alone, with their pages; comparing the space column as well makes the result exact.
 */
const matching = (vector: string, more = ''): string => `CROSS JOIN LATERAL (
        SELECT s.hash, s.${vector} AS vector FROM section_vector s WHERE s.${vector} @@ q.here AND s.space_id || '' = $1${more} OFFSET 0) s
     CROSS JOIN LATERAL (SELECT c.page_id FROM section_current c WHERE c.space_id = $1 AND c.hash = s.hash OFFSET 0) c`;

/**
 * The hits `h` of a query: $1 space, $2 language, $3 terms, $4 the same without unfinished words. Titles count before
 * headings, headings before text; within these the rank decides, and if one kind has enough hits the next are not
 * searched. Only current content is found. Words in nearly all texts are searched in a sample of the texts, the same
 * each time: finding and ranking all of them would not help. The space is a word of every vector; its column is hidden
 * from the planner, which would otherwise choose the index of the whole space.
 */
const HITS = `FROM (
  WITH words AS MATERIALIZED (SELECT search_query(search_config($2), $3::jsonb) AS own, search_query(search_config($2), $4::jsonb) AS whole),
  query AS MATERIALIZED (SELECT own, whole, own && ('''~' || $1 || '''')::tsquery AS here, own::text LIKE '%!%' AS excludes FROM words WHERE numnode(own) > 0),
  titles AS MATERIALIZED (
    SELECT c.page_id, 3 AS level, ts_rank(c.title_vector, q.own) AS rank
      FROM query q JOIN page_current c ON c.title_vector @@ q.here AND c.space_id || '' = $1 LIMIT ${CANDIDATES}),
  headings AS MATERIALIZED (
    SELECT c.page_id, 2 AS level, ts_rank(s.vector, q.own) AS rank
      FROM query q ${matching('heading_vector', EXCLUDED)}
     WHERE (SELECT count(*) FROM titles) < ${CANDIDATES} LIMIT ${CANDIDATES}),
  probe AS MATERIALIZED (
    SELECT count(*) AS texts FROM query q
     CROSS JOIN LATERAL (SELECT FROM section_vector s WHERE s.vector @@ (q.whole && ('''~' || $1 || '.6''')::tsquery) LIMIT ${TEXTS_IN_SAMPLE}) found),
  common AS MATERIALIZED (
    SELECT count(*) >= ${COMMON} AS is_so FROM query q CROSS JOIN probe p
     CROSS JOIN LATERAL (
       SELECT FROM section_vector s WHERE s.vector @@ (q.whole && ('''~' || $1 || '''')::tsquery) AND p.texts <= ${FREQUENT} AND q.whole <> q.own LIMIT ${COMMON}) found),
  sample AS MATERIALIZED (
    SELECT CASE WHEN p.texts > ${FREQUENT} OR w.is_so THEN q.whole ELSE q.own END AS own,
           CASE WHEN p.texts > ${FREQUENT}
                THEN q.whole && ('''~' || $1 || '.' || least(6, ceil(log(2, p.texts * ${SMALLEST_SAMPLE} / ${TEXTS_IN_SAMPLE}.0))) || '''')::tsquery
                WHEN w.is_so THEN q.whole && ('''~' || $1 || '''')::tsquery ELSE q.here END AS here
      FROM query q CROSS JOIN probe p CROSS JOIN common w),
  texts AS (
    SELECT c.page_id, 1 AS level, ts_rank(s.vector, q.own) AS rank
      FROM sample q ${matching('vector')}
     WHERE (SELECT count(*) FROM titles) + (SELECT count(*) FROM headings) < ${CANDIDATES} LIMIT ${TEXTS})
  SELECT page_id, (max(level) + least(max(rank), 0.99))::numeric(8, 6) AS score
    FROM (SELECT * FROM titles UNION ALL SELECT * FROM headings UNION ALL SELECT * FROM texts) found
   GROUP BY page_id ORDER BY score DESC LIMIT ${CANDIDATES}) h WHERE true`;

/** Full-text search of a space's current content, up to date with the last committed write. */
@Injectable()
export class Search {
  constructor(
    private readonly lists: Pages,
    private readonly store: ContentStore,
    private readonly addresses: Addresses,
    private readonly sections: HitSections,
    private readonly corrections: Corrections,
  ) {}

  /**
   * Finds pages with the matching sections, best first; at most 1,000 are ranked and counted. If nothing matches, words
   * are corrected.
   */
  async inSpace(space: SpaceAccess, { query, ...request }: SearchQuery): Promise<Page<SearchHit>> {
    if (query.trim() === '') throw invalid('query', 'must not be empty');
    const terms = searchTerms(query);
    const list = (given: readonly SearchTerm[]) => this.list(space, query, given, request);
    return firstWithHits(request, await list(terms), async () => this.corrections.of([space.id], terms), list);
  }

  private async list(
    space: SpaceAccess,
    query: string,
    terms: readonly SearchTerm[],
    request: PageRequest,
  ): Promise<Page<SearchHit>> {
    const page = await this.lists.list<HitRow & Record<string, unknown>>(request, {
      scope: ['search', space.id, query],
      select: 'h.page_id',
      from: HITS,
      countsItself: true,
      values: [space.id, space.language, JSON.stringify(terms), JSON.stringify(wholeWords(terms))],
      order: [
        { expression: 'h.score', type: 'numeric' },
        { expression: 'h.page_id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.with(await this.present(space, page.items, terms));
  }

  private async present(
    space: SpaceAccess,
    hits: readonly HitRow[],
    terms: readonly SearchTerm[],
  ): Promise<SearchHit[]> {
    if (hits.length === 0) return [];
    const [pages, sections] = await Promise.all([
      this.store.withAncestors(
        primaryPoint({ spaceId: space.id, sequence: Number.MAX_SAFE_INTEGER }),
        hits.map((hit) => hit.page_id),
      ),
      this.sections.of(
        hits.map(({ page_id: page }) => ({ space: space.id, page })),
        terms,
      ),
    ]);
    const index = indexPages(pages);
    const view: ContentView = { app: appAddress(this.addresses, space), metadata: false };
    const words = wordsToShow(terms);
    const shown = sections.get(space.id);
    return hits.flatMap(({ page_id: id }) => presentHit(id, index, shown?.get(id) ?? [], words, view) ?? []);
  }
}

/** The given page of a list or, if it is empty, that of the first of the corrected queries with hits. */
export async function firstWithHits<Hit>(
  { limit }: PageRequest,
  page: Page<Hit>,
  corrections: () => Promise<SearchTerm[][]>,
  list: (terms: readonly SearchTerm[]) => Promise<Page<Hit>>,
): Promise<Page<Hit>> {
  // If no items were requested, the count decides.
  const hasHits = ({ items, count }: Page<Hit>): boolean => items.length > 0 || (limit === 0 && count > 0);
  if (hasHits(page)) return page;
  for (const terms of await corrections()) {
    const corrected = await list(terms);
    if (hasHits(corrected)) return corrected;
  }
  return page;
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
