import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';

/** The references of primary content are those of its present versions, and are counted by target. */
export const LINKS_KEPT: Invariant = {
  name: 'links',
  holds: 'references between pages are those of their present texts',
  broken: 'references of pages that are not known as they are',
  over: { table: 'space', key: 'id' },
  find: `SELECT coalesce(f.space_id, l.space_id) AS id, coalesce(f.source_id, l.source_id) AS example
      FROM (SELECT i.space_id, i.kind AS source_kind, i.id AS source_id, f.key, f.nodes
              FROM content_item i CROSS JOIN LATERAL links_of(i.space_id, i.kind, i.id, i.hash, i.props) f
             WHERE i.space_id = ANY ($1) AND i.line = '' AND i.kind IN ('page', 'reusable')) f
      FULL JOIN (SELECT * FROM content_link l WHERE l.space_id = ANY ($1)) l USING (space_id, source_kind, source_id, key)
     WHERE f.nodes IS DISTINCT FROM l.nodes
    UNION ALL
    SELECT coalesce(c.space_id, t.space_id), coalesce(c.key, t.key)
      FROM (SELECT l.space_id, l.key, sum(cardinality(l.nodes)) AS links FROM content_link l WHERE l.space_id = ANY ($1) GROUP BY 1, 2) c
      FULL JOIN (SELECT * FROM link_target t WHERE t.space_id = ANY ($1)) t USING (space_id, key)
     WHERE c.links IS DISTINCT FROM t.links`,
  mend: {
    done: 'those of their spaces were found anew',
    statements: [
      // Every write of primary content locks the row of its space.
      'SELECT FROM space WHERE id = $1 FOR UPDATE',
      'DELETE FROM content_link WHERE space_id = $1',
      'DELETE FROM link_target WHERE space_id = $1',
      'SELECT refresh_all_links($1)',
    ],
  },
};
