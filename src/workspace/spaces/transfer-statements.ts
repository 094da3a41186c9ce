/** A collection ($1) of an organization ($2) and all below it. */
export const BELOW = `WITH RECURSIVE below AS (
    SELECT id FROM collection WHERE id = $1 AND organization_id = $2
    UNION SELECT c.id FROM below JOIN collection c ON c.parent_id = below.id)
  SELECT id FROM below`;

/** FOR UPDATE: nothing that refers to the rows can be added meanwhile. */
export const LOCK_COLLECTIONS = 'SELECT FROM collection WHERE id = ANY ($1) ORDER BY id FOR UPDATE';
export const LOCK_SPACES =
  'SELECT id, organization_id AS "organizationId", version, deleted_at AS "deletedAt" FROM space';

const OUTSIDER = 'NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $2::text AND m.user_id = g.user_id)';

/**
 * What stays behind when things ($1, ids) go to another organization ($2): links first, since redeeming one locks it and
 * then grants; teams, and people who are not members there; with links to feedback that the old organization gathered.
 */
export const LEAVE = {
  collections: [
    'DELETE FROM invite_link WHERE collection_id = ANY ($1) AND $2::text IS NOT NULL',
    'DELETE FROM collection_team_grant WHERE collection_id = ANY ($1) AND $2::text IS NOT NULL',
    `DELETE FROM collection_member_grant g WHERE g.collection_id = ANY ($1) AND ${OUTSIDER}`,
  ],
  spaces: [
    'DELETE FROM invite_link WHERE space_id = ANY ($1) AND $2::text IS NOT NULL',
    'DELETE FROM space_team_grant WHERE space_id = ANY ($1) AND $2::text IS NOT NULL',
    `DELETE FROM space_member_grant g WHERE g.space_id = ANY ($1) AND ${OUTSIDER}`,
    `DELETE FROM requested_reviewer g WHERE g.space_id = ANY ($1) AND ${OUTSIDER.replace('m.user_id =', 'NOT m.disabled AND m.user_id =')}`,
    'UPDATE change_request SET issues_cluster_id = NULL WHERE space_id = ANY ($1) AND issues_cluster_id IS NOT NULL AND $2::text IS NOT NULL',
  ],
} as const;

/** Rules that name people who are not in the new organization ($1) give way to the rules of that organization. */
const RULES = `merge_rules = CASE WHEN EXISTS (
    SELECT FROM jsonb_path_query(s.merge_rules, '$.rules[*].users[*]') AS named (id)
     WHERE NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $1::text AND m.user_id = named.id #>> '{}'))
  THEN '{"type": "inherit"}' ELSE s.merge_rules END`;

/** Puts the space $2 into the organization $1, under $3 at the position $4, at $5. */
export const CARRY_SPACE = `UPDATE space s SET organization_id = $1, collection_id = $3, position = $4, ${RULES},
    version = version + 1, updated_at = $5 WHERE id = $2`;

/**
 * The same for the collection $2 with all collections $6 and spaces $7 within: one statement, since their foreign keys name
 * the organization and are checked at its end.
 */
export const CARRY_COLLECTIONS = `WITH carried AS (
    UPDATE collection SET organization_id = $1, version = version + 1,
           parent_id = CASE WHEN id = $2 THEN $3::text ELSE parent_id END,
           position = CASE WHEN id = $2 THEN $4::text ELSE position END
     WHERE id = ANY ($6)),
  kept AS (UPDATE collection_member_grant SET organization_id = $1 WHERE collection_id = ANY ($6))
  UPDATE space s SET organization_id = $1, ${RULES}, version = version + 1, updated_at = $5 WHERE id = ANY ($7)`;
