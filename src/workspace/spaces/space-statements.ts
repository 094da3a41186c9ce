/** Statements, and parts of statements, by which modules above change rows of table space. */

/** Makes the revision $2 with the number $3 the head of the primary line of the space $1, at the time $4. The row must be locked. */
export const MOVE_PRIMARY_HEAD =
  'UPDATE space SET revision_id = $2, sequence = $3, updated_at = $4, version = version + 1 WHERE id = $1';

/**
 * Takes the next number for a change request of the space $1, and gives it with the organization and the head of the primary line; no
 * row for a space in the trash, or where the given condition over `space` does not hold. It is a part of the statement that uses the number.
 */
export const takeRequestNumber = (condition: string): string => `UPDATE space
    SET change_request_number = change_request_number + 1
  WHERE id = $1 AND deleted_at IS NULL AND ${condition}
  RETURNING organization_id, change_request_number, revision_id, sequence`;
