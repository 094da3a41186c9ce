import { TRANSFER_LEAVE } from '../../workspace/spaces/spaces.points.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';

export const REVIEWS_CONTRIBUTIONS: readonly Contribution[] = [
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(
      'DELETE FROM requested_reviewer r USING space s WHERE r.user_id = $2 AND s.id = r.space_id AND s.organization_id = $1',
      [organizationId, userId],
    ),
  ),
  TRANSFER_LEAVE.with((database, { spaces, to }) =>
    database.execute(
      `DELETE FROM requested_reviewer g WHERE g.space_id = ANY ($1)
          AND NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $2 AND NOT m.disabled AND m.user_id = g.user_id)`,
      [spaces, to],
    ),
  ),
];
