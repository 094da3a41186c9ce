import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';

export const REVIEWS_CONTRIBUTIONS: readonly Contribution[] = [
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(
      'DELETE FROM requested_reviewer r USING space s WHERE r.user_id = $2 AND s.id = r.space_id AND s.organization_id = $1',
      [organizationId, userId],
    ),
  ),
];
