import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';

const OVER_SPACES = { table: 'space', key: 'id' } as const;
const RESTORE = 'Restore a backup from before';

/** Conditions of change requests and their lines of content. */
export const CHANGE_REQUESTS_INVARIANTS: readonly Invariant[] = [
  {
    name: 'request-heads',
    holds: 'the head of each change request is its last revision',
    broken: 'change requests whose head is not their last revision',
    over: { table: 'change_request', key: 'id' },
    find: `SELECT c.id, NULL AS example FROM change_request c WHERE c.id = ANY ($1) AND c.sequence > 0 AND (c.revision_id, c.sequence) IS DISTINCT FROM
      (SELECT (r.id, r.sequence) FROM revision r WHERE r.space_id = c.space_id AND r.line = c.id ORDER BY r.sequence DESC LIMIT 1)`,
    advice: RESTORE,
  },
  {
    name: 'request-revisions',
    holds: 'revisions and items outside of primary content belong to a change request',
    broken: 'revisions and items that belong to no change request, or are newer than it',
    over: OVER_SPACES,
    find: `SELECT r.space_id AS id, r.id AS example FROM revision r LEFT JOIN change_request c ON c.space_id = r.space_id AND c.id = r.line
       WHERE r.space_id = ANY ($1) AND r.line <> '' AND (c.id IS NULL OR r.sequence > c.sequence)
      UNION ALL
      SELECT i.space_id, i.id FROM content_item i
       WHERE i.space_id = ANY ($1) AND i.line <> '' AND NOT EXISTS (SELECT FROM change_request c WHERE c.space_id = i.space_id AND c.id = i.line)`,
    advice: RESTORE,
  },
  {
    name: 'merges',
    holds: 'change requests are merged where their space has the merge',
    broken: 'merges without a merged change request, or merged change requests without their merge',
    over: OVER_SPACES,
    find: `SELECT coalesce(c.space_id, r.space_id) AS id, coalesce(c.id, r.id) AS example
        FROM (SELECT * FROM change_request c WHERE c.space_id = ANY ($1) AND (c.status = 'merged' OR c.merged_revision_id IS NOT NULL)) c
        FULL JOIN (SELECT * FROM revision r WHERE r.space_id = ANY ($1) AND r.type = 'merge') r ON r.id = c.merged_revision_id AND r.merged_from = c.id
       WHERE c.id IS NULL OR r.id IS NULL OR c.status <> 'merged'`,
    advice: RESTORE,
  },
  {
    name: 'request-numbers',
    holds: 'the next change request of each space has a new number',
    broken: 'spaces whose next change request would have a number that is taken',
    over: OVER_SPACES,
    find: `SELECT s.id, NULL AS example FROM space s WHERE s.id = ANY ($1)
       AND s.change_request_number < (SELECT max(c.number) FROM change_request c WHERE c.space_id = s.id)`,
    advice: 'Set change_request_number of the space to the largest number of its change requests',
  },
];
