import { FIRST_ASKING } from './domain/search-terms.js';
import { nearPages, WORDS_AND_MEANING } from './near-pages.js';
import { VISIBLE_SPACES, type SpaceSelection } from './space-selection.js';

/** Maximum number of pages that are ranked and counted; also of titles that are examined. */
export const CANDIDATES = 1_000;
/** Texts that are ranked: the rarest words of the query decide which. */
const TEXTS = 1_200;
/** Texts that are ranked in addition because they contain all words of the query. */
const TEXTS_WITH_ALL = 500;
/** The smallest sample has one of so many texts; words with fewer texts in it than this are counted exactly. */
const SAMPLE = 64;
const COUNTED = 30;
const SECTIONS_PER_PAGE = 5;
/** Sections with less than this share of the score of the best one of their page are not shown. */
const SHOWN = 0.25;

/**
 * Weights of BM25F (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009): saturation, normalization of
 * lengths of texts and titles, weights of titles and headings, share of the words of the query that occur, and what
 * further matching sections of a page add. Chosen by `npm run eval:search`.
 */
const K1 = 2;
const B = 0.5;
const TITLE_LENGTH = 14;
const TITLE = 5;
const HEADING = 1.5;
const COVERAGE = 0.2;
const OTHERS = 0.15;

/**
 * The number of times that a word occurs in a vector. `ts_rank` is the sum of 1 / n² over the occurrences, as a share of
 * its limit π² / 6; its inverse is nearly 1 / (1.645 - sum) - 0.5.
 */
const occurrences = (vector: string): string =>
  `CASE WHEN w.stem IS NULL THEN 1 ELSE greatest(1, least(20, 1 / (1.645 - 1.64493 * ts_rank('{1,1,1,1}', ${vector}, w.stem)) - 0.5)) END`;

/** Excludes the pages of the lists in two parameters. */
const without = (page: string, spaces: string, pages: string): string =>
  ` AND NOT EXISTS (SELECT FROM unnest(${spaces}::text[], ${pages}::text[]) AS x (space, page) WHERE x.space = s.space_id AND x.page = ${page})`;

/**
 * The common table expression `ranked` with at most 1,000 pages of the spaces, their scores, the share of the weight of the
 * query that their best sections cover (0 to 1), and the hashes of these. Parameters behind those of the spaces: the terms, the conditions, the meaning of the query; for a reader (`ofReader`) also two lists
 * with the spaces and pages that are hidden, two with those that the reader sees in another form, and their sections.
 *
 * Any word is sufficient. Words count by rarity, and words that the language calls stop words only if there are no
 * others. The texts with the rarest words and those with all words are ranked: their number has a limit, so that a
 * word in nearly all texts costs no more than another. Invisible spaces and pages are neither ranked nor counted.
 */
export function rankedPages({ from, values }: SpaceSelection, ofReader = false): string {
  const parameter = (place: number): string => `$${values.length + place}`;
  const seen = ofReader ? without('s.page_id', parameter(4), parameter(5)) : '';
  const asStored = ofReader ? without('s.page_id', parameter(6), parameter(7)) : '';
  return [
    VISIBLE_SPACES(from),
    weighedTerms(parameter(1), parameter(2)),
    candidates(parameter, ofReader),
    SCORES,
    nearPages(parameter(3), seen + asStored),
    WORDS_AND_MEANING,
  ].join(',\n');
}

