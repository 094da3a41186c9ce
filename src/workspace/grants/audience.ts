import { additions } from '../../identity/organizations/custom-roles/additions.js';
import { ACCESS_LEVELS, type AccessLevel } from '../../kernel/common/roles.js';
import type { ListStatement } from '../../kernel/common/page.js';
import type { Granted, GrantKind } from './grant-tables.js';

/**
 * Up to this number of members are collected and sorted; a larger group is dense enough to be found in the order of the
 * list.
 */
const FEW_MEMBERS = 800;

/**
 * The roles in the organization that give a role on an object to members without a grant there; `level` is the object's
 * own.
 */
export function rolesWith(level: AccessLevel | null, role: AccessLevel | undefined): AccessLevel[] {
  return ACCESS_LEVELS.filter((own) => {
    const effective = own === 'admin' || own === 'none' || level === null ? own : level;
    return effective !== 'none' && (role === undefined || effective === role);
  });
}

/** The level of an object ($1), null if it has none. */
export const levelOf = (kind: GrantKind): string => `SELECT ${kind}_level($1) AS level`;

/** The number of members of an organization ($1) with one of these roles ($2). */
export const MEMBERS_WITH = `SELECT coalesce(sum(members), 0)::float8 AS members FROM organization_member_total
  WHERE organization_id = $1 AND NOT disabled AND role = ANY ($2::access_level[])`;

/**
 * Everybody with access to an object (alias `x`), or all with one role there. Few people have grants; the role of all
 * others follows from their role in the organization (`classes`, which `members` people have), so that a page of them
 * is read by an index and their number is known.
 */
export function audience(
  { kind, id, organizationId }: Granted,
  classes: readonly AccessLevel[],
  members: number,
  role: AccessLevel | undefined,
): Pick<ListStatement, 'from' | 'count' | 'values'> {
  const specials = `${kind}_specials($1)`;
  // Read once, where all of its rows are gathered anyway.
  const once = `WITH special AS MATERIALIZED (SELECT * FROM ${specials})`;
  const matching = `s.role > 'none' AND ($4::access_level IS NULL OR s.role = $4)`;
  const fits = `m.role = ANY ($3::access_level[])`;
  // People with grants are listed where these fit, all others where their role does: one look at the grants tells both.
  const inOrder = `SELECT m.user_id, m.joined_at FROM member m WHERE m.organization_id = $2 AND NOT m.disabled
         AND (${fits}) <> ((m.user_id, ${fits}) IN (SELECT s.user_id, (${matching}) IS NOT TRUE FROM ${specials} s))`;
  const gathered = `${once} SELECT s.user_id, s.joined_at FROM special s WHERE ${matching}
      UNION ALL
      SELECT m.user_id, m.joined_at FROM member m WHERE m.organization_id = $2 AND NOT m.disabled
         AND ${fits} AND m.user_id NOT IN (SELECT s.user_id FROM special s)`;
  return {
    from: `FROM (${members > FEW_MEMBERS ? inOrder : gathered}) x WHERE true`,
    count: `${once}
      SELECT coalesce((SELECT sum(t.members) FROM organization_member_total t WHERE t.organization_id = $2 AND NOT t.disabled AND t.role = ANY ($3::access_level[])), 0)
           - (SELECT count(*) FROM special s WHERE s.member_role = ANY ($3::access_level[])) + (SELECT count(*) FROM special s WHERE ${matching}) AS count`,
    values: [id, organizationId, classes, role ?? null],
  };
}

/** The team from which a member has the role on an object ($1), if no grant of their own decides. */
const teamOn = (kind: GrantKind): string => `(SELECT g.team_id FROM ${kind}_team_grant g
     JOIN team_member t ON t.organization_id = g.organization_id AND t.team_id = g.team_id AND t.user_id = a.id
    WHERE g.${kind}_id = $1 AND g.role >= s.role
      AND NOT EXISTS (SELECT FROM ${kind}_member_grant o WHERE o.${kind}_id = $1 AND o.user_id = a.id)
    ORDER BY g.team_id LIMIT 1)`;

/** The permissions of the resource itself, and of the spaces of a site, among those that custom roles add; collections ask none. */
const added = (kind: GrantKind): string =>
  kind === 'collection'
    ? `'{}'::text[]`
    : `ARRAY(SELECT more.permission FROM unnest(${additions(kind, 'a.id', 'thing')}) AS more (permission)
             WHERE more.permission LIKE '${kind}:%' OR more.permission LIKE 'space:%')`;

/**
 * The members $3 of an organization ($2) with their roles on an object ($1) and what custom roles add to these; `isOwn`
 * if the role is higher than the one in the organization, `teamId` on sites if it comes from a team.
 */
export const peopleOf = (
  kind: GrantKind,
): string => `SELECT a.id, a.display_name AS "displayName", a.email, a.photo_url AS "photoURL",
    coalesce(s.role, CASE WHEN m.role = 'admin' THEN m.role ELSE coalesce((SELECT ${kind}_level($1)), m.role) END) AS role,
    s.role IS NOT NULL AND s.role > least(m.role, 'create') AND m.role < 'admin' AS "isOwn",
    ${kind === 'site' ? teamOn(kind) : 'NULL'} AS "teamId", a.disabled, ${added(kind)} AS added
  FROM (SELECT $1::text AS id, $2::text AS organization_id) thing
 CROSS JOIN account a JOIN member m ON m.organization_id = $2 AND m.user_id = a.id
  LEFT JOIN ${kind}_specials($1) s ON s.user_id = a.id
 WHERE a.id = ANY ($3::text[])`;
