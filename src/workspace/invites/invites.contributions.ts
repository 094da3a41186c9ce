import { SIGN_IN_INVITES } from '../../identity/sessions/sessions.points.js';
import { InviteSignIns } from './invite-sign-ins.js';
import { TRANSFER_LEAVE } from '../spaces/spaces.points.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';

export const INVITES_CONTRIBUTIONS: readonly Contribution[] = [
  SIGN_IN_INVITES.with(InviteSignIns),
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(
      'DELETE FROM invitation i USING account a WHERE i.organization_id = $1 AND a.id = $2 AND lower(i.email) = lower(a.email)',
      [organizationId, userId],
    ),
  ),
  // Before the grants: redeeming a link locks it first, and then creates grants.
  TRANSFER_LEAVE.with((database, { collections, spaces }) =>
    database.execute('DELETE FROM invite_link WHERE collection_id = ANY ($1) OR space_id = ANY ($2)', [
      collections,
      spaces,
    ]),
  ),
];
