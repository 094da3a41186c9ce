import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../access/access.service.js';
import { Addresses } from '../common/addresses.js';
import { Database } from '../common/database.js';
import { invalid } from '../common/errors.js';
import { Pages, type Page, type PageRequest } from '../common/page.js';
import { ContentStore } from '../content/content-store.js';
import { indexPages } from '../content/domain/paths.js';
import { appAddress } from '../content/present-content.js';
import { visibleSpaces } from '../spaces/visible-spaces.js';
import { Corrections } from './corrections.js';
import { searchTerms, wordsToShow, type Term } from './domain/search-terms.js';
import { HitSections } from './hit-sections.js';
import type { SearchQuery, SpaceHit } from './search.schema.js';
import { CANDIDATES, EXCLUDED, firstWithHits, presentHit, TEXTS } from './search.service.js';

const PAGES_PER_SPACE = 10;
/**
 * Up to so many spaces stand in the query itself, so that other organizations of the installation cost nothing; and all of
 * them in a query that only excludes words, which no index could answer.
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
const CURRENT = 'CROSS JOIN LATERAL (SELECT c.page_id FROM section_current c WHERE c.space_id = s.space_id AND c.hash = s.hash OFFSET 0) c';

/**
 * The spaces `h` with hits: $1 user, $2 organization, $3 terms. What the user can see comes
 * first, so that nothing else is ranked, counted or in the way of the limits. Scores are those of the search in a space.
 */
function hits(visible: string): string {
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
      FROM ${matching('page_current', 's.space_id, s.page_id', 'title_vector')} LIMIT ${CANDIDATES}),
  headings AS (
    SELECT s.space_id, c.page_id, 2 AS level, ts_rank(s.vector, q.own) AS rank
      FROM ${matching('section_vector', 's.space_id, s.hash', 'heading_vector', EXCLUDED)} ${CURRENT} LIMIT ${CANDIDATES}),
  texts AS (
    SELECT s.space_id, c.page_id, 1 AS level, ts_rank(s.vector, q.own) AS rank
      FROM ${matching('section_vector', 's.space_id, s.hash', 'vector')} ${CURRENT} LIMIT ${TEXTS}),
  page AS (
    SELECT space_id, page_id, (max(level) + least(max(rank), 0.99))::numeric(8, 6) AS score
      FROM (SELECT * FROM titles UNION ALL SELECT * FROM headings UNION ALL SELECT * FROM texts) found GROUP BY space_id, page_id),
  placed AS (SELECT p.*, row_number() OVER (PARTITION BY space_id ORDER BY score DESC, page_id DESC) AS place FROM page p)
  SELECT v.id, v.title, max(p.score) AS score,
         jsonb_agg(p.page_id ORDER BY p.place) AS pages
    FROM placed p JOIN visible v ON v.id = p.space_id WHERE p.place <= ${PAGES_PER_SPACE} GROUP BY v.id, v.title) h WHERE true`;
}

/** Full-text search over an organization, by the spaces that somebody can see. */
@Injectable()
export class OrganizationSearch {
  constructor(
    private readonly database: Database,
    private readonly store: ContentStore,
    private readonly lists: Pages,
    private readonly addresses: Addresses,
    private readonly sections: HitSections,
    private readonly corrections: Corrections,
  ) {}

  /** Spaces with their best pages, the space with the best one first; mistyped words are put right among a few spaces only. */
  async search(userId: string, organization: OrganizationAccess, { query, ...request }: SearchQuery): Promise<Page<SpaceHit>> {
    if (query.trim() === '') throw invalid('query', 'must not be empty');
    const terms = searchTerms(query);
    const list = (given: readonly Term[]) => this.list(userId, organization, query, given, request);
    const corrections = async (): Promise<Term[][]> => {
      const visible = await this.database.query<{ id: string }>(`SELECT s.id ${visibleSpaces(organization.role).from} LIMIT ${FEW_SPACES + 1}`, [userId, organization.id]);
      return visible.length > FEW_SPACES ? [] : this.corrections.of(visible.map(({ id }) => id), terms);
    };
    return firstWithHits(request, await list(terms), corrections, list);
  }

  private async list(userId: string, organization: OrganizationAccess, query: string, terms: readonly Term[], request: PageRequest): Promise<Page<SpaceHit>> {
    const page = await this.lists.list<HitRow & Record<string, unknown>>(request, {
      scope: ['organization-search', userId, organization.id, query],
      select: 'h.id, h.title, h.pages',
      from: hits(visibleSpaces(organization.role).from),
      countsItself: true,
      values: [userId, organization.id, JSON.stringify(terms)],
      order: [
        { expression: 'h.score', type: 'numeric' },
        { expression: 'h.id', type: 'text' },
      ],
      direction: 'desc',
    });
    const found = page.items.flatMap(({ id, pages }) => pages.map((page) => ({ space: id, page })));
    const [items, sections] = await Promise.all([this.store.current(found.map(({ space, page: id }) => ({ space, kind: 'page' as const, id }))), this.sections.of(found, terms)]);
    const words = wordsToShow(terms);
    return page.map(({ id, title, pages }): SpaceHit => {
      const index = indexPages(items.get(id) ?? []);
      const view = { app: appAddress(this.addresses, { organizationId: organization.id, id }), metadata: false };
      return { id, title, pages: pages.flatMap((page) => presentHit(page, index, sections.get(id)?.get(page) ?? [], words, view) ?? []) };
    });
  }
}
