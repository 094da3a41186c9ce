import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import type { RankedPage } from './domain/rank-fusion.js';

/** Maximum length of a section in which the excerpt is searched, in characters. */
const EXCERPT_SOURCE = 10_000;

/** The text under a heading, as far as excerpts use it. */
export interface HitSectionRow {
  readonly page: string;
  readonly anchor: string;
  readonly title: string;
  readonly body: string;
  readonly score: number;
}

/** A section of a page that a reader sees in another form than the stored one. */
export type SeenSection = Omit<HitSectionRow, 'page' | 'score'>;

/** The named sections of pages in their order; the first section of pages without any. */
const SECTIONS = `SELECT h.space, h.page, s.section ->> 'anchor' AS anchor, s.section ->> 'title' AS title, left(s.section ->> 'text', ${EXCERPT_SOURCE}) AS body, h.place::int AS hit, s.place::int AS nth
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS h (space, page, hashes, place)
    JOIN page_current c ON c.space_id = h.space AND c.page_id = h.page
    JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash
   CROSS JOIN LATERAL (
     SELECT DISTINCT ON (n.place) n.place, d.sections -> (t.idx - 1)::int AS section
       FROM string_to_table(h.hashes, ' ') WITH ORDINALITY AS n (hash, place)
       JOIN unnest(d.section_texts) WITH ORDINALITY AS t (hash, idx) ON CASE n.hash WHEN '-' THEN t.idx = 1 ELSE t.hash = decode(n.hash, 'hex') END
      ORDER BY n.place, t.idx) s
   ORDER BY h.place, s.place`;

/** Reads the shown data of found pages. */
@Injectable()
export class HitSections {
  constructor(private readonly database: Database) {}

  /** The sections to show, in one statement, by the ids of spaces and pages. */
  async of(hits: readonly RankedPage[]): Promise<Map<string, Map<string, HitSectionRow[]>>> {
    const found = new Map<string, Map<string, HitSectionRow[]>>();
    if (hits.length === 0) return found;
    const rows = await this.database.query<Omit<HitSectionRow, 'score'> & { space: string; hit: number; nth: number }>(
      SECTIONS,
      [
        hits.map(({ space }) => space),
        hits.map(({ page }) => page),
        hits.map(({ sections }) => sections?.join(' ') ?? '-'),
      ],
    );
    for (const { space, hit: place, nth, ...row } of rows) {
      const hit = hits[place - 1];
      const score = (hit?.score ?? 0) * (hit?.shares?.[nth - 1] ?? 1);
      const pages = found.get(space) ?? new Map<string, HitSectionRow[]>();
      pages.set(row.page, [...(pages.get(row.page) ?? []), { ...row, score }]);
      found.set(space, pages);
    }
    return found;
  }
}
