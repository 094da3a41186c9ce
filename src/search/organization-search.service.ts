import { Injectable } from '@nestjs/common';
import type { OrganizationAccess } from '../access/access.service.js';
import { Addresses } from '../common/addresses.js';
import { Database } from '../common/database.js';
import { invalid } from '../common/errors.js';
import { Pages, type Page } from '../common/page.js';
import { ContentStore } from '../content/content-store.js';
import type { Item } from '../content/domain/item.js';
import { indexPages } from '../content/domain/paths.js';
import { appAddress } from '../content/present-content.js';
import { visibleSpaces } from '../spaces/visible-spaces.js';
import { plainWords, searchWords } from './domain/search-words.js';
import type { SearchQuery, SpaceHit } from './search.schema.js';
import { CANDIDATES, EXCERPT_SOURCE, presentHit, SECTIONS_PER_PAGE, type SectionRow } from './search.service.js';

const PAGES_PER_SPACE = 10;
/**
 * Up to so many spaces stand in the query itself, so that other organizations of the installation cost nothing; and all of
 * them in a query that only excludes words, which no index could answer.
 */
const FEW_SPACES = 200;

interface HitRow {
  readonly id: string;
  readonly title: string;
  /** Best first; `hash` in hexadecimal. */
  readonly pages: readonly { readonly page: string; readonly hash: string | null; readonly sections: readonly number[] }[];
}

/** What is shown of the pages of one space. */
interface SpaceParts {
  readonly items: Item[];
  readonly sections: Map<string, SectionRow[]>;
}

/** Rows of an index that match each query `q`, found by that index alone, in the spaces `v` of its language. */
const matching = (table: string, columns: string, vector: string): string => `query q
      CROSS JOIN LATERAL (SELECT ${columns}, t.${vector} AS vector FROM ${table} t WHERE t.${vector} @@ q.here OFFSET 0) s
      JOIN visible v ON v.id = s.space_id AND v.config = q.config`;
const CURRENT = 'JOIN page_current c ON c.hash = s.hash AND c.space_id = s.space_id';

/**
 * The spaces `h` with hits: $1 user, $2 organization, $3 complete words, $4 the last word or null. What the user can see comes
 * first, so that nothing else is ranked, counted or in the way of the limits. Scores are those of the search in a space.
 */
