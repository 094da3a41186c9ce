import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { WAYS_IN } from '../organizations/organizations.points.js';

export const SSO_CONTRIBUTIONS: readonly Contribution[] = [
  WAYS_IN.with(async (database, organizationId) => {
    const provider = await database.one(
      `SELECT FROM identity_provider WHERE organization_id = $1 AND status = 'active'`,
      [organizationId],
    );
    return provider !== undefined;
  }),
];
