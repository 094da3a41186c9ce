/**
 * The column `added` of a `Rights` on a space or a site, for statements with its row and a user: the permissions that
 * custom roles add to the user's role there. Organizations without custom roles cost one look into an index.
 */
export const additions = (kind: 'space' | 'site', user: string, thing: string): string =>
  `CASE WHEN EXISTS (SELECT FROM custom_role known WHERE known.organization_id = ${thing}.organization_id) THEN ${kind}_additions(${user}, ${thing}.id) ELSE '{}' END`;

/** The same for the organization of a member, for statements with the row `m`. */
export const MEMBER_ADDITIONS = `coalesce((SELECT own.permissions FROM custom_role own WHERE own.id = m.custom_role_id), '{}')`;
