import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../access/access.service.js';
import { Addresses } from '../common/addresses.js';
import { Database } from '../common/database.js';
import { invalid } from '../common/errors.js';
import { Pages, type Page } from '../common/page.js';
import { ContentStore } from '../content/content-store.js';
import { ancestorsOf, indexPages, pathOf, type PageIndex } from '../content/domain/paths.js';
import { primaryPoint } from '../content/lines.js';
import { appAddress, pageAddress, type ContentView } from '../content/present-content.js';
import { excerptOf } from './domain/excerpt.js';
import { plainWords, searchWords } from './domain/search-words.js';
import type { SearchHit, SearchQuery, SearchSection } from './search.schema.js';

/** Rows that are ranked and counted at most, of titles, of headings and of texts each. */
export const CANDIDATES = 1_000;
export const SECTIONS_PER_PAGE = 5;
/** Characters of a section among which the excerpt is looked for. */
export const EXCERPT_SOURCE = 10_000;

interface HitRow {
  page_id: string;
  hash: Buffer | null;
  sections: number[];
}

/** The text under a heading, as much of it as excerpts look at. */
export interface SectionRow {
  page: string;
  anchor: string;
  title: string;
  body: string;
}

/**
 * The hits `h` of a query: $1 space, $2 language, $3 complete words, $4 the last word or null. Titles count before
 * headings, headings before text; within these the rank decides. Only current documents are hit. The space is a word of every
 * vector; comparing its column as well is certainty, kept out of the planner's sight, whose index of the whole space it
 * would take.
 */
const HITS = `FROM (
  WITH words AS MATERIALIZED (
    SELECT websearch_to_tsquery(search_config($2), $3) && CASE WHEN $4::text IS NULL THEN ''::tsquery
             ELSE websearch_to_tsquery(search_config($2), $4) || to_tsquery('pg_catalog.simple', '''' || $4 || ''':*') END AS own),
  query AS MATERIALIZED (SELECT own, own && ('''~' || $1 || '''')::tsquery AS here FROM words WHERE numnode(own) > 0),
  titles AS (
    SELECT c.page_id, c.hash, NULL::int AS idx, 3 AS level, ts_rank(c.title_vector, q.own) AS rank
      FROM query q JOIN page_current c ON c.title_vector @@ q.here AND c.space_id || '' = $1 LIMIT ${CANDIDATES}),
  headings AS (
    SELECT c.page_id, s.hash, s.idx, 2 AS level, ts_rank(s.heading_vector, q.own) AS rank
      FROM query q JOIN document_section s ON s.heading_vector @@ q.here AND s.space_id || '' = $1
      JOIN page_current c ON c.hash = s.hash AND c.space_id || '' = $1 LIMIT ${CANDIDATES}),
  texts AS (
    SELECT c.page_id, s.hash, s.idx, 1 AS level, ts_rank(s.vector, q.own) AS rank
      FROM query q JOIN document_section s ON s.vector @@ q.here AND s.space_id || '' = $1
      JOIN page_current c ON c.hash = s.hash AND c.space_id || '' = $1 LIMIT ${CANDIDATES}),
  best AS (
    SELECT page_id, hash, idx, max(level) AS level, max(rank) AS rank
      FROM (SELECT * FROM titles UNION ALL SELECT * FROM headings UNION ALL SELECT * FROM texts) found GROUP BY page_id, hash, idx)
  SELECT page_id, hash, (max(level) + least(max(rank), 0.99))::numeric(8, 6) AS score,
         (array_agg(idx ORDER BY level DESC, rank DESC, idx) FILTER (WHERE idx IS NOT NULL))[1:${SECTIONS_PER_PAGE}] AS sections
    FROM best GROUP BY page_id, hash ORDER BY score DESC LIMIT ${CANDIDATES}) h WHERE true`;

/** Full-text search of a space's current content, true to the last committed write. */
@Injectable()
export class Search {
  constructor(
    private readonly database: Database,
    private readonly lists: Pages,
    private readonly store: ContentStore,
    private readonly addresses: Addresses,
  ) {}

  /** Pages with the sections that match, best first; at most 1,000 are ranked and counted. */
  async inSpace(space: SpaceAccess, { query, ...request }: SearchQuery): Promise<Page<SearchHit>> {
    if (query.trim() === '') throw invalid('query', 'must not be empty');
    const { complete, prefix } = searchWords(query);
    const page = await this.lists.list<HitRow>(request, {
      scope: ['search', space.id, query],
      select: 'h.page_id, h.hash, coalesce(h.sections, ARRAY[]::int[]) AS sections',
      from: HITS,
      countsItself: true,
      values: [space.id, space.language, complete, prefix ?? null],
      order: [
        { expression: 'h.score', type: 'numeric' },
        { expression: 'h.page_id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.with(await this.present(space, page.items, plainWords(query)));
  }

  private async present(space: SpaceAccess, hits: readonly HitRow[], words: readonly string[]): Promise<SearchHit[]> {
    const [pages, sections] = await Promise.all([
      this.store.withAncestors(primaryPoint({ spaceId: space.id, sequence: Number.MAX_SAFE_INTEGER }), hits.map((hit) => hit.page_id)),
      this.sections(space.id, hits),
    ]);
    const index = indexPages(pages);
    const view: ContentView = { app: appAddress(this.addresses, space), metadata: false };
    return hits.flatMap(({ page_id: id }) => presentHit(id, index, sections.get(id) ?? [], words, view) ?? []);
  }

  /** The sections to be shown, in the order of the hits; a page that only its title matches shows its first one. */
  private async sections(spaceId: string, hits: readonly HitRow[]): Promise<Map<string, SectionRow[]>> {
    const wanted = hits.flatMap(({ page_id: page, hash, sections }) => (hash === null ? [] : (sections.length > 0 ? sections : [0]).map((idx) => ({ page, hash, idx }))));
    const rows = await this.database.query<SectionRow>(
      `SELECT w.page, s.anchor, s.title, left(s.body, ${EXCERPT_SOURCE}) AS body
         FROM unnest($2::text[], $3::bytea[], $4::int[]) WITH ORDINALITY AS w(page, hash, idx, place)
         JOIN document_section s ON s.space_id = $1 AND s.hash = w.hash AND s.idx = w.idx ORDER BY w.place`,
      [spaceId, wanted.map((each) => each.page), wanted.map((each) => each.hash), wanted.map((each) => each.idx)],
    );
    const byPage = new Map<string, SectionRow[]>();
    for (const row of rows) byPage.set(row.page, [...(byPage.get(row.page) ?? []), row]);
    return byPage;
  }
}

/** A page that was hit, with the given sections; undefined when it is not in the index. */
export function presentHit(id: string, index: PageIndex, sections: readonly SectionRow[], words: readonly string[], view: ContentView): SearchHit | undefined {
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
        urls: { app: pageAddress(view, path, id, section.anchor) },
      };
    }),
    ancestors: ancestorsOf(page, index).map(({ title }) => ({ title })),
    urls: { app: pageAddress(view, path, id) },
  };
}
