import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { endBypasses } from '../../identity/organizations/end-bypasses.js';
import { MEMBERSHIP_END } from '../../identity/organizations/organizations.points.js';

const END_BYPASSES = endBypasses('space', 'organization_id = $1');

export const SPACES_CONTRIBUTIONS: readonly Contribution[] = [
  MEMBERSHIP_END.with((database, { organizationId, userId }) =>
    database.execute(END_BYPASSES, [organizationId, userId]),
  ),
];
