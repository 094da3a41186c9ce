import { ITEM_COLUMNS } from './content-store.statements.js';

/** The primary line has no tombstones. */
const COLUMNS = ITEM_COLUMNS.filter((column) => column !== 'deleted')
  .map((column) => `r.${column}`)
  .join(', ');
const SAME = `u.space_id = $1 AND u.line = '' AND u.kind = r.kind AND u.id = r.id`;

/**
 * Copies some items of a space with their related rows: $1 the space, $2 its copy, $3 the sequence of the primary line
 * that is copied, $4 and $5 the kind and id after which to continue, $6 the maximum number of items, $7 the language,
 * $8 the time. Returns the last kind and id, null if there are no more. All of it is one statement: no data passes
 * through the server. Items are read as of the sequence, so concurrent changes of the space do not matter; documents
 * never change.
 */
export const COPY_ITEMS = `WITH item AS MATERIALIZED (
    SELECT * FROM (
      (SELECT ${COLUMNS} FROM content_item r
        WHERE r.space_id = $1 AND r.line = '' AND (r.kind, r.id) > ($4, $5)
          AND NOT EXISTS (SELECT FROM content_undo u WHERE ${SAME} AND u.sequence > $3)
        ORDER BY r.kind, r.id LIMIT $6)
      UNION ALL
      (SELECT ${COLUMNS} FROM content_undo r
        WHERE r.space_id = $1 AND r.line = '' AND r.sequence > $3 AND r.existed AND (r.kind, r.id) > ($4, $5)
          AND NOT EXISTS (SELECT FROM content_undo u WHERE ${SAME} AND u.sequence > $3 AND u.sequence < r.sequence)
        ORDER BY r.kind, r.id LIMIT $6)) found
     ORDER BY kind, id LIMIT $6),
  source AS MATERIALIZED (
    SELECT d.hash, d.body::text AS body, d.words, d.anchors, d.sections, d.section_texts, own.ids
      FROM (SELECT DISTINCT i.hash FROM item i WHERE i.kind IN ('page', 'reusable') AND i.hash IS NOT NULL) h
      JOIN document d ON d.space_id = $1 AND d.hash = h.hash
     CROSS JOIN LATERAL (
       SELECT array_agg(DISTINCT named.id) AS ids
         FROM document_ref r
        CROSS JOIN LATERAL (VALUES (r.target, r.kind), (r.target_space_id, 'space')) AS named (id, kind)
        WHERE r.space_id = $1 AND r.hash = d.hash AND coalesce(r.target_space_id, $1) = $1
          AND CASE named.kind WHEN 'space' THEN named.id = $1
                WHEN 'page' THEN is_content($1, 'page', named.id)
                WHEN 'file' THEN is_content($1, 'file', named.id)
                WHEN 'reusable-content' THEN is_content($1, 'reusable', named.id) ELSE false END) own),
  copied AS MATERIALIZED (
    SELECT hash, hash AS copy_hash, body, words, anchors, sections, section_texts, ids FROM source WHERE ids IS NULL
    UNION ALL
    SELECT s.hash, sha256(convert_to(c.body, 'UTF8')), c.body, s.words, s.anchors, s.sections, s.section_texts, s.ids
      FROM source s CROSS JOIN LATERAL (SELECT copied_json(s.body, $1, $2, s.ids) AS body OFFSET 0) c WHERE s.ids IS NOT NULL),
  stored AS (
    INSERT INTO document (space_id, hash, body, words, anchors, sections, section_texts, created_at)
    SELECT $2, copy_hash, body::json, words, anchors, sections, section_texts, $8 FROM copied ON CONFLICT DO NOTHING RETURNING hash),
  fresh_text AS MATERIALIZED (
    SELECT DISTINCT ON (t.hash) t.hash, c.sections -> (t.idx - 1)::int ->> 'title' AS title,
           (c.sections -> (t.idx - 1)::int ->> 'title') || ' ' || (c.sections -> (t.idx - 1)::int ->> 'text') AS text
      FROM copied c CROSS JOIN LATERAL unnest(c.section_texts) WITH ORDINALITY AS t (hash, idx)
     WHERE (SELECT true FROM section_vector v WHERE v.space_id = $2 AND v.hash = t.hash LIMIT 1) IS NULL),
  scopes AS MATERIALIZED (SELECT search_scopes($2) AS own, search_scopes($1) AS others),
  vectors AS (
    INSERT INTO section_vector (space_id, hash, heading_vector, vector)
    SELECT $2, f.hash,
           coalesce(v.heading_vector, search_vector('{}', search_config($7), f.title)),
           coalesce(array_to_tsvector(search_places(o.own, f.text)) || ts_delete(v.vector, search_places(o.others, f.text)), search_vector(o.own, search_config($7), f.text))
      FROM scopes o CROSS JOIN fresh_text f LEFT JOIN LATERAL (SELECT v.heading_vector, v.vector FROM section_vector v WHERE v.space_id = $1 AND v.hash = f.hash OFFSET 0) v ON true),
  refs AS (
    INSERT INTO document_ref (space_id, hash, idx, relation, kind, target, target_space_id, anchor, node)
    SELECT $2, c.copy_hash, r.idx, r.relation, r.kind,
           CASE WHEN r.target = $1 THEN $2 WHEN r.target = ANY (c.ids) THEN copied_id($2, r.target) ELSE r.target END,
           CASE WHEN r.target_space_id = $1 THEN $2 ELSE r.target_space_id END, r.anchor, r.node
      FROM stored JOIN copied c ON c.copy_hash = stored.hash JOIN document_ref r ON r.space_id = $1 AND r.hash = c.hash),
  fresh AS MATERIALIZED (
    SELECT i.*, coalesce(c.copy_hash, i.hash) AS copy_hash, CASE WHEN i.kind IN ('variable', 'tag') THEN i.id ELSE copied_id($2, i.id) END AS copy_id,
           CASE WHEN named.ids IS NULL THEN i.props - 'readerNote' ELSE copied_json((i.props - 'readerNote')::text, $1, $2, named.ids)::jsonb END AS copy_props
      FROM item i LEFT JOIN copied c ON i.kind IN ('page', 'reusable') AND c.hash = i.hash
     CROSS JOIN LATERAL (
       SELECT array_agg(DISTINCT v.id) AS ids
         FROM jsonb_path_query(i.props, 'strict $.**') AS node (value) CROSS JOIN LATERAL (SELECT node.value #>> '{}' AS id) v
        WHERE i.props ?| ARRAY['cover', 'target', 'metaLinks', 'computed', 'variables'] AND jsonb_typeof(node.value) = 'string'
          AND (v.id = $1 OR length(v.id) = length($1) AND (is_content($1, 'page', v.id) OR is_content($1, 'file', v.id) OR is_content($1, 'reusable', v.id)))) named),
  items AS (
    INSERT INTO content_item (space_id, line, kind, id, parent_id, position, type, slug, title, props, hash, created_at, updated_at)
    SELECT $2, '', kind, copy_id, CASE parent_id WHEN '' THEN '' ELSE copied_id($2, parent_id) END, position, type, slug, title, copy_props, copy_hash, created_at, updated_at
      FROM fresh),
  current AS (
    INSERT INTO page_current (space_id, page_id, hash, title_vector)
    SELECT $2, copy_id, copy_hash, CASE WHEN props -> 'noIndex' = 'true' THEN '' ELSE search_vector((SELECT own FROM scopes), search_config($7), title || ' ' || coalesce(props ->> 'description', '')) END
      FROM fresh WHERE kind = 'page' AND slug IS NOT NULL),
  current_texts AS (
    INSERT INTO section_current (space_id, hash, page_id)
    SELECT DISTINCT $2, used.hash, f.copy_id
      FROM fresh f JOIN copied c ON c.hash = f.hash CROSS JOIN LATERAL unnest(c.section_texts) AS used (hash)
     WHERE f.kind = 'page' AND f.slug IS NOT NULL)
  SELECT kind, id FROM item ORDER BY kind DESC, id DESC LIMIT 1`;

