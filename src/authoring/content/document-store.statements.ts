/**
 * Separates JSON texts that are sent as one: JSON contains no control characters, and the driver is slow to write
 * arrays.
 */
export const JSON_SEPARATOR = '\u001e';
const list = (parameter: string): string => `string_to_array(${parameter}, chr(${JSON_SEPARATOR.charCodeAt(0)}))`;

/** The search vectors of a section, in the language of a parameter: that of the heading is only compared, so it needs no place. */
const vectorsOf = (
  section: string,
  language: string,
): string => `search_vector('{}', search_config(${language}), ${section} ->> 'title') AS heading_vector,
           search_vector((SELECT search_scopes($1)), search_config(${language}), (${section} ->> 'title') || ' ' || (${section} ->> 'text')) AS vector`;

/** Protects the document of a change from the sweep. */
const CLAIMED = 'DELETE FROM document_staged s USING input i WHERE s.space_id = $1 AND s.hash = i.hash';
const STAGED = `INSERT INTO document_staged (space_id, hash, staged_at) SELECT DISTINCT $1::text, hash, $7::timestamptz FROM input ORDER BY hash
    ON CONFLICT (space_id, hash) DO UPDATE SET staged_at = excluded.staged_at`;

/**
 * Stores documents. The mark comes first: it waits for a sweep that is removing one of them, which is then inserted
 * again.
 */
const insertMarked = (mark: string): string => `WITH input AS MATERIALIZED (
    SELECT decode(d.hash, 'hex') AS hash, d.body, d.words, d.sections, ARRAY(SELECT decode(text, 'hex') FROM string_to_table(d.texts, ' ') AS text) AS texts, d.refs, d.anchors
      FROM unnest($2::text[], ${list('$3')}, $4::int[], ${list('$5')}::jsonb[], ${list('$6')}::jsonb[], $9::text[], ${list('$10')}::jsonb[]) AS d(hash, body, words, sections, refs, texts, anchors)),
  marked AS (${mark} RETURNING 1),
  stored AS (
    INSERT INTO document (space_id, hash, body, words, anchors, sections, section_texts, created_at)
    SELECT $1, hash, body::json, words, ARRAY(SELECT jsonb_array_elements_text(anchors)), sections, texts, $7 FROM input WHERE (SELECT count(*) FROM marked) >= 0
    ON CONFLICT DO NOTHING RETURNING hash),
  fresh AS MATERIALIZED (
    SELECT DISTINCT ON (t.hash) t.hash, i.sections -> (t.idx - 1)::int AS section
      FROM input i CROSS JOIN LATERAL unnest(i.texts) WITH ORDINALITY AS t (hash, idx)
     WHERE (SELECT true FROM section_vector v WHERE v.space_id = $1 AND v.hash = t.hash LIMIT 1) IS NULL ORDER BY t.hash),
  made AS MATERIALIZED (SELECT hash, ${vectorsOf('section', '$8')} FROM fresh),
  vectors AS (
    INSERT INTO section_vector (space_id, hash, heading_vector, vector) SELECT $1, hash, heading_vector, vector FROM made ON CONFLICT DO NOTHING),
  unused AS (
    INSERT INTO section_unused (space_id, hash, since) SELECT $1, hash, $11::timestamptz FROM made ON CONFLICT DO NOTHING),
  words AS (
    INSERT INTO space_vocabulary (space_id, words)
    SELECT $1, w.words FROM search_words(ARRAY(SELECT vector FROM made)) AS w (words) WHERE w.words IS NOT NULL)
  INSERT INTO document_ref (space_id, hash, idx, relation, kind, target, target_space_id, anchor, node)
  SELECT $1, i.hash, r.idx, r.relation, r.kind, r.target, r.space, r.anchor, r.node
    FROM stored JOIN input i USING (hash)
   CROSS JOIN LATERAL jsonb_to_recordset(i.refs) AS r(idx int, relation text, kind text, target text, space text, anchor text, node text)`;
export const INSERT_DOCUMENTS = insertMarked(CLAIMED);
export const STAGE_DOCUMENTS = insertMarked(STAGED);

/** Removes documents of the space $1 that were staged before $2 and never claimed, at most $3 at a time. */
export const SWEEP_STAGED = `WITH old AS MATERIALIZED (
    SELECT hash FROM document_staged WHERE space_id = $1 AND staged_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED),
  looked_at AS (
    DELETE FROM document_staged s USING old WHERE s.space_id = $1 AND s.hash = old.hash),
  removed AS (
    DELETE FROM document d USING old WHERE d.space_id = $1 AND d.hash = old.hash
       AND NOT EXISTS (SELECT FROM content_item i WHERE i.space_id = $1 AND i.kind IN ('page', 'reusable') AND i.hash = old.hash)
       AND NOT EXISTS (SELECT FROM content_undo u WHERE u.space_id = $1 AND u.kind IN ('page', 'reusable') AND u.hash = old.hash)
    RETURNING 1)
  SELECT (SELECT count(*) FROM old)::int AS seen, (SELECT count(*) FROM removed)::int AS removed`;

/** The numbers of words of the current pages of spaces; none for documents of which a part has a condition. */
export const WORD_COUNTS = `SELECT c.space_id AS "spaceId", c.page_id AS "pageId", d.words FROM page_current c JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash
   WHERE c.space_id = ANY ($1) AND NOT EXISTS (SELECT FROM document f WHERE f.space_id = d.space_id AND f.hash = d.hash AND f.body::text LIKE '%"type":"if"%')`;

/**
 * Marks the texts of these documents as used. Waits while their vectors are being dropped, so that the next statement
 * sees that.
 */
