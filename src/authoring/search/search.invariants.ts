import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';

/** Current pages without vectors, and vectors of pages that are not current, which are not due. */
const missed = (
  spaces: string,
): string => `SELECT coalesce(p.space_id, e.space_id) AS space_id, coalesce(p.page_id, e.page_id) AS page_id
  FROM (SELECT p.space_id, p.page_id FROM page_current p WHERE p.space_id ${spaces}) p
  FULL JOIN (SELECT e.space_id, e.page_id FROM page_embedding e WHERE e.space_id ${spaces}) e ON e.space_id = p.space_id AND e.page_id = p.page_id
 WHERE (p.page_id IS NULL OR e.page_id IS NULL)
   AND NOT EXISTS (SELECT FROM page_embedding_due d WHERE d.space_id = coalesce(p.space_id, e.space_id) AND d.page_id = coalesce(p.page_id, e.page_id))`;

/** Pages have vectors of their meaning, or are due for them. */
export const MEANINGS_KEPT: Invariant = {
  name: 'page-meanings',
  holds: 'vectors of meaning are made for all pages, and for no others',
  broken: 'pages without vectors of meaning, or vectors without a page, that nobody looks after',
  over: { table: 'space', key: 'id' },
  find: `SELECT m.space_id AS id, m.page_id AS example FROM (${missed('= ANY ($1)')}) m`,
  mend: {
    done: 'noted for the job that makes and removes them',
    statements: [
      `INSERT INTO page_embedding_due (space_id, page_id) SELECT m.space_id, m.page_id FROM (${missed('= $1')}) m ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
    ],
  },
};
