import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';
import { MAX_PAGE_DEPTH } from './domain/apply-changes.js';

const OVER_SPACES = { table: 'space', key: 'id' } as const;
/** Every write of primary content locks the row of its space. */
const LOCK_SPACE = 'SELECT FROM space WHERE id = $1 FOR UPDATE';
const RESTORE = 'Restore a backup from before';

const HISTORY: readonly Invariant[] = [
  {
    name: 'space-heads',
    holds: 'the head of each space is its last revision',
    broken: 'spaces whose head is not their last revision',
    over: OVER_SPACES,
    find: `SELECT s.id, NULL AS example FROM space s WHERE s.id = ANY ($1) AND (s.revision_id, s.sequence) IS DISTINCT FROM
      (SELECT (r.id, r.sequence) FROM revision r WHERE r.space_id = s.id AND r.line = '' ORDER BY r.sequence DESC LIMIT 1)`,
    advice: RESTORE,
  },
  {
    name: 'revision-chains',
    holds: 'revisions follow their predecessors',
    broken: 'revisions that do not follow their predecessor',
    over: OVER_SPACES,
    find: `SELECT r.space_id AS id, r.id AS example FROM revision r
        LEFT JOIN revision p ON p.space_id = r.space_id AND p.line = r.line AND p.sequence = r.sequence - 1
      WHERE r.space_id = ANY ($1) AND r.sequence > CASE r.line WHEN '' THEN 0 ELSE 1 END AND r.parents[1] IS DISTINCT FROM p.id`,
    advice: RESTORE,
  },
  {
    name: 'former-items',
    holds: 'former versions of items belong to revisions',
    broken: 'former versions of items that belong to no revision',
    over: OVER_SPACES,
    find: `SELECT u.space_id AS id, u.id AS example FROM content_undo u
      WHERE u.space_id = ANY ($1) AND NOT EXISTS (SELECT FROM revision r WHERE r.space_id = u.space_id AND r.line = u.line AND r.sequence = u.sequence)`,
    advice: RESTORE,
  },
  {
    name: 'documents-of-items',
    holds: 'pages and reusable contents have their documents, in all of their history',
    broken: 'pages and reusable contents, present or former, without their document',
    over: OVER_SPACES,
    find: ['content_item', 'content_undo']
      .map(
        (
          table,
        ) => `SELECT i.space_id AS id, i.id AS example FROM ${table} i WHERE i.space_id = ANY ($1) AND i.kind IN ('page', 'reusable') AND i.hash IS NOT NULL
         AND NOT EXISTS (SELECT FROM document d WHERE d.space_id = i.space_id AND d.hash = i.hash)`,
      )
      .join(' UNION ALL '),
    advice: `${RESTORE}, or write these pages anew`,
  },
  {
    name: 'bytes-of-files',
    holds: 'files of spaces are known to the file storage',
    broken: 'files, present or former, whose bytes the file storage does not know',
    over: OVER_SPACES,
    find: ['content_item', 'content_undo']
      .map(
        (
          table,
        ) => `SELECT i.space_id AS id, i.id AS example FROM ${table} i WHERE i.space_id = ANY ($1) AND i.kind = 'file' AND i.hash IS NOT NULL
         AND NOT EXISTS (SELECT FROM blob b WHERE b.hash = i.hash)`,
      )
      .join(' UNION ALL '),
    advice: `${RESTORE}, or upload these files again`,
  },
];

