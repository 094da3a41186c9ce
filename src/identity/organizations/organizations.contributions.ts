import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { MEMBERS_COUNTED } from './organization-totals.js';
import { ORGANIZATIONS, TOKEN_USES } from '../../kernel/access/access.points.js';
import { admitsAddress } from '../../kernel/common/ip-allow-list.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { ACQUAINTANCES } from '../users/users.points.js';
import { GUEST_ID, letsIn, MEMBER_IS_ADMIN } from './lets-in.js';
import { MEMBER_ADDITIONS } from './custom-roles/additions.js';

export const ORGANIZATIONS_CONTRIBUTIONS: readonly Contribution[] = [
  ORGANIZATIONS.with({
    columns: `m.organization_id AS id, m.role, ${MEMBER_ADDITIONS} AS added, ${GUEST_ID}`,
    from: (
      user,
      id,
      limitedTo,
      address,
    ) => `member m WHERE m.user_id = ${user} AND m.organization_id = ${id} AND NOT m.disabled AND m.organization_id = coalesce(${limitedTo}, m.organization_id)
      AND ${letsIn(user, id, { limitedTo, address }, MEMBER_IS_ADMIN)}`,
    refusal: (user, id, limitedTo, address) =>
      `SELECT CASE WHEN NOT ${admitsAddress('o', address)} THEN 'address' WHEN o.sso AND ${limitedTo}::text IS NULL THEN 'login' END AS reason FROM member m JOIN organization o ON o.id = m.organization_id
        WHERE m.user_id = ${user} AND m.organization_id = ${id} AND NOT m.disabled AND m.organization_id = coalesce(${limitedTo}, m.organization_id)`,
  }),
  TOKEN_USES.with(
    'UPDATE member m SET last_seen_at = s.at FROM (SELECT "userId", max(at) AS at FROM seen GROUP BY 1) s WHERE m.user_id = s."userId"',
  ),
  // Guests see no other people.
  ACQUAINTANCES.with(
    `EXISTS (SELECT FROM member own JOIN member other ON other.organization_id = own.organization_id AND other.user_id = $2
        WHERE own.user_id = $1 AND NOT own.disabled AND own.role > 'none' AND own.organization_id = coalesce($3, own.organization_id)
          AND ${letsIn('$1', 'own.organization_id', { limitedTo: '$3', address: '$4' })})`,
  ),
  INVARIANTS.with(MEMBERS_COUNTED),
];
