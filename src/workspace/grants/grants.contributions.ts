import { TRANSFER_CARRY, TRANSFER_LEAVE } from '../spaces/spaces.points.js';
import { dropGrants } from './transferred-grants.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';

export const GRANTS_CONTRIBUTIONS: readonly Contribution[] = [
  // Teams and grants on collections and sites are removed by their foreign keys.
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(
      'DELETE FROM space_member_grant g USING space s WHERE g.user_id = $2 AND s.id = g.space_id AND s.organization_id = $1',
      [organizationId, userId],
    ),
  ),
  TRANSFER_LEAVE.with(dropGrants),
  TRANSFER_CARRY.with(
    'UPDATE collection_member_grant SET organization_id = $1, custom_role_id = NULL WHERE collection_id = ANY ($6)',
  ),
];
