import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { MEMBER_COLUMNS, ORGANIZATION_COLUMNS } from '../organizations/organizations.points.js';

export const TEAMS_CONTRIBUTIONS: readonly Contribution[] = [
  ORGANIZATION_COLUMNS.with({
    name: 'ownsTeam',
    sql: `EXISTS (SELECT FROM team_member t WHERE t.organization_id = o.id AND t.user_id = m.user_id AND t.role = 'owner')`,
  }),
  MEMBER_COLUMNS.with({
    name: 'teams',
    sql: '(SELECT count(*)::int FROM team_member t WHERE t.organization_id = $2 AND t.user_id = m.user_id)',
  }),
];
