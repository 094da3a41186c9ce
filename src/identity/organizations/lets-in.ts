import { admitsAddress } from '../../kernel/common/ip-allow-list.js';

/** Tells whether a user administers an organization, for statements that have no row of the member. */
const isAdmin = (user: string, organization: string): string =>
  `EXISTS (SELECT FROM member em WHERE em.organization_id = ${organization} AND em.user_id = ${user} AND em.role = 'admin' AND NOT em.disabled)`;

/** The same for statements with the row `m` of the member. */
export const MEMBER_IS_ADMIN = "m.role = 'admin' AND NOT m.disabled";

/**
 * The condition under which a token may access an organization from an address: its list of addresses has that of the
 * request, and if single sign-on is enforced, the token is limited to the organization, as tokens of logins through its
 * identity providers are. Single sign-on never locks administrators out; a list of addresses holds for them as well. All
 * arguments are expressions of a statement, `limitedTo` null for a token that is not limited, `address` null where no
 * request is compared; `admin` is for statements that know the role.
 */
export const letsIn = (
  user: string,
  organization: string,
  { limitedTo, address }: { readonly limitedTo: string; readonly address: string },
  admin = isAdmin(user, organization),
): string =>
  `(SELECT ${admitsAddress('eo', address)} AND (${limitedTo}::text IS NOT NULL OR NOT eo.sso OR ${admin}) FROM organization eo WHERE eo.id = ${organization})`;

/** The column `guestId` of a `Viewer`, for statements with the row `m` of the member. */
export const GUEST_ID = `CASE WHEN m.role = 'none' THEN m.user_id END AS "guestId"`;
