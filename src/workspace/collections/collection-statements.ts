/** A collection ($1) of an organization ($2) and all below it. */
export const BELOW = `WITH RECURSIVE below AS (
    SELECT id FROM collection WHERE id = $1 AND organization_id = $2
    UNION SELECT c.id FROM below JOIN collection c ON c.parent_id = below.id)
  SELECT id FROM below`;

/** FOR UPDATE: nothing that refers to the rows can be added meanwhile. */
export const LOCK_COLLECTIONS = 'SELECT FROM collection WHERE id = ANY ($1) ORDER BY id FOR UPDATE';

/**
 * Puts the collections $6 into the organization $1, and $2 of them under $3 at the position $4: a part of a statement, since
 * what lies in them goes along at once.
 */
export const CARRY_COLLECTIONS = `UPDATE collection SET organization_id = $1, version = version + 1,
       parent_id = CASE WHEN id = $2 THEN $3::text ELSE parent_id END,
       position = CASE WHEN id = $2 THEN $4::text ELSE position END
 WHERE id = ANY ($6)`;
