import type { ListStatement } from '../../kernel/common/page.js';
import type { Registry } from '../../kernel/platform/manifest/registry.js';
import { isTranslation } from '../../workspace/spaces/translated-spaces.js';
import { rankedColumns, rankedTable, type Ranking } from './rankings.js';
import { VISIBLE_SPACES, type SpaceSelection } from './space-selection.js';

const PAGES_PER_SPACE = 10;
/** The number of spaces whose pages are put in one order. */
export const SPACES_IN_ONE_ORDER = 10;

/** A found page of a space. */
interface PageHitRow {
  readonly page: string;
  /** Its place among all found pages, from 1. */
  readonly rank: number;
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
 * The spaces `h` with hits and their best pages. Parameters behind those of the spaces: the pages of a ranking as for
 * `rankedTable`, the weights of the concepts by dictionary, and the language of the reader or null. In a site
 * (`ofReader`), two more parameters are the space whose hits come first, and a list of pages with the factors by which
 * they count more.
 */
export function spacesWithHits({ from, values }: SpaceSelection, registry: Registry, ofReader = false): string {
  const parameter = (place: number): string => `$${values.length + place}`;
  const first = ofReader ? ` + CASE WHEN v.id = ${parameter(7)} THEN 100000 ELSE 0 END` : '';
  const ranked = rankedTable('r', values.length + 1);
  const counted = ofReader
    ? `(SELECT r.space_id, r.page_id, r.coverage, r.score * coalesce(c.factor, 1) AS score
          FROM ${ranked} LEFT JOIN jsonb_to_recordset(${parameter(8)}::jsonb) AS c (space text, page text, factor numeric) ON c.space = r.space_id AND c.page = r.page_id) r`
    : ranked;
  return `FROM (
  WITH ${VISIBLE_SPACES(from)},
  placed AS (SELECT r.*, row_number() OVER (ORDER BY score DESC, page_id DESC) AS rank, row_number() OVER (PARTITION BY space_id ORDER BY score DESC, page_id DESC) AS place FROM ${counted}),
  hit AS (
    SELECT v.id, v.title, v.language, v.config, max(p.score) AS score,
           jsonb_agg(jsonb_build_object('page', p.page_id, 'rank', p.rank, 'score', p.score, 'coverage', p.coverage) ORDER BY p.place) AS pages
      FROM placed p JOIN visible v ON v.id = p.space_id WHERE p.place <= ${PAGES_PER_SPACE} GROUP BY v.id, v.title, v.language, v.config)
  SELECT v.id, v.title, v.pages, ${parameter(5)}::jsonb -> v.config::text AS weights,
         (v.score * CASE WHEN NOT ${isTranslation(registry, 'v.id')} THEN 1
                         WHEN split_part(v.language, '-', 1) = lower(split_part(${parameter(6)}::text, '-', 1)) THEN ${TRANSLATION.inLanguage} ELSE ${TRANSLATION.inOther} END${first})::numeric(12, 6) AS score
    FROM hit v) h WHERE true`;
}

/** The first parameters of `spacesWithHits` behind those of the spaces. */
export const hitParameters = ({ pages, weights }: Ranking): readonly unknown[] => [
  ...rankedColumns(pages),
  JSON.stringify(weights),
];

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
