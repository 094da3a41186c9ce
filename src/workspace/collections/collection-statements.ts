/** A collection ($1) of an organization ($2) and all its descendants. */
export const BELOW = `WITH RECURSIVE below AS (
    SELECT id FROM collection WHERE id = $1 AND organization_id = $2
    UNION SELECT c.id FROM below JOIN collection c ON c.parent_id = below.id)
  SELECT id FROM below`;

/** FOR UPDATE: no row that refers to these can be added meanwhile. */
export const LOCK_COLLECTIONS = 'SELECT FROM collection WHERE id = ANY ($1) ORDER BY id FOR UPDATE';

/**
 * Moves the collections $6 to the organization $1, and $2 of them under $3 at the position $4: a part of a statement,
 * since their content moves in the same one.
 */
export const CARRY_COLLECTIONS = `UPDATE collection SET organization_id = $1, version = version + 1,
       parent_id = CASE WHEN id = $2 THEN $3::text ELSE parent_id END,
       position = CASE WHEN id = $2 THEN $4::text ELSE position END
 WHERE id = ANY ($6)`;