function hits(visible: string): string {
  return `FROM (
  WITH visible AS MATERIALIZED (SELECT s.id, s.title, search_config(s.language) AS config ${visible}),
  words AS MATERIALIZED (
    SELECT c.config, websearch_to_tsquery(c.config, $3) && CASE WHEN $4::text IS NULL THEN ''::tsquery
             ELSE websearch_to_tsquery(c.config, $4) || to_tsquery('pg_catalog.simple', '''' || $4 || ''':*') END AS own
      FROM (SELECT DISTINCT config FROM visible) c),
  query AS MATERIALIZED (
    SELECT w.config, w.own, CASE WHEN (SELECT count(*) FROM visible) > ${FEW_SPACES} AND querytree(w.own) NOT IN ('', 'T') THEN w.own
             ELSE w.own && (SELECT string_agg('''~' || v.id || '''', ' | ')::tsquery FROM visible v WHERE v.config = w.config) END AS here
      FROM words w WHERE numnode(w.own) > 0),
  titles AS (
    SELECT s.space_id, s.page_id, s.hash, NULL::int AS idx, 3 AS level, ts_rank(s.vector, q.own) AS rank
      FROM ${matching('page_current', 't.space_id, t.page_id, t.hash', 'title_vector')} LIMIT ${CANDIDATES}),
  headings AS (
    SELECT s.space_id, c.page_id, s.hash, s.idx, 2 AS level, ts_rank(s.vector, q.own) AS rank
      FROM ${matching('document_section', 't.space_id, t.hash, t.idx', 'heading_vector')} ${CURRENT} LIMIT ${CANDIDATES}),
  texts AS (
    SELECT s.space_id, c.page_id, s.hash, s.idx, 1 AS level, ts_rank(s.vector, q.own) AS rank
      FROM ${matching('document_section', 't.space_id, t.hash, t.idx', 'vector')} ${CURRENT} LIMIT ${CANDIDATES}),
  best AS (
    SELECT space_id, page_id, hash, idx, max(level) AS level, max(rank) AS rank
      FROM (SELECT * FROM titles UNION ALL SELECT * FROM headings UNION ALL SELECT * FROM texts) found GROUP BY space_id, page_id, hash, idx),
  page AS (
    SELECT space_id, page_id, hash, (max(level) + least(max(rank), 0.99))::numeric(8, 6) AS score,
           coalesce((array_agg(idx ORDER BY level DESC, rank DESC, idx) FILTER (WHERE idx IS NOT NULL))[1:${SECTIONS_PER_PAGE}], ARRAY[]::int[]) AS sections
      FROM best GROUP BY space_id, page_id, hash),
  placed AS (SELECT p.*, row_number() OVER (PARTITION BY space_id ORDER BY score DESC, page_id DESC) AS place FROM page p)
  SELECT v.id, v.title, max(p.score) AS score,
         jsonb_agg(jsonb_build_object('page', p.page_id, 'hash', encode(p.hash, 'hex'), 'sections', p.sections) ORDER BY p.place) AS pages
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
  ) {}

  /** Spaces with their best pages, the space with the best one first. */
  async search(userId: string, organization: OrganizationAccess, { query, ...request }: SearchQuery): Promise<Page<SpaceHit>> {
    if (query.trim() === '') throw invalid('query', 'must not be empty');
    const { complete, prefix } = searchWords(query);
    const page = await this.lists.list<HitRow & Record<string, unknown>>(request, {
      scope: ['organization-search', userId, organization.id, query],
      select: 'h.id, h.title, h.pages',
      from: hits(visibleSpaces(organization.role).from),
      countsItself: true,
      values: [userId, organization.id, complete, prefix ?? null],
      order: [
        { expression: 'h.score', type: 'numeric' },
        { expression: 'h.id', type: 'text' },
      ],
      direction: 'desc',
    });
    const parts = await this.parts(page.items);
    const words = plainWords(query);
    return page.map(({ id, title, pages }): SpaceHit => {
      const { items, sections } = parts.get(id) ?? { items: [], sections: new Map<string, SectionRow[]>() };
      const index = indexPages(items);
      const view = { app: appAddress(this.addresses, { organizationId: organization.id, id }), metadata: false };
      return { id, title, pages: pages.flatMap((hit) => presentHit(hit.page, index, sections.get(hit.page) ?? [], words, view) ?? []) };
    });
  }

  /** Pages, what is above them and the sections to show, of all spaces in two statements. */
  private async parts(spaces: readonly HitRow[]): Promise<Map<string, SpaceParts>> {
    const found = spaces.flatMap(({ id, pages }) => pages.map((hit) => ({ space: id, ...hit })));
    const wanted = found.flatMap(({ hash, sections, ...rest }) => (hash === null ? [] : (sections.length > 0 ? sections : [0]).map((idx) => ({ ...rest, hash, idx }))));
    const [items, sections] = await Promise.all([
      this.store.current(found.map(({ space, page }) => ({ space, kind: 'page' as const, id: page }))),
      this.database.query<SectionRow & { space: string }>(
        `SELECT w.space, w.page, s.anchor, s.title, left(s.body, ${EXCERPT_SOURCE}) AS body
           FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) WITH ORDINALITY AS w (space, page, hash, idx, place)
           JOIN document_section s ON s.space_id = w.space AND s.hash = decode(w.hash, 'hex') AND s.idx = w.idx ORDER BY w.place`,
        [wanted.map((each) => each.space), wanted.map((each) => each.page), wanted.map((each) => each.hash), wanted.map((each) => each.idx)],
      ),
    ]);
    const parts = new Map(spaces.map(({ id }): [string, SpaceParts] => [id, { items: items.get(id) ?? [], sections: new Map() }]));
    for (const row of sections) {
      const known = parts.get(row.space)?.sections;
      known?.set(row.page, [...(known.get(row.page) ?? []), row]);
    }
    return parts;
  }
}