/** The terms by dictionary, with the number of their texts, and the queries that choose the texts to rank. */
const weighedTerms = (terms: string, conditions: string): string => `scope AS MATERIALIZED (
    SELECT p.config, p.here, p.scopes, search_within(p.scopes, 6) AS sample, c.query AS condition,
           CASE WHEN querytree(c.query) IN ('', 'T') THEN NULL ELSE c.query END AS required
      FROM (SELECT config, search_within(array_agg(scope), 0) AS here, array_agg(scope) AS scopes FROM place GROUP BY config) p
     CROSS JOIN LATERAL (SELECT search_query(p.config, ${conditions}::jsonb) AS query OFFSET 0) c),
  given AS MATERIALIZED (
    SELECT p.config, p.here, p.sample, t.id, t.concept, t.weight, search_term(p.config, t.text, t.phrase, t.prefix, true) AS query,
           search_term(p.config, t.text, t.phrase, t.prefix, false) IS NULL AS is_stop,
           CASE WHEN NOT t.phrase THEN nullif(plainto_tsquery(p.config, search_text(t.text, true)), ''::tsquery) END AS stem
      FROM scope p CROSS JOIN jsonb_to_recordset(${terms}::jsonb) AS t (id int, concept int, text text, phrase boolean, prefix boolean, weight real)),
  term AS MATERIALIZED (
    SELECT config, here, sample, id, concept, weight, stem,
           CASE WHEN numnode(query) > 0 AND (NOT is_stop OR NOT EXISTS (SELECT FROM given o WHERE o.config = g.config AND NOT o.is_stop AND numnode(o.query) > 0)) THEN query END AS query
      FROM given g),
  counted AS MATERIALIZED (
    SELECT t.*, (CASE WHEN p.found >= ${COUNTED} THEN p.found * ${SAMPLE} ELSE e.found END)::real AS texts
      FROM (SELECT * FROM term UNION ALL SELECT config, here, sample, -1, -1, 0, NULL, here FROM scope) t
     CROSS JOIN LATERAL (SELECT count(*) AS found FROM (SELECT FROM section_vector s WHERE s.vector @@ (t.query && t.sample) LIMIT ${TEXTS}) x) p
     CROSS JOIN LATERAL (SELECT count(*) AS found FROM (SELECT FROM section_vector s WHERE p.found < ${COUNTED} AND s.vector @@ (t.query && t.here) LIMIT ${2 * TEXTS}) x) e),
  total AS MATERIALIZED (SELECT greatest(max(texts), 1) AS texts FROM counted WHERE id = -1),
  weighed AS MATERIALIZED (
    SELECT c.config, c.id, c.concept, c.query, CASE WHEN numnode(c.stem) = 1 THEN c.stem END AS stem, c.texts, c.weight,
           c.weight * ln(1 + (greatest(n.texts - c.texts, 0) + 0.5) / (c.texts + 0.5)) AS idf
      FROM counted c CROSS JOIN total n WHERE c.id >= 0),
  rare AS MATERIALIZED (
    SELECT config, string_agg('(' || query::text || ')', ' | ')::tsquery AS query, max(level)::int AS level FROM (
      SELECT config, query, nth, total, CASE WHEN texts > ${TEXTS} THEN least(6, ceil(log(2, (texts / ${TEXTS})::numeric))) ELSE 0 END AS level
        FROM (SELECT config, query, texts, sum(texts) OVER by_rarity AS total, row_number() OVER by_rarity AS nth
                FROM weighed WHERE texts > 0 WINDOW by_rarity AS (PARTITION BY config ORDER BY texts / weight, id)) w) w
     WHERE nth = 1 OR total <= ${TEXTS} GROUP BY config),
  complete AS MATERIALIZED (
    SELECT config, string_agg('(' || query || ')', ' & ')::tsquery AS query FROM (
      SELECT config, string_agg('(' || query::text || ')', ' | ') AS query FROM weighed WHERE texts > 0 GROUP BY config, concept) c
     GROUP BY config HAVING count(*) > 1),
  chosen AS MATERIALIZED (
    SELECT p.config, coalesce(p.required, r.query) && CASE WHEN p.required IS NULL AND r.level > 0 THEN search_within(p.scopes, r.level) ELSE p.here END && coalesce(p.condition, p.here) AS rare,
           CASE WHEN p.required IS NULL THEN c.query && p.here && coalesce(p.condition, p.here) END AS complete
      FROM scope p LEFT JOIN rare r USING (config) LEFT JOIN complete c USING (config))`;

/** The chosen texts and titles, with their pages and vectors. */
function candidates(parameter: (place: number) => string, ofReader: boolean): string {
  const titles = ofReader ? without('s.page_id', parameter(4), parameter(5)) : '';
  const texts = ofReader
    ? without('c.page_id', parameter(4), parameter(5)) + without('c.page_id', parameter(6), parameter(7))
    : '';
  const bodies = (
    query: string,
    limit: number,
  ): string => `(SELECT s.space_id, c.page_id, s.hash, s.heading_vector, s.vector
      FROM chosen q
     CROSS JOIN LATERAL (SELECT s.space_id, s.hash, s.heading_vector, s.vector FROM section_vector s WHERE s.vector @@ ${query} OFFSET 0) s
      JOIN visible v ON v.id = s.space_id AND v.config = q.config
     CROSS JOIN LATERAL (SELECT c.page_id FROM section_current c WHERE c.space_id = s.space_id AND c.hash = s.hash OFFSET 0) c
     WHERE true${texts} LIMIT ${limit})`;
  return `found AS MATERIALIZED (
    SELECT DISTINCT ON (space_id, page_id, hash) * FROM (
      ${bodies('q.rare', 2 * TEXTS)}
      UNION ALL ${bodies('q.complete', TEXTS_WITH_ALL)}) f),
  titled AS MATERIALIZED (
    SELECT s.space_id, s.page_id
      FROM (SELECT t.config, string_agg('(' || t.query::text || ')', ' | ')::tsquery && p.here && coalesce(p.condition, p.here) AS query
              FROM term t JOIN scope p USING (config) GROUP BY t.config, p.here, p.condition) q
     CROSS JOIN LATERAL (SELECT s.space_id, s.page_id FROM page_current s WHERE s.title_vector @@ q.query OFFSET 0) s
      JOIN visible v ON v.id = s.space_id AND v.config = q.config WHERE true${titles} LIMIT ${CANDIDATES}),
  average AS MATERIALIZED (SELECT greatest(avg(length(vector)), 1)::real AS size FROM found),
  candidate AS MATERIALIZED (
    SELECT row_number() OVER () AS id, c.*, v.config, p.title_vector FROM (
      SELECT space_id, page_id, hash, heading_vector, vector || ''::tsvector AS vector, length(vector)::real AS size FROM found
      UNION ALL SELECT t.space_id, t.page_id, NULL, ''::tsvector, ''::tsvector, a.size FROM titled t CROSS JOIN average a${ofReader ? seenOtherwise(parameter(8)) : ''}) c
      JOIN visible v ON v.id = c.space_id
     CROSS JOIN LATERAL (SELECT p.title_vector FROM page_current p WHERE p.space_id = c.space_id AND p.page_id = c.page_id AND length(p.title_vector) > 0 OFFSET 0) p)`;
}

