import { FIRST_ASKING } from './domain/search-terms.js';
import { excludingPages, VISIBLE_SPACES, type SpaceSelection } from './space-selection.js';

/** Maximum number of pages that are ranked and counted. */
const CANDIDATES = 500;
/** Maximum number of titles that are examined. */
const TITLES = 1_000;
/** Texts that are ranked: the rarest words of the query decide which. */
const TEXTS = 800;
/** Texts that are ranked in addition because they contain all words of the query. */
const TEXTS_WITH_ALL = 400;
/** The smallest sample has one of so many texts; words with fewer texts in it than this are counted exactly. */
const SAMPLE = 64;
const COUNTED = 12;
/** Maximum number of pages of one text that are ranked. */
const PAGES_PER_TEXT = 100;
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

/** The weight of a term that occurs `tf` times. */
const saturated = (term: string): string => `${term}.idf * ${term}.tf * ${K1 + 1} / (${term}.tf + ${K1})`;

/** A page that is ranked by words. */
export interface PageByWords {
  readonly space: string;
  readonly page: string;
  readonly score: number;
  readonly coverage: number;
  /** The hashes of its best sections, separated by blanks, and their shares of the best score where there are several. */
  readonly sections: string | null;
  readonly shares: string | null;
  /** In the first row: by dictionary, the shares of the concepts of the query in its weight. */
  readonly weights: Readonly<Record<string, Readonly<Record<string, number>>>> | null;
}

/**
 * The statement that ranks pages by the words of a query: at most 500 (`PageByWords`), best first, with their scores, the
 * share of the weight of the query that their best sections cover (0 to 1) and these sections. Parameters behind those of
 * the spaces: the terms and the conditions; for a reader (`ofReader`) also two lists with the spaces and pages that are
 * hidden, two with those that the reader sees in another form, and their sections.
 *
 * Any word is sufficient. Words count by rarity, and words that the language calls stop words only if there are no
 * others. The texts with the rarest words and those with all words are ranked: their number has a limit, so that a
 * word in nearly all texts costs no more than another. A text is compared once, however many pages have it; the best
 * pairs of texts and pages are then ranked together with their titles. Invisible spaces and pages are neither ranked nor
 * counted.
 */
export function pagesByWords({ from, values }: SpaceSelection, ofReader = false): string {
  const parameter = (place: number): string => `$${values.length + place}`;
  return `WITH ${[VISIBLE_SPACES(from), weighedTerms(parameter(1), parameter(2)), candidates(parameter, ofReader), SCORES].join(',\n')}
  SELECT space_id AS space, page_id AS page, score, round(least(covered, 1)::numeric, 4)::real AS coverage,
         array_to_string(CASE WHEN cardinality(hashes) > 1 THEN ${ofBestSections('h.hash')} ELSE hashes END, ' ') AS sections,
         CASE WHEN cardinality(hashes) > 1 THEN array_to_string(${ofBestSections('round((h.score / best)::numeric, 3)')}, ' ') END AS shares,
         CASE WHEN row_number() OVER (ORDER BY score DESC, page_id DESC) = 1 THEN (SELECT jsonb_object_agg(config, weights) FROM (
           SELECT w.config, jsonb_object_agg(c.concept, round((c.idf / greatest(w.content, 0.0001))::numeric, 4)) AS weights
             FROM concept c JOIN whole w USING (config) WHERE c.concept >= 0 GROUP BY w.config) x) END AS weights
    FROM words ORDER BY score DESC, page_id DESC`;
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
           i.idf, max(i.idf) FILTER (WHERE c.query IS NOT NULL) OVER (PARTITION BY c.config, c.concept) AS concept_idf
      FROM counted c CROSS JOIN total n CROSS JOIN LATERAL (SELECT c.weight * ln(1 + (greatest(n.texts - c.texts, 0) + 0.5) / (c.texts + 0.5)) AS idf OFFSET 0) i WHERE c.id >= 0),
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

