import { grantStatements } from '../../workspace/grants/grant-tables.js';

/**
 * Users $2 whose role on a space of the site $1 is above that of the user $3, once for each space and role; and those to whose
 * role there a permission is added that the user $3 lacks. Whoever administers a space has all that can be added.
 */
const ABOVE = `SELECT u.id || ' ' || ss.space_id || ' ' || a.role AS id FROM unnest($2::text[]) AS u (id) JOIN site_space ss ON ss.site_id = $1
  CROSS JOIN LATERAL space_access(u.id, ARRAY[ss.space_id]) a CROSS JOIN LATERAL space_access($3, ARRAY[ss.space_id]) own WHERE a.role > own.role
  UNION ALL
  SELECT u.id || ' ' || ss.space_id || ' ' || more.permission FROM unnest($2::text[]) AS u (id) JOIN site_space ss ON ss.site_id = $1
   CROSS JOIN LATERAL unnest(space_additions(u.id, ss.space_id)) AS more (permission) CROSS JOIN LATERAL space_access($3, ARRAY[ss.space_id]) own
   WHERE own.role < 'create' AND more.permission LIKE 'space:%' AND more.permission <> ALL (space_additions($3, ss.space_id))`;

const GIVEN = `SELECT max(g.role) AS role FROM (
    SELECT m.role FROM site_member_grant m WHERE m.site_id = $1 AND m.user_id = $2
    UNION ALL
    SELECT t.role FROM site_team_grant t JOIN team_member tm ON tm.organization_id = t.organization_id AND tm.team_id = t.team_id WHERE t.site_id = $1 AND tm.user_id = $2) g`;

/** Roles on a site, which its spaces inherit. */
export const SITE_GRANTS = grantStatements('site', { above: ABOVE, given: GIVEN });

/** The guest `m`, or the guest who asks. */
const GUEST = 'CASE WHEN $4 THEN $1 ELSE m.user_id END';

/**
 * The number of sites of the organization $2 that its member `m` can see, and the member $1, who is a guest ($4) or not:
 * guests see those that were given to them or that they created, others see all.
 */
export const SITE_COUNT = `(CASE WHEN m.disabled THEN 0
  WHEN $4 OR m.role = 'none' THEN (SELECT count(*) FROM (
    SELECT g.site_id FROM site_member_grant g WHERE g.organization_id = $2 AND g.user_id = ${GUEST} AND g.role > 'none'
    UNION SELECT g.site_id FROM team_member t JOIN site_team_grant g USING (organization_id, team_id)
           WHERE t.organization_id = $2 AND t.user_id = ${GUEST} AND g.role > 'none'
    UNION SELECT s.id FROM site s WHERE s.organization_id = $2 AND s.created_by = ${GUEST}) seen)
  ELSE (SELECT count(*) FROM site s WHERE s.organization_id = $2) END)::int`;