const TREES: readonly Invariant[] = [
  {
    name: 'page-trees',
    holds: `all pages hang together below the top of their space, at most ${MAX_PAGE_DEPTH} deep`,
    broken: `pages that cannot be reached from the top of their space in ${MAX_PAGE_DEPTH} steps`,
    isRequired: true,
    over: OVER_SPACES,
    find: `WITH RECURSIVE down (space_id, id, depth) AS (
        SELECT i.space_id, i.id, 1 FROM content_item i WHERE i.space_id = ANY ($1) AND i.line = '' AND i.kind = 'page' AND i.parent_id = ''
        UNION ALL
        SELECT i.space_id, i.id, down.depth + 1
          FROM down JOIN content_item i ON i.space_id = down.space_id AND i.line = '' AND i.kind = 'page' AND i.parent_id = down.id
         WHERE down.depth < ${MAX_PAGE_DEPTH})
      SELECT i.space_id AS id, i.id AS example FROM content_item i WHERE i.space_id = ANY ($1) AND i.line = '' AND i.kind = 'page'
      EXCEPT
      SELECT down.space_id, down.id FROM down`,
    advice: 'Move these pages to a place that is there, or restore a backup from before',
  },
  {
    name: 'slugs-of-siblings',
    holds: 'pages beside each other have different slugs',
    broken: 'slugs that several pages beside each other have',
    over: OVER_SPACES,
    find: `SELECT i.space_id AS id, min(i.id) AS example FROM content_item i
      WHERE i.space_id = ANY ($1) AND i.line = '' AND i.kind = 'page' AND i.slug IS NOT NULL GROUP BY i.space_id, i.parent_id, i.slug HAVING count(*) > 1`,
    advice: 'Give one of them another slug',
  },
  {
    name: 'item-totals',
    holds: 'pages, files and other items of spaces are counted',
    broken: 'wrong counts of pages, files or other items',
    over: OVER_SPACES,
    find: `SELECT coalesce(c.space_id, t.space_id) AS id, coalesce(c.kind, t.kind) AS example
       FROM (SELECT i.space_id, i.line, i.kind, count(*) AS count FROM content_item i WHERE i.space_id = ANY ($1) GROUP BY 1, 2, 3) c
       FULL JOIN (SELECT * FROM content_total t WHERE t.space_id = ANY ($1)) t ON t.space_id = c.space_id AND t.line = c.line AND t.kind = c.kind
      WHERE coalesce(c.count, 0) <> coalesce(t.count, 0)`,
    mend: {
      done: 'counted again',
      statements: [
        `INSERT INTO content_total (space_id, line, kind, count)
         SELECT DISTINCT i.space_id, i.line, i.kind, 0 FROM content_item i WHERE i.space_id = $1 ORDER BY 2, 3 ON CONFLICT DO NOTHING`,
        'SELECT FROM content_total WHERE space_id = $1 ORDER BY line, kind FOR UPDATE',
        `UPDATE content_total t
            SET count = (SELECT count(*) FROM content_item i WHERE i.space_id = t.space_id AND i.line = t.line AND i.kind = t.kind)
          WHERE t.space_id = $1`,
      ],
    },
  },
];

/** The texts of the current pages of spaces. */
const textsOfPages = (spaces: string): string => `SELECT DISTINCT p.space_id, p.page_id, t.hash
  FROM page_current p JOIN document d ON d.space_id = p.space_id AND d.hash = p.hash CROSS JOIN LATERAL unnest(d.section_texts) AS t (hash)
 WHERE p.space_id ${spaces}`;

const FORGOTTEN = `NOT EXISTS (SELECT FROM section_current s WHERE s.space_id = v.space_id AND s.hash = v.hash)
  AND NOT EXISTS (SELECT FROM section_unused u WHERE u.space_id = v.space_id AND u.hash = v.hash)`;

/** Words of vectors that the vocabulary of their space lacks. */
const newWords = (
  spaces: string,
): string => `SELECT v.space_id, lexeme COLLATE "C" AS word FROM section_vector v CROSS JOIN LATERAL unnest(tsvector_to_array(v.vector)) AS lexeme
   WHERE v.space_id ${spaces} AND length(lexeme) BETWEEN 4 AND 24 AND lexeme ~ '^[[:alpha:]]+$'
  EXCEPT
  SELECT k.space_id, w.word FROM space_vocabulary k CROSS JOIN LATERAL string_to_table(k.words, chr(10)) AS w (word) WHERE k.space_id ${spaces}`;

/** Pages that a specification gives have longer ids, and no items. */
const IS_ITEM = 'length(p.page_id) <> 40';
/** Pages with an address: links and specifications have none, and are not found. */
const IS_FOUND = `i.line = '' AND i.kind = 'page' AND i.slug IS NOT NULL`;