/** The chosen texts, and the pages of the best ones and of titles with their vectors. */
function candidates(parameter: (place: number) => string, ofReader: boolean): string {
  const titles = ofReader ? excludingPages('s.page_id', parameter(3), parameter(4)) : '';
  const shown = ofReader
    ? excludingPages('c.page_id', parameter(3), parameter(4)) + excludingPages('c.page_id', parameter(5), parameter(6))
    : '';
  const pages = `FROM section_current c WHERE c.space_id = s.space_id AND c.hash = s.hash${shown}`;
  const bodies = (
    condition: string,
    limit: number,
  ): string => `(SELECT s.space_id, s.hash, NULL::text AS page_id, s.heading_vector, s.vector, q.config
      FROM chosen q
     CROSS JOIN LATERAL (SELECT s.space_id, s.hash, s.heading_vector, s.vector FROM section_vector s WHERE ${condition} OFFSET 0) s
      JOIN visible v ON v.id = s.space_id AND v.config = q.config${ofReader ? ` WHERE EXISTS (SELECT ${pages})` : ''} LIMIT ${limit})`;
  return `found AS MATERIALIZED (
    SELECT space_id, hash, page_id, config, heading_vector, vector || ''::tsvector AS vector, length(vector)::real AS size FROM (
      ${bodies('s.vector @@ q.complete', TEXTS_WITH_ALL)}
      UNION ALL ${bodies('s.vector @@ q.rare AND (s.vector @@ q.complete) IS NOT TRUE', 2 * TEXTS)}${ofReader ? seenOtherwise(parameter(7)) : ''}) f),
  titled AS MATERIALIZED (
    SELECT s.space_id, s.page_id, v.config
      FROM (SELECT t.config, string_agg('(' || t.query::text || ')', ' | ')::tsquery && p.here && coalesce(p.condition, p.here) AS query
              FROM term t JOIN scope p USING (config) GROUP BY t.config, p.here, p.condition) q
     CROSS JOIN LATERAL (SELECT s.space_id, s.page_id FROM page_current s WHERE s.title_vector @@ q.query OFFSET 0) s
      JOIN visible v ON v.id = s.space_id AND v.config = q.config WHERE true${titles} LIMIT ${TITLES}),
  average AS MATERIALIZED (SELECT greatest(avg(size), 1) AS size FROM found),
  in_text AS MATERIALIZED (
    SELECT x.space_id, x.hash, x.page_id, x.config, f.found, f.score
      FROM found x CROSS JOIN average a
     CROSS JOIN LATERAL (
       SELECT array_agg(t.tf ORDER BY t.id) AS found, sum(${saturated('t')}) AS score FROM (
         SELECT w.id, w.idf, CASE WHEN x.vector @@ w.query
                THEN (${occurrences('x.vector')} + CASE WHEN x.heading_vector @@ w.query THEN ${HEADING} ELSE 0 END) / (${1 - B} + ${B} * x.size / a.size) ELSE 0 END AS tf
           FROM weighed w WHERE w.config = x.config OFFSET 0) t OFFSET 0) f
     ORDER BY f.score DESC, x.hash LIMIT ${CANDIDATES}),
  candidate AS MATERIALIZED (
    SELECT row_number() OVER () AS nth, c.*, p.title_vector FROM (
      (SELECT s.space_id, p.page_id, s.hash, s.config, s.found FROM in_text s
        CROSS JOIN LATERAL (SELECT c.page_id ${pages} AND s.page_id IS NULL UNION ALL SELECT s.page_id WHERE s.page_id IS NOT NULL LIMIT ${PAGES_PER_TEXT}) p
        LIMIT ${CANDIDATES})
      UNION ALL SELECT t.space_id, t.page_id, NULL, t.config, NULL FROM titled t) c
     CROSS JOIN LATERAL (SELECT p.title_vector FROM page_current p WHERE p.space_id = c.space_id AND p.page_id = c.page_id AND length(p.title_vector) > 0 OFFSET 0) p)`;
}

/** A list with one value of each of the best sections of a page. */
const ofBestSections = (value: string): string =>
  `ARRAY(SELECT ${value} FROM unnest(hashes, scores) AS h (hash, score) WHERE h.score >= ${SHOWN} * best ORDER BY h.score DESC, h.hash LIMIT ${SECTIONS_PER_PAGE})`;

/** The scores of sections and pages by their words. */
const SCORES = `concept AS MATERIALIZED (SELECT DISTINCT config, concept, concept_idf AS idf FROM weighed WHERE query IS NOT NULL),
  whole AS MATERIALIZED (SELECT config, sum(idf) FILTER (WHERE concept >= 0 OR concept <= ${FIRST_ASKING}) AS idf, sum(idf) FILTER (WHERE concept >= 0) AS content FROM concept GROUP BY config),
  matched AS MATERIALIZED (
    SELECT t.nth, t.concept, max(${saturated('t')}) AS score, max(t.idf) AS idf, max(t.concept_idf) AS concept_idf FROM (
      SELECT x.nth, w.concept, w.idf, w.concept_idf, coalesce(x.found[w.id + 1], 0)
             + CASE WHEN x.title_vector @@ w.query THEN ${TITLE} * ${occurrences('x.title_vector')} / (${1 - B} + ${B} * length(x.title_vector) / ${TITLE_LENGTH}.0) ELSE 0 END AS tf
        FROM candidate x JOIN weighed w ON w.config = x.config AND w.query IS NOT NULL OFFSET 0) t
     WHERE t.tf > 0 GROUP BY t.nth, t.concept),
  section AS (
    SELECT x.space_id, x.page_id, x.hash, s.sum * (${1 - COVERAGE} + ${COVERAGE} * s.idf / greatest(w.idf, 0.0001)) AS score, s.content / greatest(w.content, 0.0001) AS covered
      FROM (SELECT nth, sum(score) AS sum, sum(idf) AS idf, coalesce(sum(concept_idf) FILTER (WHERE concept > ${FIRST_ASKING}), 0) AS content FROM matched GROUP BY nth) s
      JOIN candidate x USING (nth) JOIN whole w USING (config)),
  words AS MATERIALIZED (
    SELECT space_id, page_id, covered, best, hashes, scores, best * (1 + ${OTHERS} * ln(total / greatest(best, 0.0001))) AS score
      FROM (SELECT space_id, page_id, max(covered) AS covered, max(score) AS best, sum(score) AS total,
                   array_agg(encode(hash, 'hex')) FILTER (WHERE hash IS NOT NULL) AS hashes, array_agg(score) FILTER (WHERE hash IS NOT NULL) AS scores
              FROM section GROUP BY space_id, page_id) s
     ORDER BY score DESC, page_id DESC LIMIT ${CANDIDATES})`;

/** Sections that a reader sees in place of the stored ones: few, whose vectors are computed on the fly. */
const seenOtherwise = (sections: string): string => `
      UNION ALL SELECT x.space, NULL, x.page, m.heading, m.vector, v.config
        FROM jsonb_to_recordset(${sections}::jsonb) AS x (space text, page text, title text, body text) JOIN visible v ON v.id = x.space JOIN scope p ON p.config = v.config
       CROSS JOIN LATERAL (SELECT search_vector('{}', v.config, x.title) AS heading, search_vector(ARRAY[v.id], v.config, x.title || ' ' || x.body) AS vector OFFSET 0) m
       WHERE EXISTS (SELECT FROM term t WHERE t.config = v.config AND m.vector @@ t.query) AND (p.condition IS NULL OR m.vector @@ p.condition)`;