export const USE_TEXTS = `DELETE FROM section_unused WHERE ctid = ANY (ARRAY(
    SELECT u.place FROM document d CROSS JOIN LATERAL unnest(d.section_texts) AS t (hash)
     CROSS JOIN LATERAL (SELECT u.ctid AS place FROM section_unused u WHERE u.space_id = $1 AND u.hash = t.hash OFFSET 0) u
     WHERE d.space_id = $1 AND d.hash = ANY ($2::bytea[])))`;

const textsOf = (hash: string): string => `SELECT i.page, i.${hash} AS document, t.hash, t.idx FROM input i
     CROSS JOIN LATERAL (SELECT d.section_texts FROM document d WHERE d.space_id = $1 AND d.hash = i.${hash} OFFSET 0) d
     CROSS JOIN LATERAL unnest(d.section_texts) WITH ORDINALITY AS t (hash, idx) WHERE i.hash IS DISTINCT FROM i.before`;

/**
 * Only writes texts that a page gains or loses; texts without vectors get them again, and a title keeps its vector where
 * the revision $5 left the title and description as they were. OFFSET leaves the planner no other way to a row than its
 * key, and CASE none but a table of hashes; these rows do not change concurrently, so the physical address of a row is as
 * good as its key.
 */
export const SWITCH_CURRENT = `WITH input AS MATERIALIZED (
    SELECT i.page, i.removed, decode(i.hash, 'hex') AS hash, i.text, c.hash AS before, CASE WHEN u.text IS NOT DISTINCT FROM i.text THEN u.title_vector END AS vector
      FROM jsonb_to_recordset($2::jsonb) AS i(page text, removed boolean, hash text, text text)
      LEFT JOIN LATERAL (SELECT c.hash, c.title_vector FROM page_current c WHERE c.space_id = $1 AND c.page_id = i.page OFFSET 0) c ON true
      LEFT JOIN LATERAL (
        SELECT c.title_vector, CASE WHEN u.props -> 'noIndex' = 'true' THEN NULL ELSE u.title || ' ' || coalesce(u.props ->> 'description', '') END AS text
          FROM content_undo u WHERE u.space_id = $1 AND u.line = '' AND u.sequence = $5 AND u.kind = 'page' AND u.id = i.page AND u.existed OFFSET 0) u ON true),
  had AS MATERIALIZED (${textsOf('before')}),
  has AS MATERIALIZED (${textsOf('hash')}),
  lost AS MATERIALIZED (SELECT page, hash FROM had EXCEPT SELECT page, hash FROM has),
  gained AS MATERIALIZED (SELECT page, hash FROM has EXCEPT SELECT page, hash FROM had),
  gone AS (
    DELETE FROM section_current WHERE ctid = ANY (ARRAY(
      SELECT c.place FROM lost l CROSS JOIN LATERAL (
        SELECT c.ctid AS place FROM section_current c WHERE c.space_id = $1 AND c.hash = l.hash AND c.page_id = l.page OFFSET 0) c))),
  unused AS (
    INSERT INTO section_unused (space_id, hash, since) SELECT DISTINCT $1, hash, $3::timestamptz FROM lost
    ON CONFLICT (space_id, hash) DO UPDATE SET since = excluded.since),
  come AS (
    INSERT INTO section_current (space_id, hash, page_id) SELECT $1, hash, page FROM gained),
  missing AS MATERIALIZED (
    SELECT DISTINCT ON (h.hash) h.hash, h.document, h.idx FROM has h
     WHERE CASE WHEN h.hash IN (
       SELECT g.hash FROM gained g WHERE (SELECT true FROM section_vector v WHERE v.space_id = $1 AND v.hash = g.hash LIMIT 1) IS NULL) THEN true ELSE false END ORDER BY h.hash),
  revived AS (
    INSERT INTO section_vector (space_id, hash, heading_vector, vector)
    SELECT $1, m.hash, ${vectorsOf('d.section', '$4')}
      FROM missing m CROSS JOIN LATERAL (SELECT d.sections -> (m.idx - 1)::int AS section FROM document d WHERE d.space_id = $1 AND d.hash = m.document OFFSET 0) d
    ON CONFLICT DO NOTHING),
  removed AS (
    DELETE FROM page_current WHERE space_id = $1 AND page_id = ANY (ARRAY(SELECT page FROM input WHERE removed))),
  titles AS MATERIALIZED (
    SELECT page, hash, vector IS NULL AS is_new,
           CASE WHEN vector IS NOT NULL THEN vector WHEN text IS NULL THEN '' ELSE search_vector((SELECT search_scopes($1)), search_config($4), text) END AS vector
      FROM input WHERE NOT removed),
  words AS (
    INSERT INTO space_vocabulary (space_id, words)
    SELECT $1, w.words FROM search_words(ARRAY(SELECT vector FROM titles WHERE is_new)) AS w (words) WHERE w.words IS NOT NULL)
  INSERT INTO page_current (space_id, page_id, hash, title_vector)
  SELECT $1, page, hash, vector FROM titles
  ON CONFLICT (space_id, page_id) DO UPDATE SET hash = excluded.hash, title_vector = excluded.title_vector`;

/** Drops the vectors of texts that no page has had since a time, so that old versions do not slow the search. */
export const FORGET_TEXTS = `WITH unused AS (
    DELETE FROM section_unused WHERE (space_id, hash) IN (
      SELECT space_id, hash FROM section_unused WHERE since < $1 ORDER BY since LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING space_id, hash),
  dropped AS (
    DELETE FROM section_vector v USING unused u WHERE v.space_id = u.space_id AND v.hash = u.hash
       AND NOT EXISTS (SELECT FROM section_current c WHERE c.space_id = u.space_id AND c.hash = u.hash))
  SELECT count(*)::int AS count FROM unused`;
