import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';

const WRONG = `FROM issues_cluster k LEFT JOIN LATERAL (
    SELECT count(*) AS issues, count(DISTINCT i.conversation_id) AS conversations
      FROM conversation_issue i JOIN conversation_source s ON s.organization_id = i.organization_id AND s.id = i.source_id AND s.deleted_at IS NULL
     WHERE i.organization_id = k.organization_id AND i.cluster_id = k.id) m ON true
  WHERE (k.issues, k.conversations) IS DISTINCT FROM (m.issues, m.conversations)`;

/** Clusters know how many issues and conversations they have. */
export const CLUSTERS_COUNTED: Invariant = {
  name: 'cluster-members',
  holds: 'issues of clusters are counted',
  broken: 'clusters with wrong counts of issues or conversations',
  over: { table: 'organization', key: 'id' },
  find: `SELECT k.organization_id AS id, k.id AS example ${WRONG} AND k.organization_id = ANY ($1)`,
  mend: {
    done: 'counted again',
    statements: [
      'INSERT INTO conversation_analysis (organization_id) VALUES ($1) ON CONFLICT DO NOTHING',
      'SELECT FROM conversation_analysis WHERE organization_id = $1 FOR UPDATE',
      `UPDATE issues_cluster c SET issues = w.issues, conversations = w.conversations, version = c.version + 1
         FROM (SELECT k.id, m.issues, m.conversations ${WRONG} AND k.organization_id = $1) w WHERE c.organization_id = $1 AND c.id = w.id`,
    ],
  },
};
