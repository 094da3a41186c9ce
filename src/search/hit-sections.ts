import { Injectable } from '@nestjs/common';
import { Database } from '../common/database.js';
import type { Term } from './domain/search-terms.js';

const SECTIONS_PER_PAGE = 5;
/** Characters of a section among which the excerpt is looked for. */
const EXCERPT_SOURCE = 10_000;

/** A page that was hit; `hash` of its document in hexadecimal. */
export interface HitPage {
  readonly space: string;
  readonly page: string;
  readonly hash: string | null;
}

/** The text under a heading, as much of it as excerpts look at. */
export interface SectionRow {
  readonly page: string;
  readonly anchor: string;
  readonly title: string;
  readonly body: string;
}

/** The sections of pages that match, headings first; the first section of pages that only their title matches. */
const SECTIONS = `WITH hit AS MATERIALIZED (
    SELECT h.space, h.page, decode(h.hash, 'hex') AS hash, h.place FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS h (space, page, hash, place)),
  words AS MATERIALIZED (
    SELECT v.space, search_query(search_config(v.language), $4::jsonb) AS query
      FROM (SELECT s.id AS space, s.language FROM space s WHERE s.id IN (SELECT space FROM hit)) v)
  SELECT h.space, h.page, s.anchor, s.title, left(s.body, ${EXCERPT_SOURCE}) AS body, s.matches
    FROM hit h JOIN words w ON w.space = h.space
   CROSS JOIN LATERAL (
     SELECT d.*, d.vector @@ w.query AS matches FROM document_section d
      WHERE d.space_id = h.space AND d.hash = h.hash AND (d.idx = 0 OR d.vector @@ w.query)
      ORDER BY d.vector @@ w.query DESC, d.heading_vector @@ w.query DESC, ts_rank(d.vector, w.query) DESC, d.idx LIMIT ${SECTIONS_PER_PAGE}) s
   ORDER BY h.place, s.matches DESC, s.heading_vector @@ w.query DESC, ts_rank(s.vector, w.query) DESC, s.idx`;

/** Reads what is shown of pages that were hit. */
@Injectable()
export class HitSections {
  constructor(private readonly database: Database) {}

  /** The sections to show, in one statement, by the ids of spaces and pages. */
  async of(hits: readonly HitPage[], terms: readonly Term[]): Promise<Map<string, Map<string, SectionRow[]>>> {
    const found = new Map<string, Map<string, SectionRow[]>>();
    if (hits.length === 0) return found;
    const rows = await this.database.query<SectionRow & { space: string; matches: boolean }>(SECTIONS, [
      hits.map(({ space }) => space),
      hits.map(({ page }) => page),
      hits.map(({ hash }) => hash),
      JSON.stringify(terms),
    ]);
    for (const { space, matches, ...row } of rows) {
      const pages = found.get(space) ?? new Map<string, SectionRow[]>();
      const sections = pages.get(row.page) ?? [];
      if (matches || sections.length === 0) sections.push(row);
      found.set(space, pages.set(row.page, sections));
    }
    return found;
  }
}
