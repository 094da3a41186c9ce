import { excludingPages, VISIBLE_SPACES, type SpaceSelection } from './space-selection.js';

/** Pages that are compared section by section: those that are nearest as a whole. */
const COMPARED = 60;
const NEAR = 50;
/** Pages that are compared as a whole, so that the cost of a search has a limit. */
const EXAMINED = 50_000;
/** Share of different bits from which a page is not near: those of vectors at a right angle differ by half. */
const FAR = 0.45;

/**
 * The statement that finds at most 50 pages that mean nearly the same as the query, the nearest first, each with the hash
 * of its nearest section. Parameters behind those of the spaces: the name of the vectors and the sketch of the query; for a
 * reader (`ofReader`) also two lists with the spaces and pages that are hidden, and two with those that the reader sees in
 * another form, which are not compared.
 */
export function pagesByMeaning({ from, values }: SpaceSelection, ofReader = false): string {
  const parameter = (place: number): string => `$${values.length + place}`;
  const sketch = `${parameter(2)}::bit varying`;
  const excluded = ofReader
    ? excludingPages('s.page_id', parameter(3), parameter(4)) + excludingPages('s.page_id', parameter(5), parameter(6))
    : '';
  return `WITH ${VISIBLE_SPACES(from)},
  near_page AS MATERIALIZED (
    SELECT s.space_id, s.page_id, s.distance FROM (
      SELECT e.space_id, e.page_id, bit_count(e.sketch # ${sketch}) AS distance FROM page_embedding e
       WHERE e.space_id = ANY (ARRAY(SELECT id FROM visible)) AND e.model = ${parameter(1)} AND length(e.sketch) = length(${sketch}) LIMIT ${EXAMINED}) s
     WHERE s.distance < (SELECT (length(${sketch}) * ${FAR})::bigint)${excluded} ORDER BY s.distance, s.page_id LIMIT ${COMPARED})
  SELECT c.space_id AS space, c.page_id AS page,
         CASE WHEN EXISTS (SELECT FROM section_current x WHERE x.space_id = c.space_id AND x.hash = c.hash AND x.page_id = c.page_id) THEN ARRAY[encode(c.hash, 'hex')] END AS sections, NULL::real[] AS shares
    FROM (SELECT DISTINCT ON (n.space_id, n.page_id) n.space_id, n.page_id, t.hash, bit_count(t.sketch # ${sketch}) AS distance
            FROM near_page n
           CROSS JOIN LATERAL (SELECT e.hashes, e.sketches FROM page_embedding e JOIN page_current p USING (space_id, page_id) WHERE e.space_id = n.space_id AND e.page_id = n.page_id AND length(p.title_vector) > 0 OFFSET 0) e
           CROSS JOIN LATERAL unnest(e.hashes, e.sketches) AS t (hash, sketch)
           ORDER BY n.space_id, n.page_id, bit_count(t.sketch # ${sketch}), t.hash) c
   ORDER BY c.distance, c.page_id, c.space_id LIMIT ${NEAR}`;
}
