import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { TRANSFER_LEAVE } from '../../workspace/spaces/spaces.points.js';

/** Verifications stay where their owners leave, without an owner: so they are over, and listed among those that are due. */
export const PAGE_VERIFICATION_CONTRIBUTIONS: readonly Contribution[] = [
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(
      'UPDATE page_verification v SET user_id = NULL FROM space s WHERE v.user_id = $2 AND s.id = v.space_id AND s.organization_id = $1',
      [organizationId, userId],
    ),
  ),
  TRANSFER_LEAVE.with((database, { spaces, to }) =>
    database.execute(
      `UPDATE page_verification v SET user_id = NULL, team_id = NULL WHERE v.space_id = ANY ($1)
         AND NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $2 AND m.user_id = v.user_id)`,
      [spaces, to],
    ),
  ),
];