/** Counts the items of a copy ($1), once all are copied. */
export const COUNT_ITEMS = `INSERT INTO content_total (space_id, line, kind, count) SELECT space_id, line, kind, count(*) FROM content_item WHERE space_id = $1 GROUP BY space_id, line, kind`;

/**
 * Marks the texts of a copy ($1) that no page has, once all of its items are copied ($2 the time): those of reusable
 * contents.
 */
export const COPY_UNUSED = `INSERT INTO section_unused (space_id, hash, since)
  SELECT v.space_id, v.hash, $2 FROM section_vector v
   WHERE v.space_id = $1 AND NOT EXISTS (SELECT FROM section_current c WHERE c.space_id = v.space_id AND c.hash = v.hash)`;

/** Copies the redirects of a space ($1) to its copy ($2). */
export const COPY_REDIRECTS = `INSERT INTO page_redirect (space_id, path, page_id, given, created_at)
  SELECT $2, path, CASE page_id WHEN '' THEN '' ELSE copied_id($2, page_id) END,
         CASE WHEN given IS NULL OR page_id = '' THEN given ELSE copied_json(given::text, $1, $2, ARRAY[page_id, $1])::jsonb END, created_at
    FROM page_redirect WHERE space_id = $1`;

/** Copies the former places of its pages. */
export const COPY_FORMER_PLACES = `INSERT INTO page_former_place (space_id, parent_id, slug, page_id, created_at)
  SELECT $2, CASE parent_id WHEN '' THEN '' ELSE copied_id($2, parent_id) END, slug, copied_id($2, page_id), created_at
    FROM page_former_place WHERE space_id = $1`;

/**
 * Copies the words for the correction of queries from a space ($1) to its copy ($2), which has its texts already. Until an upgrade has
 * put the words of all spaces into sets, that of the space may lack some, so those of the copied texts are taken as well.
 */
export const COPY_WORDS = `INSERT INTO space_vocabulary (space_id, level, words)
  SELECT $2, level, words FROM space_vocabulary WHERE space_id = $1
  UNION ALL
  SELECT $2, 0, w.words
    FROM search_words(ARRAY(SELECT v.vector FROM section_vector v WHERE v.space_id = $2 UNION ALL SELECT c.title_vector FROM page_current c WHERE c.space_id = $2)) AS w (words)
   WHERE w.words IS NOT NULL AND EXISTS (SELECT FROM backfill b WHERE b.migration = 'ContentVocabulariesInSets1799750000000' AND b.finished_at IS NULL)`;
