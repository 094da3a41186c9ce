import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { ACQUAINTANCES } from '../users/users.points.js';
import { letsIn } from '../../kernel/access/access.service.js';

export const ORGANIZATIONS_CONTRIBUTIONS: readonly Contribution[] = [
  // Guests see nobody.
  ACQUAINTANCES.with(
    `EXISTS (SELECT FROM member own JOIN member other ON other.organization_id = own.organization_id AND other.user_id = $2
        WHERE own.user_id = $1 AND NOT own.disabled AND own.role > 'none' AND own.organization_id = coalesce($3, own.organization_id)
          AND ${letsIn('$1', 'own.organization_id', '$3')})`,
  ),
];
