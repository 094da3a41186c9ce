import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import type { SearchTerm } from './domain/search-terms.js';

const SECTIONS_PER_PAGE = 5;
/** Maximum length of a section in which the excerpt is searched, in characters. */
const EXCERPT_SOURCE = 10_000;

/** A found page. */
export interface HitPage {
  readonly space: string;
  readonly page: string;
}

/** The text under a heading, as far as excerpts use it. */
export interface HitSectionRow {
  readonly page: string;
  readonly anchor: string;
  readonly title: string;
  readonly body: string;
}

/** The matching sections of pages, headings first; the first section of pages of which only the title matches. */
const SECTIONS = `WITH hit AS MATERIALIZED (
    SELECT h.space, h.page, h.place FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS h (space, page, place)),
  words AS MATERIALIZED (
    SELECT v.space, search_query(search_config(v.language), $3::jsonb) AS query
      FROM (SELECT s.id AS space, s.language FROM space s WHERE s.id IN (SELECT space FROM hit)) v)
  SELECT h.space, h.page, s.section ->> 'anchor' AS anchor, s.section ->> 'title' AS title, left(s.section ->> 'text', ${EXCERPT_SOURCE}) AS body, s.matches
    FROM hit h JOIN words w ON w.space = h.space
   CROSS JOIN LATERAL (
     SELECT found.*, found.sections -> (found.idx - 1)::int AS section FROM (
       SELECT d.sections, t.idx, v.vector @@ w.query AS matches, v.heading_vector @@ w.query AS in_heading, ts_rank(v.vector, w.query) AS rank
         FROM page_current c JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash
        CROSS JOIN LATERAL unnest(d.section_texts) WITH ORDINALITY AS t (hash, idx)
        CROSS JOIN LATERAL (SELECT v.heading_vector, v.vector FROM section_vector v WHERE v.space_id = h.space AND v.hash = t.hash OFFSET 0) v
        WHERE c.space_id = h.space AND c.page_id = h.page AND (t.idx = 1 OR v.vector @@ w.query)
        ORDER BY matches DESC, in_heading DESC, rank DESC, t.idx LIMIT ${SECTIONS_PER_PAGE}) found) s
   ORDER BY h.place, s.matches DESC, s.in_heading DESC, s.rank DESC, s.idx`;

/** Reads the shown data of found pages. */
@Injectable()
export class HitSections {
  constructor(private readonly database: Database) {}

  /** The sections to show, in one statement, by the ids of spaces and pages. */
  async of(hits: readonly HitPage[], terms: readonly SearchTerm[]): Promise<Map<string, Map<string, HitSectionRow[]>>> {
    const found = new Map<string, Map<string, HitSectionRow[]>>();
    if (hits.length === 0) return found;
    const rows = await this.database.query<HitSectionRow & { space: string; matches: boolean }>(SECTIONS, [
      hits.map(({ space }) => space),
      hits.map(({ page }) => page),
      JSON.stringify(terms),
    ]);
    for (const { space, matches, ...row } of rows) {
      const pages = found.get(space) ?? new Map<string, HitSectionRow[]>();
      const sections = pages.get(row.page) ?? [];
      if (matches || sections.length === 0) sections.push(row);
      found.set(space, pages.set(row.page, sections));
    }
    return found;
  }
}
