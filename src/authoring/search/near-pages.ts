/** Pages that are compared section by section: those that are nearest as a whole. */
const COMPARED = 60;
const NEAR = 50;
/** Pages that are compared as a whole, so that the cost of a search has a limit. */
const EXAMINED = 50_000;
/** Pages that are found by their meaning alone. */
const ALONE = 10;
/**
 * How near pages raise the rank: by 20 % for the nearest one, less by the reciprocal rank of the others (Cormack et al.:
 * Reciprocal Rank Fusion, 2009), with the constant 20. Pages without any word of the query begin at 40 % of the best
 * score. Chosen by `npm run eval:search`.
 */
const BOOST = 0.2;
const CONSTANT = 20;
const BASE = 0.4;

const RECIPROCAL = `(${CONSTANT}::numeric / (${CONSTANT} + n.place))`;

/**
 * The common table expression `near` with at most 50 pages of the spaces `visible` that mean nearly the same as the query,
 * the nearest at the place 0, each with the hash of its nearest section. `meaning` is the parameter with the sketch of the
 * query as JSON, or null, which is near to nothing. `excluded` excludes pages `s`.
 */
export const nearPages = (meaning: string, excluded: string): string => `meaning AS MATERIALIZED (
    SELECT m.model, m.sketch::bit varying AS sketch FROM jsonb_to_recordset(${meaning}::jsonb) AS m (model text, sketch text)),
  near_page AS MATERIALIZED (
    SELECT s.space_id, s.page_id, s.distance FROM (
      SELECT e.* FROM meaning m CROSS JOIN visible v
       CROSS JOIN LATERAL (SELECT e.space_id, e.page_id, bit_count(e.sketch # m.sketch) AS distance FROM page_embedding e
                            WHERE e.space_id = v.id AND e.model = m.model AND length(e.sketch) = length(m.sketch) OFFSET 0) e LIMIT ${EXAMINED}) s
     WHERE true${excluded} ORDER BY s.distance, s.page_id LIMIT ${COMPARED}),
  near AS MATERIALIZED (
    SELECT c.space_id, c.page_id, row_number() OVER (ORDER BY c.distance, c.page_id, c.space_id) - 1 AS place,
           CASE WHEN EXISTS (SELECT FROM section_current x WHERE x.space_id = c.space_id AND x.hash = c.hash AND x.page_id = c.page_id) THEN ARRAY[encode(c.hash, 'hex')] END AS sections
      FROM (SELECT DISTINCT ON (n.space_id, n.page_id) n.space_id, n.page_id, t.hash, bit_count(t.sketch # m.sketch) AS distance
              FROM meaning m CROSS JOIN near_page n
             CROSS JOIN LATERAL (SELECT e.hashes, e.sketches FROM page_embedding e JOIN page_current p USING (space_id, page_id) WHERE e.space_id = n.space_id AND e.page_id = n.page_id AND length(p.title_vector) > 0 OFFSET 0) e
             CROSS JOIN LATERAL unnest(e.hashes, e.sketches) AS t (hash, sketch)
             ORDER BY n.space_id, n.page_id, bit_count(t.sketch # m.sketch), t.hash) c
     ORDER BY place LIMIT ${NEAR})`;

/** The pages of `words`, raised where they are `near`, and near pages without any word; nothing if there are no words. */
export const WORDS_AND_MEANING = `best AS MATERIALIZED (SELECT max(score) AS score FROM words),
  ranked AS MATERIALIZED (
    SELECT coalesce(w.space_id, n.space_id) AS space_id, coalesce(w.page_id, n.page_id) AS page_id, coalesce(w.coverage, 0) AS coverage,
           coalesce(w.score * (1 + coalesce(${BOOST} * ${RECIPROCAL}, 0)), b.score * ${BASE} * ${RECIPROCAL})::numeric(12, 6) AS score, coalesce(w.sections, n.sections) AS sections
      FROM words w FULL JOIN near n ON n.space_id = w.space_id AND n.page_id = w.page_id CROSS JOIN best b
     WHERE b.score IS NOT NULL AND (w.page_id IS NOT NULL OR n.place < ${ALONE}))`;