/** The scores of sections and pages by their words. */
const SCORES = `part AS MATERIALIZED (
    SELECT x.space_id, x.page_id, x.id, x.hash, w.concept, max(w.idf * s.tf * ${K1 + 1} / (s.tf + ${K1})) AS score, max(w.idf) AS idf
      FROM candidate x CROSS JOIN average a JOIN weighed w ON w.config = x.config
     CROSS JOIN LATERAL (
       SELECT CASE WHEN x.title_vector @@ w.query THEN ${TITLE} * ${occurrences('x.title_vector')} / (${1 - B} + ${B} * length(x.title_vector) / ${TITLE_LENGTH}.0) ELSE 0 END
            + CASE WHEN x.vector @@ w.query THEN (${occurrences('x.vector')} + CASE WHEN x.heading_vector @@ w.query THEN ${HEADING} ELSE 0 END)
              / (${1 - B} + ${B} * x.size / a.size) ELSE 0 END AS tf OFFSET 0) s
     WHERE s.tf > 0 GROUP BY x.space_id, x.page_id, x.id, x.hash, w.concept),
  concept AS MATERIALIZED (SELECT config, concept, max(idf) AS idf FROM weighed WHERE query IS NOT NULL GROUP BY config, concept),
  whole AS MATERIALIZED (SELECT config, sum(idf) FILTER (WHERE concept >= 0 OR concept <= ${FIRST_ASKING}) AS idf, sum(idf) FILTER (WHERE concept >= 0) AS content FROM concept GROUP BY config),
  section AS MATERIALIZED (
    SELECT c.*, c.sum * (${1 - COVERAGE} + ${COVERAGE} * c.share) AS score
      FROM (SELECT p.space_id, p.page_id, p.hash, sum(p.score) AS sum, sum(p.idf) / greatest(max(w.idf), 0.0001) AS share, coalesce(sum(c.idf) FILTER (WHERE c.concept > ${FIRST_ASKING}), 0) / greatest(max(w.content), 0.0001) AS covered
              FROM part p JOIN visible v ON v.id = p.space_id JOIN whole w USING (config) JOIN concept c ON c.config = v.config AND c.concept = p.concept GROUP BY p.space_id, p.page_id, p.id, p.hash) c),
  words AS MATERIALIZED (
    SELECT space_id, page_id, round(least(max(covered), 1)::numeric, 4)::real AS coverage, (max(score) * (1 + ${OTHERS} * ln(sum(score) / greatest(max(score), 0.0001))))::numeric(12, 6) AS score,
           (array_agg(encode(hash, 'hex') ORDER BY score DESC, hash) FILTER (WHERE hash IS NOT NULL AND score >= ${SHOWN} * best))[1:${SECTIONS_PER_PAGE}] AS sections
      FROM (SELECT s.*, max(score) OVER (PARTITION BY space_id, page_id) AS best FROM section s) s GROUP BY space_id, page_id ORDER BY 4 DESC, 2 DESC LIMIT ${CANDIDATES})`;

/** Sections that a reader sees in place of the stored ones: few, whose vectors are computed on the fly. */
const seenOtherwise = (sections: string): string => `
      UNION ALL SELECT x.space, x.page, NULL, m.heading, m.vector, length(m.vector)::real
        FROM jsonb_to_recordset(${sections}::jsonb) AS x (space text, page text, title text, body text) JOIN visible v ON v.id = x.space JOIN scope p ON p.config = v.config
       CROSS JOIN LATERAL (SELECT search_vector(ARRAY[v.id], v.config, x.title) AS heading, search_vector(ARRAY[v.id], v.config, x.title || ' ' || x.body) AS vector OFFSET 0) m
       WHERE EXISTS (SELECT FROM term t WHERE t.config = v.config AND m.vector @@ t.query) AND (p.condition IS NULL OR m.vector @@ p.condition)`;
