import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { MEMBERSHIP_END } from '../organizations/organizations.points.js';

export const OAUTH_CONTRIBUTIONS: readonly Contribution[] = [
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute('DELETE FROM oauth_grant WHERE organization_id = $1 AND user_id = $2', [organizationId, userId]),
  ),
];
