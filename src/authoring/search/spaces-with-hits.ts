import type { ListStatement } from '../../kernel/common/page.js';
import type { HitPage } from './hit-sections.js';
import { rankedPages } from './ranked-pages.js';
import type { SpaceSelection } from './space-selection.js';

const PAGES_PER_SPACE = 10;

/** A space with its found pages, best first. */
export interface SpaceHitRow {
  readonly id: string;
  readonly title: string;
  readonly pages: readonly Omit<HitPage, 'space'>[];
}

/**
 * The spaces `h` with hits and their best pages; parameters as for `rankedPages`. For a reader, one more parameter is
 * the space whose hits come first.
 */
export function spacesWithHits(searched: SpaceSelection, ofReader = false): string {
  const first = ofReader ? ` + CASE WHEN v.id = $${searched.values.length + 8} THEN 100000 ELSE 0 END` : '';
  return `FROM (
  WITH ${rankedPages(searched, ofReader)},
  placed AS (SELECT r.*, row_number() OVER (PARTITION BY space_id ORDER BY score DESC, page_id DESC) AS place FROM ranked r)
  SELECT v.id, v.title, max(p.score)${first} AS score,
         jsonb_agg(jsonb_build_object('page', p.page_id, 'sections', coalesce(p.sections, '{}')) ORDER BY p.place) AS pages
    FROM placed p JOIN visible v ON v.id = p.space_id WHERE p.place <= ${PAGES_PER_SPACE} GROUP BY v.id, v.title) h WHERE true`;
}

/** How these spaces are listed. */
export const SPACES_IN_ORDER = {
  select: 'h.id, h.title, h.pages',
  countsItself: true,
  order: [
    { expression: 'h.score', type: 'numeric' },
    { expression: 'h.id', type: 'text' },
  ],
  direction: 'desc',
} as const satisfies Partial<ListStatement>;
