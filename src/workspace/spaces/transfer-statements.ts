import { CARRY_COLLECTIONS } from '../collections/collection-statements.js';

export const LOCK_SPACES =
  'SELECT id, organization_id AS "organizationId", version, deleted_at AS "deletedAt" FROM space';

/** Rules that name people who are not in the new organization ($1) are replaced by the rules of that organization. */
const RULES = `merge_rules = CASE WHEN EXISTS (
    SELECT FROM jsonb_path_query(s.merge_rules, '$.rules[*].users[*]') AS named (id)
     WHERE NOT EXISTS (SELECT FROM member m WHERE m.organization_id = $1::text AND m.user_id = named.id #>> '{}'))
  THEN '{"type": "inherit"}' ELSE s.merge_rules END`;

/** Moves the space $2 to the organization $1, under $3 at the position $4, at $5. */
export const CARRY_SPACE = `UPDATE space s SET organization_id = $1, is_transferred = true, collection_id = $3, position = $4, ${RULES},
    version = version + 1, updated_at = $5 WHERE id = $2`;

/**
 * Moves the collection $2 with all collections $6 and spaces $7 inside, and the rows of other modules: one statement,
 * since foreign keys with the organization are checked at its end.
 */
export const carryCollections = (along: readonly string[]): string => `WITH carried AS (${CARRY_COLLECTIONS})
    ${along.map((statement, index) => `, along_${index} AS (${statement})`).join('')}
  UPDATE space s SET organization_id = $1, is_transferred = true, ${RULES}, version = version + 1, updated_at = $5 WHERE id = ANY ($7)`;
