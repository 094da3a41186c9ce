import type { ListStatement } from '../../kernel/common/page.js';
import type { Registry } from '../../kernel/platform/manifest/registry.js';
import { isTranslation } from '../../workspace/spaces/translated-spaces.js';
import type { HitPage } from './hit-sections.js';
import { rankedPages } from './ranked-pages.js';
import type { SpaceSelection } from './space-selection.js';

const PAGES_PER_SPACE = 10;
/** The number of spaces whose pages are put in one order. */
export const SPACES_IN_ONE_ORDER = 10;

/** A found page of a space. */
interface PageHitRow extends Omit<HitPage, 'space'> {
  readonly score: number;
  /** The share of the weight of the query that the page covers, 0 to 1. */
  readonly coverage: number;
}

/** A space with its found pages, best first. */
export interface SpaceHitRow {
  readonly id: string;
  readonly title: string;
  readonly pages: readonly PageHitRow[];
  /** The score of its best page, less for translations. */
  readonly score: number;
  /** The shares of the concepts of the query in its weight, by their numbers; null if no text has any word. */
  readonly weights: Readonly<Record<string, number>> | null;
}

/** A translation comes behind its original, unless it is in the language of the reader. */
const TRANSLATION = { inLanguage: 1.1, inOther: 0.5 };

/**
 * The spaces `h` with hits and their best pages; parameters as for `rankedPages`, then the language of the reader or
 * null. In a site (`ofReader`), two more parameters are the space whose hits come first, and a list of pages with the
 * factors by which they count more.
 */
export function spacesWithHits(searched: SpaceSelection, registry: Registry, ofReader = false): string {
  const next = searched.values.length + (ofReader ? 9 : 4);
  const first = ofReader ? ` + CASE WHEN v.id = $${next + 1} THEN 100000 ELSE 0 END` : '';
  const counted = ofReader
    ? `(SELECT r.space_id, r.page_id, r.sections, r.coverage, r.score * coalesce(c.factor, 1) AS score
          FROM ranked r LEFT JOIN jsonb_to_recordset($${next + 2}::jsonb) AS c (space text, page text, factor numeric) ON c.space = r.space_id AND c.page = r.page_id)`
    : 'ranked';
  return `FROM (
  WITH ${rankedPages(searched, ofReader)},
  placed AS (SELECT r.*, row_number() OVER (PARTITION BY space_id ORDER BY score DESC, page_id DESC) AS place FROM ${counted} r),
  hit AS (
    SELECT v.id, v.title, v.language, v.config, max(p.score) AS score,
           jsonb_agg(jsonb_build_object('page', p.page_id, 'sections', coalesce(p.sections, '{}'), 'score', p.score, 'coverage', p.coverage) ORDER BY p.place) AS pages
      FROM placed p JOIN visible v ON v.id = p.space_id WHERE p.place <= ${PAGES_PER_SPACE} GROUP BY v.id, v.title, v.language, v.config)
  SELECT v.id, v.title, v.pages,
         (SELECT jsonb_object_agg(c.concept, round((c.idf / greatest(w.content, 0.0001))::numeric, 4)) FROM concept c JOIN whole w USING (config) WHERE c.config = v.config AND c.concept >= 0) AS weights,
         (v.score * CASE WHEN NOT ${isTranslation(registry, 'v.id')} THEN 1
                         WHEN split_part(v.language, '-', 1) = lower(split_part($${next}::text, '-', 1)) THEN ${TRANSLATION.inLanguage} ELSE ${TRANSLATION.inOther} END${first})::numeric(12, 6) AS score
    FROM hit v) h WHERE true`;
}

/** How these spaces are listed. */
export const SPACES_IN_ORDER = {
  select: 'h.id, h.title, h.pages, h.score::float8 AS score, h.weights',
  countsItself: true,
  order: [
    { expression: 'h.score', type: 'numeric' },
    { expression: 'h.id', type: 'text' },
  ],
  direction: 'desc',
} as const satisfies Partial<ListStatement>;
