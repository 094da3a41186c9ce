import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';

/**
 * Statements that set a total of an organization (`$1`) to what a SELECT counts. Transactions that change what is
 * counted add to the row as their last step, so under its lock they are either counted or still to be added.
 */
export const recountOrganization = (total: 'members' | 'spaces', counted: string): string[] => [
  'INSERT INTO organization_total (organization_id) VALUES ($1) ON CONFLICT DO NOTHING',
  'SELECT FROM organization_total WHERE organization_id = $1 FOR UPDATE',
  `UPDATE organization_total SET ${total} = (${counted}) WHERE organization_id = $1`,
];

/** An organization whose total differs from what a SELECT over the organization `o` counts. */
export const wrongTotals = (total: 'members' | 'spaces', counted: string): string =>
  `SELECT o.id, NULL AS example FROM organization o LEFT JOIN organization_total t ON t.organization_id = o.id
    WHERE o.id = ANY ($1) AND coalesce(t.${total}, 0) <> (${counted})`;

const MEMBERS_BY_KIND = `SELECT m.organization_id, m.role, m.disabled, m.last_seen_at IS NOT NULL AS seen, count(*) AS members FROM member m`;

export const MEMBERS_COUNTED: Invariant = {
  name: 'organization-members',
  holds: 'members of organizations are counted',
  broken: 'organizations with a wrong count of members',
  over: { table: 'organization', key: 'id' },
  find: `${wrongTotals('members', 'SELECT count(*) FROM member m WHERE m.organization_id = o.id')}
    UNION
    SELECT coalesce(c.organization_id, t.organization_id), NULL
      FROM (${MEMBERS_BY_KIND} WHERE m.organization_id = ANY ($1) GROUP BY 1, 2, 3, 4) c
      FULL JOIN (SELECT * FROM organization_member_total t WHERE t.organization_id = ANY ($1)) t USING (organization_id, role, disabled, seen)
     WHERE coalesce(c.members, 0) <> coalesce(t.members, 0)`,
  mend: {
    done: 'counted again',
    statements: [
      ...recountOrganization('members', 'SELECT count(*) FROM member m WHERE m.organization_id = $1'),
      'DELETE FROM organization_member_total WHERE organization_id = $1',
      `INSERT INTO organization_member_total (organization_id, role, disabled, seen, members)
       ${MEMBERS_BY_KIND} WHERE m.organization_id = $1 GROUP BY 1, 2, 3, 4`,
    ],
  },
};
