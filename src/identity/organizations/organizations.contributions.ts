import { ORGANIZATIONS, TOKEN_USES } from '../../kernel/access/access.points.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { ACQUAINTANCES } from '../users/users.points.js';
import { GUEST_ID, letsIn, MEMBER_IS_ADMIN } from './lets-in.js';

export const ORGANIZATIONS_CONTRIBUTIONS: readonly Contribution[] = [
  ORGANIZATIONS.with({
    columns: `m.organization_id AS id, m.role, ${GUEST_ID}`,
    from: (
      user,
      id,
      limitedTo,
    ) => `member m WHERE m.user_id = ${user} AND m.organization_id = ${id} AND NOT m.disabled AND m.organization_id = coalesce(${limitedTo}, m.organization_id)
      AND ${letsIn(user, id, limitedTo, MEMBER_IS_ADMIN)}`,
    needsLogin: (user, id) =>
      `EXISTS (SELECT FROM member m JOIN organization o ON o.id = m.organization_id AND o.sso WHERE m.user_id = ${user} AND m.organization_id = ${id} AND NOT m.disabled)`,
  }),
  TOKEN_USES.with(
    'UPDATE member m SET last_seen_at = s.at FROM (SELECT "userId", max(at) AS at FROM seen GROUP BY 1) s WHERE m.user_id = s."userId"',
  ),
  // Guests see no other people.
  ACQUAINTANCES.with(
    `EXISTS (SELECT FROM member own JOIN member other ON other.organization_id = own.organization_id AND other.user_id = $2
        WHERE own.user_id = $1 AND NOT own.disabled AND own.role > 'none' AND own.organization_id = coalesce($3, own.organization_id)
          AND ${letsIn('$1', 'own.organization_id', '$3')})`,
  ),
];
