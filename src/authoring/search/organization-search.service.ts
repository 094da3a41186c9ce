import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { Pages, type Page, type PageRequest } from '../../kernel/common/page.js';
import { visibleSpaces } from '../../workspace/spaces/visible-spaces.js';
import { Corrections } from './spelling-corrections.js';
import { searchTerms, type SearchTerm } from './domain/search-terms.js';
import { HitPages } from './hit-pages.js';
import type { SearchQuery, SpaceHit } from './search.schema.js';
import { CANDIDATES, EXCLUDED, firstWithHits, TEXTS } from './search.service.js';

const PAGES_PER_SPACE = 10;
/**
 * Up to so many spaces are listed in the query itself, so that other organizations of the installation cost nothing;
 * and all of them in a query that only excludes words, which no index can answer.
 */
const FEW_SPACES = 200;

interface HitRow {
  readonly id: string;
  readonly title: string;
  /** Best first. */
  readonly pages: readonly string[];
}

/** Rows of an index that match each query `q`, found by that index alone, in the spaces `v` of its language. */
const matching = (table: string, columns: string, vector: string, more = ''): string => `query q
      CROSS JOIN LATERAL (SELECT ${columns}, s.${vector} AS vector FROM ${table} s WHERE s.${vector} @@ q.here${more} OFFSET 0) s
      JOIN visible v ON v.id = s.space_id AND v.config = q.config`;
const CURRENT =
  'CROSS JOIN LATERAL (SELECT c.page_id FROM section_current c WHERE c.space_id = s.space_id AND c.hash = s.hash OFFSET 0) c';

/** Excludes the pages of the lists in two parameters. */
const without = (page: string, spaces: string, pages: string): string =>
  ` AND NOT EXISTS (SELECT FROM unnest(${spaces}::text[], ${pages}::text[]) AS x (space, page) WHERE x.space = s.space_id AND x.page = ${page})`;

/**
 * The spaces `h` with hits: $3 terms; $1 and $2 belong to the visibility. Visibility is checked first, so that
 * invisible spaces are not ranked or counted and do not affect the limits. Scores are those of the search in a space.
 *
 * For a reader (`ofReader`) $2 is a space whose hits come first, $4 and $5 are hidden pages, by space and page, $6 and
 * $7 pages with the sections $8 in place of the stored ones.
 */
export function spacesWithHits(visible: string, ofReader = false): string {
  const titles = ofReader ? without('s.page_id', '$4', '$5') : '';
  const texts = ofReader ? without('c.page_id', '$4', '$5') + without('c.page_id', '$6', '$7') : '';
  const seen = ofReader ? SEEN_OTHERWISE : '';
  return `FROM (
  WITH visible AS MATERIALIZED (SELECT s.id, s.title, search_config(s.language) AS config ${visible}),
  words AS MATERIALIZED (
    SELECT c.config, search_query(c.config, $3::jsonb) AS own FROM (SELECT DISTINCT config FROM visible) c),
  query AS MATERIALIZED (
    SELECT w.config, w.own, w.own::text LIKE '%!%' AS excludes, CASE WHEN (SELECT count(*) FROM visible) > ${FEW_SPACES} AND querytree(w.own) NOT IN ('', 'T') THEN w.own
             ELSE w.own && (SELECT string_agg('''~' || v.id || '''', ' | ')::tsquery FROM visible v WHERE v.config = w.config) END AS here
      FROM words w WHERE numnode(w.own) > 0),
  titles AS (
    SELECT s.space_id, s.page_id, 3 AS level, ts_rank(s.vector, q.own) AS rank
      FROM ${matching('page_current', 's.space_id, s.page_id', 'title_vector')} WHERE true${titles} LIMIT ${CANDIDATES}),
  headings AS (
    SELECT s.space_id, c.page_id, 2 AS level, ts_rank(s.vector, q.own) AS rank
      FROM ${matching('section_vector', 's.space_id, s.hash', 'heading_vector', EXCLUDED)} ${CURRENT} WHERE true${texts} LIMIT ${CANDIDATES}),
  texts AS (
    SELECT s.space_id, c.page_id, 1 AS level, ts_rank(s.vector, q.own) AS rank
      FROM ${matching('section_vector', 's.space_id, s.hash', 'vector')} ${CURRENT} WHERE true${texts} LIMIT ${TEXTS}),
  page AS (
    SELECT space_id, page_id, (max(level) + least(max(rank), 0.99))::numeric(8, 6) AS score
      FROM (SELECT * FROM titles UNION ALL SELECT * FROM headings UNION ALL SELECT * FROM texts${seen}) found GROUP BY space_id, page_id),
  placed AS (SELECT p.*, row_number() OVER (PARTITION BY space_id ORDER BY score DESC, page_id DESC) AS place FROM page p)
  SELECT v.id, v.title, max(p.score)${ofReader ? ' + CASE WHEN v.id = $2 THEN 10 ELSE 0 END' : ''} AS score,
         jsonb_agg(p.page_id ORDER BY p.place) AS pages
    FROM placed p JOIN visible v ON v.id = p.space_id WHERE p.place <= ${PAGES_PER_SPACE} GROUP BY v.id, v.title) h WHERE true`;
}