const SEARCH: readonly Invariant[] = [
  {
    name: 'search-index',
    holds: 'the search knows the current pages and their texts',
    broken: 'pages and texts that the search does not know as they are',
    over: OVER_SPACES,
    find: `SELECT coalesce(i.space_id, p.space_id) AS id, coalesce(i.id, p.page_id) AS example
        FROM (SELECT * FROM content_item i WHERE i.space_id = ANY ($1) AND ${IS_FOUND}) i
        FULL JOIN (SELECT * FROM page_current p WHERE p.space_id = ANY ($1) AND ${IS_ITEM}) p ON p.space_id = i.space_id AND p.page_id = i.id
       WHERE i.id IS NULL OR p.page_id IS NULL OR p.hash IS DISTINCT FROM i.hash
      UNION ALL
      SELECT coalesce(d.space_id, s.space_id), coalesce(d.page_id, s.page_id)
        FROM (${textsOfPages('= ANY ($1)')}) d
        FULL JOIN (SELECT * FROM section_current s WHERE s.space_id = ANY ($1)) s ON s.space_id = d.space_id AND s.page_id = d.page_id AND s.hash = d.hash
       WHERE d.page_id IS NULL OR s.page_id IS NULL
      UNION ALL
      SELECT s.space_id, s.page_id FROM section_current s
       WHERE s.space_id = ANY ($1) AND NOT EXISTS (SELECT FROM section_vector v WHERE v.space_id = s.space_id AND v.hash = s.hash)`,
    mend: {
      done: 'the index of their spaces was made anew',
      statements: [
        LOCK_SPACE,
        `DELETE FROM page_current p WHERE p.space_id = $1 AND ${IS_ITEM}
           AND NOT EXISTS (SELECT FROM content_item i WHERE i.space_id = p.space_id AND ${IS_FOUND} AND i.id = p.page_id)`,
        `INSERT INTO page_current AS p (space_id, page_id, hash, title_vector)
         SELECT i.space_id, i.id, i.hash, '' FROM content_item i WHERE i.space_id = $1 AND ${IS_FOUND} ORDER BY i.id
             ON CONFLICT (space_id, page_id) DO UPDATE SET hash = excluded.hash WHERE p.hash IS DISTINCT FROM excluded.hash`,
        `DELETE FROM section_current s WHERE s.space_id = $1 AND NOT EXISTS (
           SELECT FROM page_current p JOIN document d ON d.space_id = p.space_id AND d.hash = p.hash
            WHERE p.space_id = s.space_id AND p.page_id = s.page_id AND s.hash = ANY (d.section_texts))`,
        `INSERT INTO section_current (space_id, page_id, hash) ${textsOfPages('= $1')} ON CONFLICT DO NOTHING`,
        'SELECT index_space(s.id, s.language) FROM space s WHERE s.id = $1',
      ],
    },
  },
  {
    name: 'unused-texts',
    holds: 'texts that no page has are noted for removal from the search',
    broken: 'texts that the search would look through for ever',
    over: OVER_SPACES,
    find: `SELECT v.space_id AS id, encode(v.hash, 'hex') AS example FROM section_vector v WHERE v.space_id = ANY ($1) AND ${FORGOTTEN}`,
    mend: {
      done: 'noted for removal',
      statements: [
        LOCK_SPACE,
        `INSERT INTO section_unused (space_id, hash, since)
         SELECT v.space_id, v.hash, now() FROM section_vector v WHERE v.space_id = $1 AND ${FORGOTTEN} ON CONFLICT DO NOTHING`,
      ],
    },
  },
  {
    name: 'search-words',
    holds: 'the vocabulary of each space has the words of its texts',
    broken: 'words of texts that the vocabulary of their space lacks',
    over: OVER_SPACES,
    find: `SELECT n.space_id AS id, n.word AS example FROM (${newWords('= ANY ($1)')}) n`,
    mend: {
      done: 'added',
      statements: [
        `INSERT INTO space_vocabulary (space_id, words) SELECT n.space_id, string_agg(n.word, chr(10) ORDER BY n.word) FROM (${newWords('= $1')}) n GROUP BY n.space_id`,
      ],
    },
  },
  {
    name: 'computed-pages',
    holds: 'pages that a specification gives are kept up to date for the search',
    broken: 'spaces with pages of a specification that nobody keeps up to date for the search',
    over: OVER_SPACES,
    find: `SELECT DISTINCT i.space_id AS id, NULL AS example FROM content_item i
      WHERE i.space_id = ANY ($1) AND i.line = '' AND i.kind = 'page' AND i.props ? 'computed'
        AND NOT EXISTS (SELECT FROM computed_index c WHERE c.space_id = i.space_id)`,
    mend: {
      done: 'noted for the job that does it',
      statements: [
        'INSERT INTO computed_index (space_id, due_at) SELECT s.id, now() FROM space s WHERE s.id = $1 ON CONFLICT DO NOTHING',
      ],
    },
  },
];

/** Conditions of the content of spaces, its history and what is derived from it. */
export const CONTENT_INVARIANTS: readonly Invariant[] = [...HISTORY, ...TREES, ...SEARCH];
