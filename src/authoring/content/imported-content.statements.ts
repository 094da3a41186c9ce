import { COUNT_ITEMS } from './space-copies.statements.js';

/*
 * Content that comes with all of its rows, from another installation: documents may have ids in them that are others
 * here, and what follows from the content is made from it.
 */

export const MAKE_RENAMED =
  'CREATE TEMPORARY TABLE renamed_document (space_id text COLLATE "C", before bytea, now bytea, PRIMARY KEY (space_id, before)) ON COMMIT DROP';

/** Finds the documents of an organization (`$1`) that are stored under another hash than that of their text. */
export const FIND_RENAMED = `INSERT INTO renamed_document
  SELECT d.space_id, d.hash, d.now
    FROM (SELECT r.space_id, r.hash, sha256(convert_to(r.body::text, 'UTF8')) AS now FROM document r JOIN space s ON s.id = r.space_id WHERE s.organization_id = $1) d
   WHERE d.hash <> d.now`;

export const RENAME_DOCUMENTS =
  'UPDATE document d SET hash = n.now FROM renamed_document n WHERE n.space_id = d.space_id AND n.before = d.hash';

/** Gives rows that wait in the temporary table `staged_row` the new hashes of the documents that they name. */
export const RENAME_STAGED =
  'UPDATE staged_row r SET hash = n.now FROM renamed_document n WHERE n.space_id = r.space_id AND n.before = r.hash';

/** Statements that make the rows of a space (`$1`) which follow from its content: totals, and what search finds. */
export const DERIVE_CONTENT: readonly string[] = [
  COUNT_ITEMS,
  `INSERT INTO page_current (space_id, page_id, hash, title_vector)
   SELECT space_id, id, hash, '' FROM content_item WHERE space_id = $1 AND line = '' AND kind = 'page' AND slug IS NOT NULL`,
  `INSERT INTO section_current (space_id, hash, page_id)
   SELECT DISTINCT c.space_id, t.hash, c.page_id FROM page_current c JOIN document d ON d.space_id = c.space_id AND d.hash = c.hash
    CROSS JOIN LATERAL unnest(d.section_texts) AS t (hash) WHERE c.space_id = $1`,
  'SELECT index_space(id, language) FROM space WHERE id = $1',
];