/** Sections that a reader sees in place of the stored ones: few, whose vectors are computed on the fly. */
const SEEN_OTHERWISE = ` UNION ALL
        SELECT x.space, x.page, CASE WHEN m.heading @@ q.own THEN 2 ELSE 1 END, ts_rank(m.vector, q.own)
          FROM jsonb_to_recordset($8::jsonb) AS x (space text, page text, title text, body text) JOIN visible v ON v.id = x.space JOIN query q ON q.config = v.config
         CROSS JOIN LATERAL (SELECT search_vector(v.id, v.config, x.title) AS heading, search_vector(v.id, v.config, x.title || ' ' || x.body) AS vector) m
         WHERE m.vector @@ q.own`;

/** Full-text search over an organization, in the spaces that a user can see. */
@Injectable()
export class OrganizationSearch {
  constructor(
    private readonly database: Database,
    private readonly lists: Pages,
    private readonly hitPages: HitPages,
    private readonly corrections: Corrections,
  ) {}

  /**
   * Finds spaces with their best pages, the space with the best one first; misspelled words are corrected only if there
   * are few spaces.
   */
  async search(
    userId: string,
    organization: OrganizationAccess,
    { query, ...request }: SearchQuery,
  ): Promise<Page<SpaceHit>> {
    if (query.trim() === '') throw invalid('query', 'must not be empty');
    const terms = searchTerms(query);
    const list = (given: readonly SearchTerm[]) => this.list(userId, organization, query, given, request);
    const corrections = async (): Promise<SearchTerm[][]> => {
      const visible = await this.database.query<{ id: string }>(
        `SELECT s.id ${visibleSpaces(organization.role).from} LIMIT ${FEW_SPACES + 1}`,
        [userId, organization.id],
      );
      return visible.length > FEW_SPACES
        ? []
        : this.corrections.of(
            visible.map(({ id }) => id),
            terms,
          );
    };
    return firstWithHits(request, await list(terms), corrections, list);
  }

  private async list(
    userId: string,
    organization: OrganizationAccess,
    query: string,
    terms: readonly SearchTerm[],
    request: PageRequest,
  ): Promise<Page<SpaceHit>> {
    const page = await this.lists.list<HitRow & Record<string, unknown>>(request, {
      scope: ['organization-search', userId, organization.id, query],
      select: 'h.id, h.title, h.pages',
      from: spacesWithHits(visibleSpaces(organization.role).from),
      countsItself: true,
      values: [userId, organization.id, JSON.stringify(terms)],
      order: [
        { expression: 'h.score', type: 'numeric' },
        { expression: 'h.id', type: 'text' },
      ],
      direction: 'desc',
    });
    return page.with(await this.hitPages.present(organization.id, page.items, terms));
  }
}
